import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// What is read of the entries in which servers keep conversations, and told to the user who goes back to one.
struct EarlierMessagesTests {
  /// Who said what.
  private static func told(_ entry: JSON) -> [String] {
    HTTPSessions.messages(entry).map { "\($0.author): \($0.text)" }
  }

  @Test(
    arguments: [
      // Words are a text, blocks, or parts.
      (["role": "user", "content": " hi "], ["user: hi"]),
      (["role": "assistant", "content": "hello"], ["agent: hello"]),
      (["type": "user", "message": ["content": "hi"]], ["user: hi"]),
      (
        ["type": "assistant", "message": ["role": "assistant", "content": [["text": "a"], ["text": " b "]]]],
        ["agent: a", "agent: b"]
      ),
      (["role": "model", "parts": [["type": "text", "text": "a"]]], ["agent: a"]),
      (["role": "user", "content": ""], []), (["role": "user", "content": " \n"], []), (["role": "user"], []),
      // Thoughts, pictures and empty parts are not part of what was said.
      (
        ["role": "assistant", "parts": [["type": "reasoning", "text": "hm"], ["type": "text", "text": "a"]]],
        ["agent: a"]
      ),
      (["role": "assistant", "content": [["type": "image", "source": "x"], ["type": "text", "text": " "]]], []),
      // Claude Code keeps more than the conversation.
      (["isMeta": true, "role": "user", "content": "x"], []),
      (["isSidechain": true, "role": "user", "content": "x"], []),
      (["isMeta": false, "role": "user", "content": "x"], ["user: x"]), (["type": "file-history", "content": "x"], []),
      (["type": "summary", "role": "user", "content": "x"], []),
      (["type": "system", "role": "user", "content": "x"], []),
      (["type": "other", "role": "user", "content": "x"], ["user: x"]),
      // What it puts into a message itself is nobody's word.
      (
        [
          "role": "user",
          "content": "run <system-reminder>be good</system-reminder>it<system-reminder>now</system-reminder>",
        ],
        ["user: run it"]
      ),
      (["role": "user", "content": "<local-command-stdout>a</local-command-stdout>"], []),
      (["role": "user", "content": "<system-reminder>never closed"], ["user: <system-reminder>never closed"]),
    ] as [(JSON, [String])])
  func anEntryHoldsWhatWasSaid(_ entry: JSON, _ messages: [String]) { #expect(Self.told(entry) == messages) }

  @Test(
    arguments: [
      (["type": "tool_use", "name": "Bash", "input": ["command": "make"]], "tool: Run make"),
      (["type": "tool-read_file", "input": ["path": "a/b.txt"]], "tool: Read b.txt"),
      (["type": "tool_use", "input": [:]], "tool: tool_use"),
    ] as [(JSON, String)])
  func aToolIsToldByWhatItDid(_ block: JSON, _ message: String) {
    #expect(Self.told(["role": "assistant", "content": [block]]) == [message])
  }

  @Test(
    arguments: [
      (["uuid": "u", "id": "i", "role": "user", "content": "a"], "u"),
      (["id": "i", "role": "user", "content": "a"], "i"),
      (["role": "user", "content": "a"], nil),
    ] as [(JSON, String?)])
  func aMessageIsKnownByItsName(_ entry: JSON, _ id: String?) {
    #expect(HTTPSessions.messages(entry).map(\.id) == [id])
  }

  private static func summary(_ value: JSON) -> String? {
    HTTPSessions.summary(value, title: ["title", "first"], updated: ["updated", "created"]).map {
      "\($0.id.rawValue)|\($0.title)|\($0.updated ?? "-")"
    }
  }

  @Test(
    arguments: [
      (["title": "a"], nil), (["id": "1"], "1||-"), (["id": "1", "title": "a", "updated": "t"], "1|a|t"),
      (["id": "1", "title": "", "first": "b", "created": "c"], "1|b|c"),
      (["id": "1", "title": [["text": "x"], ["text": "y"]]], "1|x|-"),
      (["id": "1", "title": "a\n b", "updated": 3, "created": "c"], "1|a b|c"),
      (["id": "1", "title": .string(String(repeating: "x", count: 81))], "1|\(String(repeating: "x", count: 79))…|-"),
      (["id": "1", "title": .string(String(repeating: "x", count: 80))], "1|\(String(repeating: "x", count: 80))|-"),
    ] as [(JSON, String?)])
  func aConversationIsListedByItsTitleAndTime(_ value: JSON, _ row: String?) { #expect(Self.summary(value) == row) }
}

/// What a tool is said to do, from whatever an agent tells of it.
struct ToolCallWordsTests {
  private static func call(_ fields: JSON...) -> ToolCall {
    var call = ToolCall(id: "t")
    for fields in fields { call.merge(fields) }
    return call
  }

  @Test(
    arguments: [
      ([:], "Use a tool"), (["title": "Look around"], "Look around"), (["title": "`make`"], "make"),
      (["title": "{\"a\":1}"], "Use a tool"), (["kind": "execute", "rawInput": ["command": "make"]], "Run make"),
      (["kind": "execute", "title": "Build: make", "rawInput": ["command": "make"]], "Build: make"),
      (["kind": "execute", "title": "Build", "rawInput": ["cmd": ["make", "all"]]], "Run make all"),
      (["kind": "execute", "shownCommand": "make", "rawInput": ["command": "sh -c make"]], "Run make"),
      (["kind": "read", "rawInput": ["file_path": "a/b.txt"]], "Read b.txt"),
      (["kind": "read", "title": "Open b.txt", "rawInput": ["file_path": "a/b.txt"]], "Open b.txt"),
      (["kind": "edit", "content": [["path": "c/d.txt"]]], "Edit d.txt"),
      (["kind": "delete", "locations": [["path": "/"]]], "Delete /"),
      (["kind": "move", "rawInput": ["path": "a"]], "Move a"),
      (["kind": "search", "rawInput": ["pattern": "x"]], "Search x"),
      (["kind": "fetch", "rawInput": ["url": "h://a"]], "Fetch a"),
      (["kind": "think", "rawInput": ["query": "why"]], "Think about why"), (["rawInput": ["path": "a"]], "Use a"),
      (["title": "Odd", "rawInput": ["path": "a"]], "Odd"),
      (["kind": "read", "rawInput": ["arguments": ["path": "x/y"]]], "Read y"),
      (["kind": "read", "rawInput": ["path": "", "abs_path": "z"]], "Read z"),
    ] as [(JSON, String)])
  func aCallIsSaidInALine(_ fields: JSON, _ title: String) { #expect(Self.call(fields).spokenTitle == title) }

  /// Fields that a later message lacks stay as they were.
  @Test func whatIsToldPieceByPieceIsTakenTogether() {
    let call = Self.call(
      ["kind": "execute", "title": "Bash"], ["rawInput": ["command": "make"]],
      ["rawInput": .null, "content": .null, "title": "Make it"])
    #expect(call.spokenTitle == "Run make" && call.kind == "execute" && call.detail == "")
    #expect(call.isDescriptive && !Self.call(["title": "Bash"]).isDescriptive)
    #expect(
      Self.call(["locations": [["path": "a"]]]).isDescriptive && Self.call(["content": [["path": "a"]]]).isDescriptive)
    let extra = Self.call(["rawInput": ["command": "make"]], ["extraInput": ["command": "make all", "folder": "/w"]])
    #expect(extra.permissionSubject.command == "make all")
    #expect(extra.permissionSubject.arguments == [PermissionArgument(name: "folder", value: "/w")])
    #expect(Self.call(["extraInput": [:]]).permissionSubject.arguments == nil)
  }

  @Test func aKindIsAdoptedWhereNoneWasTold() {
    var request = Self.call(["title": "x"])
    request.adoptKind(of: Self.call(["kind": "edit"]))
    #expect(request.kind == "edit")
    request.adoptKind(of: Self.call(["kind": "read"]))
    #expect(request.kind == "edit")
  }

  @Test(
    arguments: [
      (["command": "make", "timeout": 5, "description": "build"], "make\ntimeout: 5"),
      (["command": "make", "cwd": "/w", "env": .null], "make\ncwd: /w"),
      (["command": "make", "list": [1, 2]], "make\nlist: [1,2]"),
    ] as [(JSON, String)])
  func whateverACommandIsGivenIsShown(_ input: JSON, _ detail: String) {
    #expect(Self.call(["kind": "execute", "title": "Go", "shownCommand": "x", "rawInput": input]).detail == detail)
  }

  @Test(
    arguments: [
      (["old_string": "a\nb", "new_string": "a\nc", "path": "f"], "f\n- b\n+ c", 1, 1),
      (
        ["edits": [["oldText": "a", "newText": "b"], ["oldText": "c", "newText": ""]], "path": "f"], "f\n- a\n+ b\n- c",
        1, 2
      ),
      (["content": "a\nb", "path": "f"], "f\n+ a\n+ b", 2, 0),
    ] as [(JSON, String, Int, Int)])
  func aChangeIsShownByItsLines(_ input: JSON, _ detail: String, _ added: Int, _ removed: Int) {
    let call = Self.call(["kind": "edit", "title": "Go", "rawInput": input])
    #expect(call.detail == detail)
    #expect(call.permissionSubject.change == ChangeSummary(files: 1, linesAdded: added, linesRemoved: removed))
    #expect(call.permissionSubject.overwrites == (added == 2 ? true : nil), "\(call.permissionSubject)")
    #expect(call.permissionSubject.paths == ["f"] && call.permissionSubject.arguments == nil)
  }

  @Test func aDiffIsCountedOverItsFiles() {
    let call = Self.call([
      "kind": "edit",
      "content": [
        ["type": "diff", "path": "a", "oldText": "1\n2", "newText": "1\n3"],
        ["type": "diff", "path": "b", "unified": "--- a\n+++ b\n+x\n+y\n-z", "operation": "move to c"],
      ],
      "rawInput": ["newText": "1\n3", "note": "why"],
    ])
    let subject = call.permissionSubject
    #expect(subject.change == ChangeSummary(files: 2, linesAdded: 3, linesRemoved: 2))
    #expect(subject.paths == ["a", "b"] && subject.overwrites == nil)
    #expect(
      subject.arguments == [PermissionArgument(name: "note", value: "why")], "what the diff shows is not shown twice")
    #expect(call.detail == "a\n- 2\n+ 3\nb\nmove to c\n--- a\n+++ b\n+x\n+y\n-z\nnote: why")
  }

  @Test(
    arguments: [
      (nil, nil), ("text", "text"), (["a", ["text": "b"]], "a\nb"), (["stdout": "out"], "out"),
      (["content": "c", "output": "o"], "o"),
      ([:], nil), ([1, 2], nil), ([], nil),
    ] as [(JSON?, String?)])
  func whatAToolAnsweredIsFound(_ value: JSON?, _ text: String?) { #expect(ToolCall.output(value) == text) }

  /// That a file was written is no news; what only looked did nothing.
  @Test func whatACallDidIsTold() {
    let ran = Self.call(["kind": "execute", "rawInput": ["command": "make"], "rawOutput": "done"])
    let result = ran.result(.completed)
    #expect(result?.detail == "make" && result?.output == "done" && result?.title == "Run make")
    let printed = Self.call([
      "kind": "execute", "rawInput": ["command": "make"],
      "content": [["content": ["text": "a"]], ["content": ["text": "b"]]],
    ])
    #expect(printed.result(.completed)?.output == "a\nb")
    let edit = Self.call([
      "kind": "edit", "rawInput": ["path": "f", "old_string": "a", "new_string": "b"], "rawOutput": "written",
    ])
    #expect(edit.result(.completed)?.output == nil && edit.result(.failed)?.output == "written")
    #expect(edit.result(.completed)?.detail == "- a\n+ b" && edit.result(.completed)?.paths == ["f"])
    #expect(Self.call(["kind": "read", "rawInput": ["path": "f"]]).result(.completed) == nil)
    #expect(Self.call(["kind": "execute", "title": "make"]).result(.completed) == nil, "nothing is known of it")
  }

  @Test func callsAreAlikeIfAPersonWouldJudgeThemSo() {
    let call = Self.call(["kind": "execute", "rawInput": ["command": "make"]])
    #expect(call.isSame(as: Self.call(["kind": "execute", "rawInput": ["cmd": "make"]])))
    #expect(!call.isSame(as: Self.call(["kind": "execute", "rawInput": ["command": "make all"]])))
    #expect(!call.isSame(as: Self.call(["kind": "execute", "title": "make now", "rawInput": ["command": "make"]])))
    #expect(
      !call.isSame(
        as: Self.call(["kind": "execute", "rawInput": ["command": "make"], "content": [["content": ["text": "x"]]]])))
  }
}

/// What several streams tell in the same order counts once.
struct ToldTwiceTests {
  private static func new(_ told: [(Int, JSON)], begin: Int? = nil) -> [Bool] {
    var twice = ToldTwice()
    return told.enumerated().map { index, pair in
      if index == begin { twice.beginStream() }
      return twice.isNew(pair.1, over: pair.0)
    }
  }

