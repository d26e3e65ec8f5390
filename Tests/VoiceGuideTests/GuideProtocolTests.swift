import Testing
import VoiceJSON
import VoiceSystem

@testable import VoiceGuide

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The guide as a client of the protocol meets it.
@Suite(.timeLimit(.minutes(5)))
struct GuideProtocolTests {
  @Test func initializeTellsTheVersionAndTheName() async throws {
    let code = try await GuideHarness.run { guide in
      let answer = try await guide.answer(to: guide.request("initialize", #"{"protocolVersion":1}"#))
      #expect(answer["result"]?["protocolVersion"] == 1)
      #expect(answer["result"]?["agentInfo"]?["version"] == "1.2.3")
      #expect(answer["result"]?["agentCapabilities"]?["promptCapabilities"]?["audio"] == false)
    }
    #expect(code == 0)
  }

  @Test(arguments: [
    ("{not json", -32700), ("[1,2]", -32600), (#"{"jsonrpc":"2.0","id":7}"#, -32600),
    (#"{"jsonrpc":"2.0","id":7,"method":"session/dance","params":{}}"#, -32601),
    (#"{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/does/not/exist","mcpServers":[]}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"relative","mcpServers":[]}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":7,"method":"session/new","params":{}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"x","prompt":[]}}"#, -32602),
  ])
  func aBadMessageIsRefusedAndTheNextOneIsServed(_ line: String, _ code: Int) async throws {
    _ = try await GuideHarness.run { guide in
      guide.send(line)
      let refusal = try await guide.next()
      #expect(refusal["error"]?["code"] == .integer(code))
      #expect(refusal["id"] == (code == -32700 || line.hasPrefix("[") ? .null : 7))
      #expect(try await guide.answer(to: guide.request("initialize", "{}"))["result"]?["protocolVersion"] == 1)
    }
  }

  @Test func aRemarkOfTheClientIsNoWordOfTheUser() async throws {
    let folder = try Scratch()
    _ = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      let remark = "\\n\\n(The user interrupted your last answer. What was heard of it ended with: “list the files”.)"
      let id = guide.request(
        "session/prompt",
        #"{"sessionId":"\#(session)","prompt":[{"type":"text","text":"thank you"},"#
          + #"{"type":"text","text":"\#(remark)","annotations":{"audience":["assistant"]}}]}"#)
      let turn = try await guide.follow(id)
      #expect(turn.said == "You are welcome. ")
    }
  }

  @Test func aMessageThatIsTooLongIsRefused() async throws {
    _ = try await GuideHarness.run { guide in
      guide.send(String(repeating: "a", count: GuideLimits.messageBytes + 1))
      let refusal = try await guide.next()
      #expect(refusal["id"] == .null && refusal["error"]?["code"] == -32700)
      let id = guide.request("initialize", "{}")
      #expect(try await guide.next()["id"] == .integer(id))
    }
  }

  @Test func anIdentifierComesBackAsItWasSent() async throws {
    _ = try await GuideHarness.run { guide in
      guide.send(#"{"jsonrpc":"2.0","id":"zero","method":"initialize","params":{}}"#)
      let word = try await guide.next()
      #expect(word["id"] == "zero")
      guide.send(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#)
      let zero = try await guide.next()
      #expect(zero["id"] == 0)
    }
  }

  @Test func unknownNotificationsAndLateAnswersAreIgnored() async throws {
    _ = try await GuideHarness.run { guide in
      guide.send(#"{"jsonrpc":"2.0","method":"_vendor/thing","params":{}}"#)
      guide.send(#"{"jsonrpc":"2.0","id":99,"result":{"outcome":{"outcome":"cancelled"}}}"#)
      guide.send("   ")
      let id = guide.request("initialize", "{}")
      let answer = try await guide.next()
      #expect(answer["id"] == .integer(id))
    }
  }

  @Test func theOnlyModeIsAsk() async throws {
    let folder = try Scratch()
    _ = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      let good = guide.request("session/set_mode", #"{"sessionId":"\#(session)","modeId":"ask"}"#)
      #expect(try await guide.answer(to: good)["error"] == nil)
      let bad = guide.request("session/set_mode", #"{"sessionId":"\#(session)","modeId":"yolo"}"#)
      #expect(try await guide.answer(to: bad)["error"]?["code"] == -32602)
    }
  }

  @Test func sessionsKeepToTheirOwnFolders() async throws {
    let (first, second) = (try Scratch(), try Scratch())
    try first.write("apple.txt", "a")
    try second.write("pear.txt", "p")
    _ = try await GuideHarness.run { guide in
      let one = try await guide.openSession(first)
      let two = try await guide.openSession(second)
      #expect(one != two)
      #expect(try await guide.say("list the files", in: two).said.contains("pear.txt"))
      #expect(try await guide.say("list the files", in: one).said.contains("apple.txt"))
    }
  }

  @Test func aSecondPromptAtOnceIsRefusedAndTheFirstGoesOn() async throws {
    let folder = try hangingTests()
    _ = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      let first = guide.startPrompt("run the tests", in: session)
      let second = guide.startPrompt("hello", in: session)
      #expect(try await guide.answer(to: second)["error"]?["code"] == -32600)
      guide.cancel(session)
      #expect(try await guide.answer(to: first)["result"]?["stopReason"] == "cancelled")
      #expect(try await guide.say("hello", in: session).stopReason == "end_turn")
    }
  }

  // Cancelling.

  /// A test script that hangs with a child of its own. It does not heed SIGTERM; both hold the pipe "alive" open.
  private func hangingTests() throws -> Scratch {
    let folder = try Scratch()
    try folder.write(
      "script/test",
      """
      #!/bin/sh
      trap '' TERM
      touch ran
      exec 9>alive
      tail -f /dev/null &
      echo ready >&9
      wait
      """, executable: true)
    folder.makePipe("alive")
    return folder
  }

  @Test func cancellingKillsTheWholeProcessGroupOfTheTests() async throws {
    let folder = try hangingTests()
    _ = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      let id = guide.startPrompt("run the tests", in: session)
      async let opened = folder.openPipe("alive")
      try await allow(guide)
      var alive = MessageLines.lines(from: await opened).makeAsyncIterator()
      let ready = await alive.next()
      #expect(ready == .line(Array("ready".utf8)))
      guide.cancel(session)
      let turn = try await guide.follow(id)
      #expect(turn.stopReason == "cancelled")
      #expect(turn.said == "I run script/test. ")
      #expect(turn.updates("tool_call_update").last?["status"] == "failed")
      let end = await alive.next()
      #expect(end == nil)
    }
  }

  @Test func theEndOfTheInputStopsWhatRuns() async throws {
    let folder = try hangingTests()
    var alive: AsyncStream<LineSplitter.Piece>?
    let code = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      guide.startPrompt("run the tests", in: session)
      async let opened = folder.openPipe("alive")
      try await allow(guide)
      alive = MessageLines.lines(from: await opened)
      var lines = alive?.makeAsyncIterator()
      let ready = await lines?.next()
      #expect(ready == .line(Array("ready".utf8)))
    }
    #expect(code == 0)
    var lines = alive?.makeAsyncIterator()
    let end = await lines?.next()
    #expect(end == nil)
  }

  @Test func cancellingWhileAskingRunsNothing() async throws {
    let folder = try hangingTests()
    _ = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      let id = guide.startPrompt("run the tests", in: session)
      let request = try await permissionRequest(guide)
      guide.cancel(session)
      #expect(try await guide.answer(to: id)["result"]?["stopReason"] == "cancelled")
      // The answer comes too late, and changes nothing.
      guide.send(#"{"jsonrpc":"2.0","id":\#(request),"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}"#)
      #expect(try await guide.say("hello", in: session).stopReason == "end_turn")
    }
    #expect(!folder.exists("ran"))
  }

  /// Wait for the request for permission, and allow it once.
  private func allow(_ guide: GuideHarness) async throws {
    let request = try await permissionRequest(guide)
    guide.send(#"{"jsonrpc":"2.0","id":\#(request),"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}"#)
  }

  private func permissionRequest(_ guide: GuideHarness) async throws -> Int {
    while true {
      let message = try await guide.next()
      if message["method"] == "session/request_permission", case .integer(let id) = message["id"] { return id }
    }
  }
}
