import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where one answer to what servers, agents and users give ends, and another begins.
struct BoundaryTests {
  /// So that a sentence is one line that somebody listens to.
  @Test(arguments: [
    ("", ""), ("four", "four"), ("fives", "fiv…"), (" a \n b ", "a b"), ("a      b", "a b"),
    (String(repeating: " ", count: 20) + "a", "…"),
  ])
  func aTextIsShortenedToAWholeLine(_ text: String, _ shown: String) { #expect(text.shortened(to: 4) == shown) }

  @Test(arguments: [(7, "bad"), (8, "")]) func anErrorIsReadToItsDepth(_ levels: Int, _ words: String) {
    let error = (0..<levels).reduce("bad" as JSON) { inner, _ in [inner] }
    #expect(ServerWords.words(error) == words)
  }

  @Test(
    arguments: [
      (["a", "b", "c"], "a; b; c"), (["a", "b", "c", "d"], "a; b; c; and 1 more"), (["a", ""], "a"),
      (["error": ["name": ["is short"], "email": ["is no address"]]], "email: is no address; name: is short"),
      (["name": ["is short"]], ""),
      (["detail": [["loc": ["body", "messages", 0], "msg": "is missing"]]], "messages.0: is missing"),
    ] as [(JSON, String)])
  func whatIsWrongIsToldUpToThree(_ error: JSON, _ words: String) { #expect(ServerWords.words(error) == words) }

  /// Whether a server that fails has the instruction, nobody knows; one that is too busy has not taken it.
  @Test(arguments: [(499, false), (500, true), (502, true), (503, false)])
  func aServerThatFailsMayHaveTheInstruction(_ status: Int, _ isUnknown: Bool) throws {
    let end = try HTTPAgentSpecification(.chat, at: "http://127.0.0.1:9#m").server(nil)
      .refused(HTTPHead(status: status), [], hasLeft: true)
    let isUnconfirmed = if case .unconfirmed = end { true } else { false }
    #expect(isUnconfirmed == isUnknown, "\(end)")
  }

  @Test(arguments: [(128, true), (129, false)]) func aConversationHasANameOfAFile(_ count: Int, _ isName: Bool) {
    let store = ConversationStore(folder: "/tmp")
    let name = AgentSessionID(rawValue: String(repeating: "a", count: count))
    do throws(AgentError) {
      #expect(try store.path(name) == "/tmp/\(name.rawValue).jsonl" && isName)
    } catch {
      #expect(!isName && error.description.contains("is no name of a conversation"))
    }
  }

  @Test(arguments: [("unix:/run/a b", true), ("unix:/run/a\u{1F}b", false), ("unix:run", false)])
  func aSocketHasAPathThatCanBeShown(_ text: String, _ isAddress: Bool) {
    #expect((HTTPAddress(text) != nil) == isAddress)
  }

  /// With the line end that an editor puts behind it.
  @Test(arguments: [(0, true), (1, false)]) func aTokenMayBeAsLongAsTheLimit(_ more: Int, _ isTaken: Bool) throws {
    let folder = try TemporaryFolder()
    let token = String(repeating: "a", count: ConverseLimits.credentialBytes - 2 + more)
    let path = folder.path + "/token"
    try Data((token + "\n").utf8).write(to: URL(filePath: path))
    chmod(path, 0o600)
    do throws(HTTPFailure) {
      #expect(try HTTPCredential(.file(path)).line().text == "Authorization: Bearer " + token && isTaken)
    } catch {
      #expect(!isTaken && error.detail.hasSuffix("is too long for a token"))
    }
  }

  /// Messages count from 1.
  @Test(arguments: [(0, false), (1, true), (2, true), (3, false)])
  func oneGoesBackToAMessageThatIsThere(_ message: Int, _ isThere: Bool) {
    var tree = MessageTree()
    tree.add(.user, [["text": "a"]])
    tree.add(.model, [["text": "b"]])
    #expect(tree.contains(message) == isThere)
    let went = tree.goBack(to: message)
    #expect(went == isThere && tree.tip == (isThere ? message : 2))
  }

  @Test func anAnswerIsMadeAgainWhereItStands() {
    var tree = MessageTree()
    let empty = tree.regenerate()
    tree.add(.user, [["text": "a"]])
    let question = tree.regenerate()
    tree.add(.model, [["text": "b"]])
    let answer = tree.regenerate()
    #expect((empty, question, answer) == (false, false, true) && tree.tip == 1)
    tree.add(.model, [["text": "c"]])
    #expect(tree.branch.map(\.id) == [1, 3] && tree.siblings(of: 3).map(\.id) == [2, 3])
  }

  /// A title that is spoken in part is shown whole.
  @Test(arguments: [(0, false), (1, true)]) func aTitleThatIsCutIsShown(_ more: Int, _ isShown: Bool) {
    let title = String(repeating: "x", count: ConverseLimits.titleCharacters + more)
    var call = ToolCall(id: "t")
    call.merge(["title": .string(title), "kind": "other"])
    #expect(call.detail == (isShown ? title : ""))
  }

  @Test(arguments: [
    ("a\nb\nc", "a\nx\nc", ["b"], ["x"]), ("a\nb", "a\nb", [], []), ("a", "a\na", [], ["a"]), ("a\na", "a", ["a"], []),
    ("", "a", [], ["a"]), ("a", "", ["a"], []), ("a\nb\na", "a", ["b", "a"], []), ("b", "a\nb", [], ["a"]),
  ])
  func onlyWhatDiffersHasChanged(_ old: String, _ new: String, _ removed: [String], _ added: [String]) {
    let lines = ChangedLines.between(old, new)
    #expect(lines.removed.map(String.init) == removed && lines.added.map(String.init) == added)
  }

  /// Whatever its line ends, its signs and its letters.
  @Test func everyLineThatChangesCounts() {
    func lines(_ end: String, _ sign: String = "") -> String {
      (0..<40).map { "\(sign)line \($0)" }.joined(separator: end)
    }
    for end in ["\n", "\r\n"] {
      let (removed, added) = ChangedLines.between(lines(end), "")
      #expect(removed.count == 40 && added.isEmpty)
      for prefix in ["--- a\(end)+++ b\(end)@@ -1,40 +0,0 @@\(end)", "@@ -1,40 +0,0 @@\(end)", ""] {
        var change = ChangeSummary(files: 1, linesAdded: 0, linesRemoved: 0)
        change.count(unified: prefix + lines(end, prefix.isEmpty ? "-" : "--- "))
        #expect(change.linesRemoved == 40 && change.linesAdded == 0, "\(prefix)")
      }
    }
    let (removed, added) = ChangedLines.between("a;\nÅ", "a\u{37E}\n\u{212B}")
    #expect(removed.count == 2 && added.count == 2)
  }

  /// Agents count over the session, or begin anew with each run.
  @Test(arguments: [(100, 30, 70), (100, 100, 0), (20, 30, 20), (0, 0, 0)])
  func aRunHasItsOwnShare(_ now: Int, _ before: Int, _ share: Int) {
    var meter = UsageMeter()
    meter.total = AgentUsage(inputTokens: before, costInDollars: 1)
    meter.startRun()
    meter.total = AgentUsage(inputTokens: now, costInDollars: 1)
    #expect(meter.ofRun.inputTokens == share && meter.ofRun.costInDollars == nil)
  }

  /// Servers refuse JSON that is not called so, and some refuse a type where there is nothing.
  @Test(arguments: [(["a": 1], true), (nil, false)] as [(JSON?, Bool)])
  func aBodyIsSentWithItsType(_ body: JSON?, _ isTyped: Bool) throws {
    let dialect = DuckTalkDialect(
      try HTTPAgentSpecification(.duckTalk, at: "http://127.0.0.1:9"),
      in: AgentEnvironment(workingFolder: "/", executablePath: ""))
    let request = dialect.request(.post, "/x", body)
    #expect(request.headers.contains("Content-Type: application/json") == isTyped && request.body.isEmpty == !isTyped)
  }

  @Test func aChoiceOfYesAndNoIsSentAsOne() {
    let elicitation = Elicitation(
      request: 1, server: "S", message: "Sure?", address: nil,
      schema: ["properties": ["ok": ["type": "boolean"]], "required": ["ok"]])
    let questions = elicitation.form { QuestionID(rawValue: "q") }.questions
    #expect(questions.map { $0.options.map(\.label) } == [["Yes", "No"]] && questions.first?.selection == .one)
    #expect(elicitation.outcome(["Yes"]) == .accepted(["ok": true]))
    #expect(elicitation.outcome(["No"]) == .accepted(["ok": false]))
  }

  @Test(arguments: [(2_000, true), (2_001, false)])
  func whatIsTooLongToBeShownWholeIsNotConsentedTo(_ count: Int, _ isShown: Bool) {
    let message = String(repeating: "x", count: count)
    let elicitation = Elicitation(request: 1, server: "S", message: message, address: nil, schema: nil)
    let question = elicitation.form { QuestionID(rawValue: "q") }.questions.first
    #expect(question?.text.contains(message) == isShown)
    #expect(question?.options.map(\.label) == (isShown ? ["Yes", "No"] : ["No"]))
    #expect(elicitation.outcome(["Yes"]) == (isShown ? .accepted([:]) : .declined))
  }
}