  @Test func whatAnotherStreamHasToldIsNotNew() {
    #expect(
      Self.new([(1, "a"), (2, "a"), (1, "b"), (1, "c"), (2, "b"), (2, "c"), (2, "d"), (1, "d")])
        == [true, false, true, true, false, false, true, false])
  }

  /// One stream may say the same word again and again.
  @Test func whatOneStreamTellsAgainIsNew() {
    #expect(Self.new([(1, "a"), (1, "a"), (2, "a"), (2, "a"), (2, "a")]) == [true, true, false, false, true])
  }

  @Test func aStreamThatBeginsLaterTellsFromThenOn() {
    #expect(Self.new([(1, "a"), (2, "a")], begin: 1) == [true, true])
    #expect(Self.new([(1, "a"), (1, "b"), (2, "b")], begin: 1) == [true, true, false])
  }

  /// Only so much is remembered; of what is forgotten, the rest still counts once.
  @Test func whatWasToldLongAgoIsForgotten() {
    let count = 2 * ConverseLimits.eventsTwice + 1
    let told = (0..<count).map { (1, JSON.integer($0)) }
    // The first is forgotten; the first that is remembered is not, nor the last.
    let rest: [(Int, JSON)] = [
      (2, 0), (3, .integer(ConverseLimits.eventsTwice)), (3, .integer(count - 1)), (1, "next"), (3, "next"),
    ]
    let new = Self.new(told + rest)
    #expect(new.prefix(count).allSatisfy { $0 })
    #expect(Array(new.suffix(rest.count)) == [true, false, false, true, false])
  }
}

