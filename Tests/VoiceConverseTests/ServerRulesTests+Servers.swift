import Testing
import VoiceConverse
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

extension ServerRulesTests {
  // MARK: Claudia and opcode

  @Test(arguments: [HTTPKind.opcode, .claudia]) func whichOfTheTwoItIsIsFoundOut(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        // Also by who is not asked before.
        agent.startRun(1, Instruction("tools"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "You said: tools.")
        #expect(journal.reports(of: 1).contains(.toolFinished(id: "t1", outcome: .completed)))
        agent.openAgent()
        let description = try #require(await journal.ready())
        #expect(description.capabilities.contains(.cancel) == (kind == .claudia))
      }
    }
  }

  @Test func ofAllRunsAtClaudiasServerOnlyOursIsHeard() async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let ends = try await ends(of: ["early", "words", "late", "hello"], at: .claudia, server, journal: journal)
      #expect(ends == [.completed, .completed, .completed, .completed])
      #expect(journal.text(of: 1) == "You said: early." && journal.text(of: 2) == "Starting Claude session…\n")
      #expect(journal.text(of: 3) == "You said: late." && journal.text(of: 4) == "You said: hello.")
      // Nothing is remembered, which is said once.
      #expect(statuses(journal, of: 1) == [] && statuses(journal, of: 3) == [])
      #expect(statuses(journal, of: 2).contains { $0.contains("begins anew with each instruction") })
    }
  }

  @Test func claudiaGoesOnWithNoSession() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.claudia.withAgent(server, { $0.start = .resume(AgentSessionID(rawValue: "claude-1")) }) {
        agent, journal in
        agent.openAgent()
        #expect(await journal.unavailable()?.contains("cannot go on with an earlier session") == true)
      }
    }
  }

  @Test(arguments: [(HTTPKind.claudia, "errors"), (.opcode, "errors")])
  func allErrorsOfAResultAreTold(_ kind: HTTPKind, _ word: String) async throws {
    try await HTTPTestServer.run { server in
      let end = try await ends(of: [word], at: kind, server).first
      guard case .failed(let reason)?? = end else { return #expect(Bool(false), "\(String(describing: end))") }
      #expect(reason.hasSuffix("reported: Reached 3 turns.; Stopped."), "\(reason)")
    }
  }

  /// What was handed over may be worked on, whatever came back: as failed, it would be offered once more.
  @Test(arguments: [
    ("broken", "reported: the agent fell over", false), ("500", "reported an internal error (500)", true),
    ("page", "closed the connection before its answer was complete", true),
  ])
  func whatClaudiaReportsAsFailedHasFailed(_ word: String, _ words: String, _ mayGoOn: Bool) async throws {
    try await HTTPTestServer.run { server in
      let end = try #require(try await ends(of: [word], at: .claudia, server).first)
      #expect(end?.words.contains(words) == true && end?.mayGoOn == mayGoOn, "\(String(describing: end))")
    }
  }

  @Test func claudiasRunIsUnconfirmedWhereItsSocketBreaks() async throws {
    try await HTTPTestServer.run { server in
      let end = try #require(try await ends(of: ["cut"], at: .claudia, server).first)
      #expect(end?.mayGoOn == true && server.count(of: "cut") == 1)
    }
  }

  @Test(arguments: [HTTPKind.opcode, .claudia]) func historyIsTheConversationAlone(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      func sessions(_ folder: String) throws -> any AgentSessions {
        let environment = AgentEnvironment(workingFolder: folder, executablePath: "/bin/false")
        return try #require(try kind.specification(server.base).sessions(in: environment))
      }
      let known = try sessions("/home/dev/project")
      #expect(try await known.list().map(\.title) == ["hello"])
      let messages = try await known.messages(of: AgentSessionID(rawValue: "claude-1"))
      #expect(messages.map(\.text) == ["hello", "You said: hello."] && messages.map(\.author) == [.user, .agent])
      let refusal = await #expect(throws: AgentError.self) {
        try await known.messages(of: AgentSessionID(rawValue: "claude-9"))
      }
      if kind == .opcode { #expect(refusal?.description.contains("Session file not found") == true) }
      // One without a word is none.
      await #expect(throws: AgentError.self) { try await known.messages(of: AgentSessionID(rawValue: "claude-8")) }
      // A folder without sessions has none, and so has one that is not known.
      for folder in ["/home/dev/empty", "/home/dev/nowhere"] { #expect(try await sessions(folder).list().isEmpty) }
    }
  }

  // MARK: Duck Talk

  @Test func theModeOfDuckTalkIsToldAndChanged() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.duckTalk.withAgent(server) { agent, journal in
        agent.openAgent()
        _ = await journal.ready()
        func told(_ count: Int) async -> AgentControls? {
          func controls(_ events: [VoiceEvent]) -> [AgentControls] {
            events.compactMap { if case .agentControlsTold(let controls) = $0 { controls } else { nil } }
          }
          _ = await journal.wait { controls($0).count >= count }
          return controls(journal.all).last
        }
        let first = try #require(await told(1))
        #expect(
          first.mode?.current == "plan" && first.mode?.remark == "in which it reads and plans, and changes nothing")
        agent.changeAgent(.mode, to: "acceptEdits")
        agent.changeAgent(.mode, to: "everything")
        agent.changeAgent(.model, to: "opus")
        let last = await told(3)
        #expect(last?.mode?.current == "acceptEdits" && last?.mode?.remark == nil && last?.model?.current == "opus")
        let isRefused = journal.all.contains {
          if case .agentSettingRefused(.mode, "everything", _) = $0 { true } else { false }
        }
        #expect(isRefused)
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(server.seen.last?.body["permission_mode"] == "acceptEdits" && server.seen.last?.body["model"] == "opus")
      }
    }
  }

  @Test(arguments: [("u1", nil), ("u2", "u2"), ("u3", "u3")])
  func theFirstMessageCanBeSaidAnewToo(_ message: String, _ leaf: String?) async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let ends = try await ends(
        of: ["hello"], at: .duckTalk, server,
        { $0.start = .fork(AgentSessionID(rawValue: "s-1"), at: message) }, journal: journal)
      #expect(ends == [.completed])
      let body = try #require(server.seen.last).body
      #expect(body["leaf_uuid"]?.string == leaf && body["session_id"]?.string == (leaf == nil ? nil : "s-1"))
      #expect(statuses(journal).contains { $0.contains("in the place of its first message") } == (leaf == nil))
    }
  }

  @Test func whatDuckTalkDidNotKeepIsSaid() async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let words = ["429", "cut", "hello", "broken", "and now", "429", "again"]
      _ = try await ends(of: words, at: .duckTalk, server, journal: journal)
      #expect(statuses(journal, of: 2) == [])
      #expect(
        statuses(journal, of: 3) == ["Duck Talk did not keep what was said before: this instruction begins anew."])
      #expect(statuses(journal, of: 5) == ["Duck Talk goes on from the last turn that it finished."])
      // It is said once, and not of what was refused.
      #expect(statuses(journal, of: 6) == [] && statuses(journal, of: 7) == [])
    }
  }

  @Test(arguments: [HTTPKind.duckTalk, .better, .chat, .uiMessages])
  func theSystemPromptIsOnesOwnOrRefused(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      let words = "Speak like a pirate."
      guard kind != .uiMessages else {
        await #expect(throws: AgentError.self) {
          _ = try await self.ends(of: [], at: kind, server, { $0.server.systemPrompt = words })
        }
        return
      }
      let found = try await ends(of: ["hello"], at: kind, server, { $0.server.systemPrompt = words })
      #expect(found == [.completed])
      let body = try #require(server.seen.last).body.bytes
      #expect(String(decoding: body, as: UTF8.self).contains(words))
    }
  }

  // MARK: Nothing

  @Test(arguments: [HTTPKind.chat, .uiMessages, .pageSpace]) func whereNothingWasAnsweredNothingIsDone(
    _ kind: HTTPKind
  ) async throws {
    try await HTTPTestServer.run { server in
      let end = try await ends(of: ["nothing"], at: kind, server).first
      guard case .stopped(let reason)?? = end else { return #expect(Bool(false), "\(String(describing: end))") }
      #expect(reason.hasSuffix("gave an empty answer. Say it in another way."), "\(reason)")
    }
  }

  // MARK: Lists

  @Test func furtherPagesOfAListAreRead() async throws {
    try await HTTPTestServer.run { server in
      let environment = AgentEnvironment(workingFolder: "/", executablePath: "/bin/false")
      let sessions = try #require(try HTTPKind.pageSpace.specification(server.base).sessions(in: environment))
      #expect(try await sessions.list().map(\.title) == ["first", "second", "third"])
      let messages = try await sessions.messages(of: AgentSessionID(rawValue: "c1"))
      #expect(messages.map(\.text) == ["hello", "and now"])
    }
  }

  @Test func conversationsAreListedByTheirLastMessage() async throws {
    try await HTTPTestServer.run { server in
      let environment = AgentEnvironment(workingFolder: "/", executablePath: "/bin/false")
      let sessions = try #require(try HTTPKind.mobile.specification(server.base).sessions(in: environment))
      #expect(try await sessions.list().map(\.title) == ["first", "older"])
    }
  }
}
