import Testing
import VoiceConverse
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Servers refuse here what the real ones refuse, and say what those say.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServerRulesTests {
  /// Run one instruction after the other, and give how each ended.
  func ends(
    of words: [String], at kind: HTTPKind, _ server: HTTPTestServer, name: String? = nil,
    _ change: (inout AgentEnvironment) -> Void = { _ in }, journal: Journal = Journal()
  ) async throws -> [AgentTurnEnd?] {
    var environment = AgentEnvironment(
      workingFolder: "/home/dev/project", executablePath: "/bin/false",
      server: ServerEnvironment(
        conversationsFolder: server.folder.path + "/conversations", newSession: AgentSessionID(rawValue: "new-1")))
    change(&environment)
    let specification =
      try name.map { try AgentSpecification(parsing: "\(kind.rawValue):\(server.base)#\($0)") }
      ?? kind.specification(server.base)
    let agent = try specification.makeAgent(in: environment, post: journal.post)
    var ends: [AgentTurnEnd?] = []
    try await runAgent(agent) {
      agent.openAgent()
      _ = await journal.wait {
        $0.contains { if case .agentReady = $0 { true } else if case .agentUnavailable = $0 { true } else { false } }
      }
      for (index, text) in words.enumerated() {
        agent.startRun(RunID(rawValue: index + 1), Instruction(text))
        ends.append(await journal.end(of: RunID(rawValue: index + 1)))
      }
    }
    return ends
  }

  /// What the run told of itself.
  func statuses(_ journal: Journal, of run: RunID = 1) -> [String] {
    journal.reports(of: run).compactMap { if case .status(let text) = $0 { text } else { nil } }
  }

  // MARK: UI message streams

  @Test func aRequestSaysWhetherItIsNewOrAgain() async throws {
    try await HTTPTestServer.run { server in
      let ends = try await ends(of: ["hello", "/regenerate", "and now"], at: .uiMessages, server)
      #expect(ends == [.completed, .completed, .completed])
      let bodies = server.seen.filter { $0.method == "POST" }.map(\.body)
      #expect(bodies.map { $0["trigger"] } == ["submit-message", "regenerate-message", "submit-message"])
      #expect(bodies.map { $0["messageId"] } == [nil, "m1", nil])
      #expect(bodies.map { $0["messages"]?.elements.count } == [1, 1, 3])
      // The answer that was made again is not there twice.
      #expect(bodies.last?["messages"]?.elements.map { $0["role"] } == ["user", "assistant", "user"])
    }
  }

  @Test func whereNothingWasAnsweredNothingIsMadeAgain() async throws {
    try await HTTPTestServer.run { server in
      let ends = try await ends(of: ["/regenerate"], at: .uiMessages, server)
      #expect(ends == [.failed(reason: "There is no answer yet that could be made again.")])
      #expect(!server.seen.contains { $0.method == "POST" })
    }
  }

  @Test(arguments: [
    ("invalid-fastapi", "messages.0.role: Field required"), ("invalid-pydantic", "messages: Field required"),
    ("invalid-zod", "messages: Required"), ("invalid-issues", "messages.1: Required"),
    ("invalid-problem", "messages: is required"), ("invalid-text", "messages is required"),
  ])
  func whatIsWrongWithARequestIsShownWhateverItsForm(_ word: String, _ words: String) async throws {
    try await HTTPTestServer.run { server in
      let end = try await ends(of: [word], at: .uiMessages, server).first
      guard case .failed(let reason)?? = end else { return #expect(Bool(false), "\(String(describing: end))") }
      #expect(reason.hasSuffix("did not take the request (422). It said: \(words)."), "\(reason)")
    }
  }

  @Test func whatTheProviderMarkedGoesBackToIt() async throws {
    try await HTTPTestServer.run { server in
      let ends = try await ends(of: ["signed", "hello"], at: .uiMessages, server)
      #expect(ends == [.completed, .completed])
      let parts = server.seen.last?.body["messages"]?.elements[1]["parts"]?.elements ?? []
      func mark(_ words: String) -> JSON { ["maker": ["signature": .string(words)]] }
      #expect(parts.contains(["type": "reasoning", "text": "Hm.", "providerMetadata": mark("r1")]))
      #expect(parts.contains(["type": "text", "text": "Yes.", "providerMetadata": mark("p1")]))
      #expect(
        parts.contains([
          "type": "dynamic-tool", "toolName": "search", "toolCallId": "t1", "input": [:], "state": "output-available",
          "output": "words", "providerExecuted": true, "callProviderMetadata": mark("t1"),
          "resultProviderMetadata": mark("o1"),
        ]))
      #expect(parts.contains(["type": "source-url", "sourceId": "s1", "url": "https://example.com"]))
      #expect(parts.filter { $0["type"] == "data-weather" } == [["type": "data-weather", "id": "d1", "data": "sun"]])
      #expect(!parts.contains { $0["type"] == "data-passing" })
    }
  }

  @Test(arguments: [HTTPKind.uiMessages, .pageSpace])
  func whetherItAsksIsNotSaidBeforeItIsKnown(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.openAgent()
        let remark = try #require(await journal.ready()).unaskedRemark
        #expect(remark?.contains("may or may not ask") == true)
      }
    }
  }

  // MARK: Gemini

  @Test func aWrongKeyIsReportedAsOneAndAMissingOneNamesTheVariable() async throws {
    try await HTTPTestServer.run(["--google-key", "right"]) { server in
      let file = server.folder.path + "/key"
      func reason(_ key: String?) async throws -> String? {
        let journal = Journal()
        if let key {
          try Data(key.utf8).write(to: URL(filePath: file))
          try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
        _ = try await ends(
          of: [], at: .better, server,
          { if key != nil { $0.server.credential = HTTPCredential(.file(file)) } }, journal: journal)
        return await journal.unavailable()
      }
      let wrong = try #require(try await reason("wrong"))
      #expect(wrong.contains("does not accept the key. Check the token in the file \(file)"), "\(wrong)")
      #expect(wrong.contains("API key not valid"), "\(wrong)")
      let missing = try #require(try await reason(nil))
      #expect(missing.contains("name its variable in agent.keyVariable, such as GEMINI_API_KEY"), "\(missing)")
    }
  }

  @Test func howLongToWaitIsReadWhereGoogleSaysIt() async throws {
    try await HTTPTestServer.run { server in
      let end = try await ends(of: ["quota"], at: .better, server).first
      #expect(end??.words.contains("has too much to do (429). Wait 34 seconds") == true)
    }
  }

  @Test func anImageOfTheAnswerIsSavedBesideTheConversationAndNamed() async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let ends = try await ends(of: ["picture", "picture"], at: .better, server, journal: journal)
      #expect(ends == [.completed, .completed])
      for (run, number) in [(1, 1), (2, 2)] as [(RunID, Int)] {
        let path = server.folder.path + "/conversations/better/new-1-\(number).png"
        #expect(statuses(journal, of: run) == ["The answer has a file (image/png): \(path)"])
        #expect(FileManager.default.contents(atPath: path)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
      }
    }
  }

  @Test(arguments: [
    ("nothing", "Gemini gave an empty answer"), ("unsafe", "The model gave no answer: prohibited content."),
    ("blocked", "Gemini did not take the instruction: safety."),
  ])
  func anEmptyOrBlockedAnswerIsSaid(_ word: String, _ words: String) async throws {
    try await HTTPTestServer.run { server in
      let end = try await ends(of: [word], at: .better, server).first
      guard case .stopped(let reason)?? = end else { return #expect(Bool(false), "\(String(describing: end))") }
      #expect(reason.contains(words), "\(reason)")
    }
  }

  @Test func codeThatTheModelRunsIsAToolAndItsSourcesAreTold() async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let ends = try await ends(of: ["code"], at: .better, server, journal: journal)
      #expect(ends == [.completed])
      let tools = journal.reports(of: 1).compactMap { if case .toolStarted(let tool) = $0 { tool } else { nil } }
      #expect(tools.map(\.kind) == ["execute"])
      #expect(journal.reports(of: 1).contains(.toolFinished(id: "code-1", outcome: .completed)))
      #expect(statuses(journal) == ["Sources: example.com"])
    }
  }

  @Test func howItIsToWriteAndWhatItMayUseGoesWithEachRequest() async throws {
    try await HTTPTestServer.run { server in
      let options = try GenerationOptions(
        parameters: [
          "temperature=0.25", "maxOutputTokens=800", "stopSequences=a", "stopSequences=b", "thinkingBudget=0",
        ],
        tools: ["search", "code", "url"])
      let ends = try await ends(of: ["hello"], at: .better, server, { $0.server.generation = options })
      #expect(ends == [.completed])
      let body = try #require(server.seen.last).body
      #expect(
        body["generationConfig"] == [
          "temperature": .number(0.25), "maxOutputTokens": 800, "stopSequences": ["a", "b"],
          "thinkingConfig": ["thinkingBudget": 0, "includeThoughts": true],
        ])
      #expect(body["tools"] == [["googleSearch": [:]], ["codeExecution": [:]], ["urlContext": [:]]])
    }
    for (parameters, tools) in [(["temprature=1"], []), (["topK=many"], []), ([], ["shell"])] as [([String], [String])]
    {
      #expect(throws: AgentError.self) { try GenerationOptions(parameters: parameters, tools: tools) }
    }
  }

  @Test(arguments: [("gemini-plain", false), ("gemini-thinker", true)])
  func onlyAModelThatThinksIsToldHow(_ model: String, _ thinks: Bool) async throws {
    try await HTTPTestServer.run { server in
      let options = try GenerationOptions(parameters: ["thinkingBudget=128"], tools: [])
      let ends = try await ends(of: ["hello"], at: .better, server, name: model, { $0.server.generation = options })
      #expect(ends == [.completed])
      let budget = server.seen.last?.body["generationConfig"]?["thinkingConfig"]?["thinkingBudget"]
      #expect(budget == (thinks ? 128 : nil))
    }
  }

  @Test func allBranchesAreListed() async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      let ends = try await ends(
        of: ["/branches", "hello", "/regenerate", "/branches"], at: .better, server, journal: journal)
      #expect(ends == [.completed, .completed, .completed, .completed])
      #expect(statuses(journal, of: 1) == ["Nothing was said yet."])
      #expect(
        statuses(journal, of: 4) == [
          "* 1, you: hello", "  2 after 1, answer: You said: hello.", "* 3 after 1, answer: You said: hello.",
        ])
    }
  }

  @Test func aPhotographOfATelephoneGoesToGeminiAlone() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.heic"
    try Data([0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0]).write(to: URL(filePath: path))
    let file = try AgentAttachment(readingFile: path)
    #expect(file.mediaType == "image/heic")
    try await HTTPTestServer.run { server in
      let ends = try await ends(of: ["hello"], at: .better, server, { $0.server.attachments = [file] })
      #expect(ends == [.completed])
      let parts = try #require(server.seen.last).body["contents"]?.elements.last?["parts"]?.elements ?? []
      #expect(
        parts.first == ["inlineData": ["mimeType": "image/heic", "data": "AAAAGGZ0eXBoZWljAAAAAA=="]])
    }
    for kind in [HTTPKind.chat, .uiMessages, .pageSpace] {
      var environment = AgentEnvironment(workingFolder: "/", executablePath: "/bin/false")
      environment.server.attachments = [file]
      let specification = try kind.specification("http://127.0.0.1:1")
      let refusal = #expect(throws: AgentError.self) { try specification.makeAgent(in: environment, post: { _ in }) }
      #expect(refusal?.description.hasSuffix("takes no HEIC image such as a.heic. Convert it to JPEG.") == true)
    }
  }
}