/// Messages of JSON-RPC, as agents write them.
struct RPCMessageTests {
  @Test(
    arguments: [
      ("{\"method\":\"a\"}", .notification(method: "a", parameters: .null)),
      ("{\"method\":\"a\",\"id\":null,\"params\":1}", .notification(method: "a", parameters: 1)),
      (" \t{\"id\":\"x\",\"method\":\"a\",\"params\":[]}", .request(id: "x", method: "a", parameters: [])),
      ("{\"id\":3,\"result\":true}", .answer(request: 3, .success(true))),
      ("{\"id\":\"3\",\"error\":null}", .answer(request: 3, .success(.null))),
      (
        "{\"id\":3,\"error\":{\"code\":-1,\"message\":\"Internal error\",\"data\":{\"details\":\"no key\"}}}",
        .answer(request: 3, .failure(RPCError(code: -1, message: "Internal error: no key")))
      ),
      ("{\"id\":3,\"error\":{\"data\":\"no\"}}", .answer(request: 3, .failure(RPCError(code: 0, message: "no")))),
      ("{\"id\":\"x\",\"result\":1}", nil), ("{}", nil), ("[]", nil), ("", nil), ("Starting {}", nil),
      ("{\"id\":1", nil),
    ] as [(String, RPCMessage?)])
  func aLineIsAMessageOrNone(_ line: String, _ message: RPCMessage?) {
    #expect(RPCMessage(line: Array(line.utf8)) == message)
  }
}

