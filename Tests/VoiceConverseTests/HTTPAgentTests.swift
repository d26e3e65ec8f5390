import Testing
import VoiceConverse
import VoiceJSON
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What every agent behind HTTP must do, against servers of their own: real processes, real sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HTTPAgentTests {
  @Test(arguments: HTTPKind.allCases)
  func anAnswerStreamsAndTheConversationGoesOn(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.openAgent()
        let description = try #require(await journal.ready())
        #expect(description.name.isEmpty == false)
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "You said: hello.")
        let reports = journal.reports(of: 1)
        #expect(reports.filter { $0 == .turnStarted }.count == 1)
        #expect(
          reports.firstIndex(of: .turnStarted)! < reports.firstIndex { if case .text = $0 { true } else { false } }!)
        if !HTTPKind.withoutUsage.contains(kind) {
          #expect(reports.contains { if case .usage = $0 { true } else { false } })
        }
        #expect(reports.last == .turnEnded(end: .completed))
        agent.startRun(2, Instruction("and now"))
        #expect(await journal.end(of: 2) == .completed)
        #expect(journal.text(of: 2) == "You said: and now.")
        #expect(server.count(of: "and now") == 1)
      }
    }
  }

  /// What a server quotes of the token is an answer to nobody: it would be shown, spoken and kept.
  @Test(arguments: HTTPKind.allCases, ["", "spell "])
  func anAnswerThatQuotesTheTokenIsReadWithoutIt(_ kind: HTTPKind, _ command: String) async throws {
    let token = "tok/AAAAbbbbCCCCdddd1111"
    setenv("PARLEY_TEST_QUOTED_TOKEN", token, 1)
    let sent = Locked("")
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) {
        $0.server.credential = HTTPCredential(.variable("PARLEY_TEST_QUOTED_TOKEN"))
        $0.traffic = WireTap("agent") { _, frame in
          if case .sent(let bytes) = frame { sent.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
        }
      } _: { agent, journal in
        agent.startRun(1, Instruction(command + token))
        #expect(await journal.end(of: 1) == .completed)
        // The first letters of one that comes in pieces.
        let told = kind.spells && !command.isEmpty ? "tok/A(the token)." : command + "(the token)."
        #expect(journal.text(of: 1) == "You said: " + told)
        #expect(!"\(journal.reports(of: 1))".contains("AAAAbbbb"))
      }
      #expect(!server.kept.contains("AAAAbbbb"), "\(server.kept)")
      #expect(sent.withLock { $0.contains("(the token)") && !$0.contains("AAAAbbbb") })
    }
  }

  @Test func theSecondInstructionCarriesTheConversation() async throws {
    try await HTTPTestServer.run { server in
      for kind in HTTPKind.allCases {
        try await kind.withAgent(server) { agent, journal in
          agent.startRun(1, Instruction("hello"))
          #expect(await journal.end(of: 1) == .completed)
          agent.startRun(2, Instruction("and now"))
          #expect(await journal.end(of: 2) == .completed)
        }
        let last = try #require(server.seen.last { ["POST", "SOCKET"].contains($0.method) })
        switch kind {
        case .duckTalk: #expect(last.body["session_id"] == "s-None")
        case .mobile: #expect(last.path == "/api/v1/conversations/c%2F1/messages")
        case .pageSpace:
          #expect(last.body["conversationId"] == "cnew1" && last.body["chatId"] == "page-1")
          #expect(last.body["messages"]?.elements.map { $0["role"] } == ["user", "assistant", "user"])
        case .uiMessages:
          #expect(last.body["id"] == "new-1")
          #expect(last.body["messages"]?.elements.map { $0["role"] } == ["user", "assistant", "user"])
        case .better:
          let contents = last.body["contents"]?.elements ?? []
          #expect(contents.map { $0["role"] } == ["user", "model", "user"])
          #expect(contents[1]["parts"] == [["text": "You said: hello."]])
          #expect(last.body["generationConfig"]?["thinkingConfig"]?["includeThoughts"] == true)
        case .chat:
          #expect(last.body["model"] == "small-model")
          let messages = last.body["messages"]?.elements ?? []
          #expect(messages.map { $0["role"] } == ["system", "user", "assistant", "user"])
          #expect(messages[2]["content"] == "You said: hello.")
        case .claudia:
          // It knows nothing of the first.
          #expect(last.path == "/claudia/api/claude/execute")
          #expect(last.body == ["projectPath": "/home/dev/project", "prompt": "and now", "model": "sonnet"])
        case .opcode:
          #expect(last.body["model"] == "sonnet")
          #expect(last.body["command_type"] == "resume" && last.body["session_id"] == "claude-1")
          #expect(last.body["project_path"] == "/home/dev/project")
        case .agentToAgent, .oldAgentToAgent:
          let message = last.body["params"]?["message"]
          #expect(message?["contextId"] == "context-1" && message?["taskId"] == nil)
          #expect(message?["messageId"] == "new-1-2")
        }
      }
    }
  }

  @Test(arguments: HTTPKind.withTools)
  func toolsAreDescribedAndOpenOnesEndAsUnknown(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("tools"))
        #expect(await journal.end(of: 1) == .completed)
        let reports = journal.reports(of: 1)
        let tools = reports.compactMap { if case .toolStarted(let tool) = $0 { tool } else { nil } }
        #expect(tools.map(\.title) == ["Read b.md", "Run ls -l", "Search *.md"])
        #expect(tools.map(\.kind) == ["read", "execute", "search"])
        #expect(Set(tools.map(\.id)).count == 3)
        let outcomes = reports.compactMap {
          if case .toolFinished(let id, let outcome) = $0 { (id, outcome) } else { nil }
        }
        #expect(outcomes.map(\.0) == tools.map(\.id))
        #expect(outcomes.map(\.1) == [.completed, .failed, .unknown])
        // What was said before the tool is whole.
        #expect(reports.firstIndex(of: .paragraphEnded) == reports.firstIndex(of: .text(delta: "I look."))! + 1)
      }
    }
  }

  @Test(arguments: [HTTPKind.better, .chat])
  func theCallsOfABareModelAreToldToo(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("tools"))
        #expect(await journal.end(of: 1) == .completed)
        let tools = journal.reports(of: 1).compactMap {
          if case .toolStarted(let tool) = $0 { tool.title } else { nil }
        }
        #expect(tools == ["Read b.md", "Run ls -l", "Search *.md"])
      }
    }
  }

  @Test(arguments: [HTTPKind.mobile, .pageSpace, .uiMessages, .better, .chat])
  func thoughtsAreNoText(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("think"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "Yes.")
        #expect(journal.reports(of: 1).contains(.thought(delta: "Hm.")))
      }
    }
  }

  @Test(arguments: HTTPKind.streams)
  func aStreamInCrumbsIsReadWhole(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("crumbs"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "Grüße 🦆")
      }
    }
  }

  @Test func anEventOfManyMebibytesIsTaken() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.chat.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("huge"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1).utf8.count == 4 << 20)
      }
    }
  }

  @Test(arguments: HTTPKind.allCases)
  func whatComesBehindTheEndIsIgnored(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("late"))
        #expect(await journal.end(of: 1) == .completed)
        agent.startRun(2, Instruction("hello"))
        #expect(await journal.end(of: 2) == .completed)
        #expect(!journal.text(of: 1).contains("Too late"))
        #expect(journal.reports(of: 1).last == .turnEnded(end: .completed))
        #expect(journal.reports(of: 1).filter { if case .turnEnded = $0 { true } else { false } }.count == 1)
      }
    }
  }

  // Stopping.

  @Test(arguments: HTTPKind.allCases)
  func aHaltMidTextReachesTheServerAsItCan(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.openAgent()
        let canStop = try #require(await journal.ready()).capabilities.contains(.cancel)
        #expect(canStop == HTTPKind.confirming.contains(kind))
        agent.startRun(1, Instruction("stall"))
        #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Half.")) })
        agent.cancelRun(1)
        agent.cancelRun(1)
        if HTTPKind.watched.contains(kind) {
          #expect(await journal.status(of: 1)?.contains("cannot be told to stop") == true)
          agent.abandonRun(1)
        }
        let end = await journal.end(of: 1)
        if canStop { #expect(end == .cancelled) } else { #expect(end?.mayGoOn == true) }
        switch kind {
        case .mobile: #expect(server.seen.last?.path == "/api/v1/conversations/c%2F1/cancel")
        case .pageSpace: #expect(server.seen.last?.path == "/api/ai/abort")
        case .claudia: #expect(server.seen.last?.path == "/claudia/api/claude/cancel")
        case .agentToAgent: #expect(server.seen.last?.body["method"] == "CancelTask")
        case .oldAgentToAgent: #expect(server.seen.last?.body["method"] == "tasks/cancel")
        default:
          agent.startRun(2, Instruction("left"))
          #expect(await journal.end(of: 2) == .completed)
          #expect(journal.text(of: 2) == "left")
        }
      }
    }
  }

  // Faults.

  @Test(arguments: HTTPKind.streams)
  func eachFaultIsOneSentenceAndTheInstructionIsSentOnce(_ kind: HTTPKind) async throws {
    let faults: [(word: String, words: String, isConfirmed: Bool)] = [
      (
        "401", "did not accept us (401). It wants a \(kind == .better ? "key: name its" : "token; name its") variable",
        true
      ),
      ("403", "does not allow this (403)", true), ("404", "does not know the call (404)", true),
      ("429", "has too much to do (429). Wait 7 seconds", true), ("500", "reported an internal error (500)", false),
      ("503", "is not available now (503)", true),
      ("redirect", "redirects to elsewhere.example (302); that is not followed", true),
      ("broken", "reported: the agent fell over", true), ("page", "has another form than a stream (text/html)", false),
      ("cut", "closed the connection before its answer was complete", false),
      ("half", "closed the connection before its answer was complete", false), ("reset", "broke", false),
      ("hangup", "broke", false),
    ]
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        for (index, fault) in faults.enumerated() {
          let run = RunID(rawValue: index + 1)
          agent.startRun(run, Instruction(fault.word))
          let end = await journal.end(of: run)
          switch end {
          case .failed(let reason)?:
            #expect(fault.isConfirmed && reason.contains(fault.words), "\(fault.word): \(reason)")
          case .unconfirmed(let reason, _)?:
            #expect(!fault.isConfirmed && reason.contains(fault.words), "\(fault.word): \(reason)")
            #expect(reason.contains("check before you repeat"))
          default: Issue.record("\(fault.word) ended as \(String(describing: end))")
          }
          #expect(server.count(of: fault.word) == 1, "\(fault.word) was sent more than once")
          #expect(end?.words.contains("secret=1") == false)
        }
        agent.startRun(100, Instruction("hello"))
        #expect(await journal.end(of: 100) == .completed)
        // A failed run leaves the conversation where it was.
        let last = String(decoding: server.seen.last?.body.bytes ?? [], as: UTF8.self)
        #expect(!last.contains("fell over") && !last.contains("Half.") && !last.contains("hangup"))
      }
    }
  }

  @Test(arguments: [("broken", "reported: the agent fell over"), ("died", "reported: exit code 1")])
  func whatOpcodeReportsAsFailedHasFailed(_ word: String, _ words: String) async throws {
    try await HTTPTestServer.run { server in
      for prefix in ["", "seed "] where prefix.isEmpty || word == "died" {
        try await HTTPKind.opcode.withAgent(server) { agent, journal in
          agent.startRun(1, Instruction(prefix + word))
          guard case .failed(let reason) = await journal.end(of: 1) else {
            Issue.record("the run did not fail")
            return
          }
          #expect(reason.contains(words))
        }
      }
    }
  }

  @Test func opcodeIsUnderstoodByBothSetsOfNames() async throws {
    try await HTTPTestServer.run { server in
      for words in ["tools", "seed tools"] {
        try await HTTPKind.opcode.withAgent(server) { agent, journal in
          agent.startRun(1, Instruction(words))
          #expect(await journal.end(of: 1) == .completed)
          #expect(journal.text(of: 1) == "You said: tools.")
          #expect(
            journal.reports(of: 1).contains(.toolStarted(tool: AgentTool(id: "t1", title: "Read b.md", kind: "read"))))
          #expect(journal.reports(of: 1).contains(.toolFinished(id: "t1", outcome: .completed)))
          #expect(journal.reports(of: 1).contains(.sessionReady(session: AgentSessionID(rawValue: "claude-1"))))
        }
      }
    }
  }

  @Test func aSocketThatIsCutLeavesTheInstructionUnconfirmed() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.opcode.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("cut"))
        guard case .unconfirmed(let reason, _) = await journal.end(of: 1) else {
          Issue.record("the run is not unconfirmed")
          return
        }
        #expect(reason.contains("opcode at"))
        #expect(server.count(of: "cut") == 1)
      }
    }
  }

  @Test(arguments: ["stall", "mid"], [HTTPKind.duckTalk, .chat, .uiMessages])
  func aSilentServerIsLeftAfterTheSilenceTime(_ word: String, _ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server, { $0.server.silenceMilliseconds = 150 }) { agent, journal in
        agent.startRun(1, Instruction(word))
        guard case .unconfirmed(let reason, _) = await journal.end(of: 1) else {
          Issue.record("the run is not unconfirmed")
          return
        }
        #expect(reason.contains("fell silent (no byte for 150 ms)"))
        #expect(journal.text(of: 1) == "Half.")
      }
    }
  }

  @Test(arguments: HTTPKind.allCases)
  func nobodyListeningIsUnavailableWithWhatToDo(_ kind: HTTPKind) async throws {
    let journal = Journal()
    let agent = try kind.specification("http://127.0.0.1:1").makeAgent(
      in: AgentEnvironment(workingFolder: "/", executablePath: "/bin/false"), post: journal.post)
    func check(_ agent: some ConverseAgent) async throws {
      try await withAgent(agent) {
        agent.openAgent()
        #expect(await journal.unavailable()?.contains("Nobody answers at http://127.0.0.1:1") == true)
        agent.startRun(1, Instruction("hello"))
        switch await journal.end(of: 1) {
        case .failed, .unconfirmed: break
        case let end: Issue.record("the run ended as \(String(describing: end))")
        }
      }
    }
    try await check(agent)
  }

  @Test(arguments: [
    ("page-space:#nobody", "knows no agent nobody"), ("better:#no-model", "does not know the model no-model"),
    ("chat:/empty", "names no model"),
  ])
  func aNameThatTheServerDoesNotKnowIsToldAtTheOpening(_ text: String, _ words: String) async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let place = text.replacing(":", with: ":" + server.base, maxReplacements: 1)
      let agent = try AgentSpecification(parsing: place).makeAgent(
        in: AgentEnvironment(workingFolder: "/", executablePath: "/bin/false"), post: journal.post)
      func check(_ agent: some ConverseAgent) async throws {
        try await withAgent(agent) {
          agent.openAgent()
          #expect(await journal.unavailable()?.contains(words) == true)
        }
      }
      try await check(agent)
    }
  }

  @Test func shuttingDownEndsTheRunAndTheThread() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.duckTalk.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("stall"))
        #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Half.")) })
        agent.shutDown()
        agent.startRun(2, Instruction("hello"))
        #expect(await journal.end(of: 1)?.mayGoOn == true)
        #expect(await journal.end(of: 2) == .failed(reason: "The session is over."))
      }
    }
  }
}

extension AgentTurnEnd {
  var words: String {
    switch self {
    case .completed, .cancelled: ""
    case .stopped(let reason), .failed(let reason), .unconfirmed(let reason, _): reason
    }
  }

  /// Whether the agent may work on, unseen.
  var mayGoOn: Bool { if case .unconfirmed(_, true) = self { true } else { false } }
}