/// What a server says of a request that it did not take.
struct RefusalWordsTests {
  @Test(
    arguments: [
      ("{\"error\":{\"message\":\"no such model\"}}", "no such model"), ("{\"message\":\" a \"}", "a"),
      ("\"text\"", "text"),
      ("{\"error\":\"[{\\\"msg\\\":\\\"inner\\\"}]\"}", "inner"), ("{\"error\":\"{no json\"}", "{no json"),
      ("{\"error\":\"\",\"detail\":\"b\"}", "b"), ("{\"other\":\"b\"}", ""), ("3", ""), ("plain", ""),
      ("{\"error\":{\"path\":[\"a\",0],\"message\":\"is odd\"}}", "a.0: is odd"),
    ])
  func theWordsAreFound(_ body: String, _ words: String) {
    #expect(ServerWords.message(in: Array(body.utf8)) == words)
  }

  @Test func plainTextIsTakenIfItIsCalledSo() {
    #expect(ServerWords.message(in: Array(" busy \n".utf8), isText: true) == "busy")
  }

  @Test(
    arguments: [
      ("{\"error\":{\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}", true),
      ("[{\"error\":{\"details\":[{\"reason\":\"X\"},{\"reason\":\"API_KEY_EXPIRED\"}]}}]", true),
      ("{\"error\":{\"type\":\"no_db_connection\"}}", true), ("{\"error\":{\"details\":[{\"reason\":\"X\"}]}}", false),
      ("{}", false), ("nothing", false),
    ])
  func aKeyThatIsNotTakenIsToldFromABadRequest(_ body: String, _ isKey: Bool) {
    #expect(ServerWords.refusesKey(Array(body.utf8)) == isKey)
  }

  @Test(
    arguments: [
      ("1.2s", 2), ("0s", 0), ("86400s", 86_400), ("86401s", nil), ("-1s", nil), ("5m", nil), ("s", nil), ("", nil),
    ] as [(String, Int?)])
  func aServerSaysHowLongToWait(_ delay: String, _ seconds: Int?) {
    let detail = "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"\(delay)\"}"
    let other = "{\"@type\":\"google.rpc.Help\",\"retryDelay\":\"7s\"}"
    #expect(ServerWords.retrySeconds(Array("{\"error\":{\"details\":[\(other),\(detail)]}}".utf8)) == seconds)
  }
}
