import Subprocess
import Testing
import VoiceTesting
import VoiceVocabulary

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server that was not written here, installed by `script/bootstrap --agents`, around a model that does as it is told
/// (`Tests/servers/published`).
enum RealServer: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case uiMessages = "pydantic-ai"
  case litellm
  case agentToAgent = "a2a"
  case oldAgentToAgent = "a2a 0.3"

  var testDescription: String { rawValue }

  /// The folder of its packages, under the folder of agents.
  private var package: String { self == .oldAgentToAgent ? "a2a" : rawValue }
  private var python: String { RealAgent.root + "/\(package)/python/bin/python3" }
  var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: RealAgent.root + "/\(package)/agent") }

  static let installed = allCases.filter(\.isInstalled)
  static var areInstalled: Bool { !installed.isEmpty }

  private var script: [String] {
    switch self {
    case .uiMessages: ["ui_messages.py"]
    case .litellm: ["litellm_proxy.py"]
    case .agentToAgent: ["a2a_agent.py"]
    case .oldAgentToAgent: ["a2a_agent.py", "--release", "0.3"]
    }
  }

  /// How it is named to the program, and how something is that it does not have.
  func place(_ port: String, for instruction: String = "") -> String {
    switch self {
    case .uiMessages: "ui-messages:http://127.0.0.1:\(port)/chat"
    case .litellm: "chat:http://127.0.0.1:\(port)/v1#\(instruction == "please be slow" ? "slow" : "mock")"
    case .agentToAgent, .oldAgentToAgent: "a2a:http://127.0.0.1:\(port)"
    }
  }
  func wrongPlace(_ port: String) -> (place: String, words: String) {
    switch self {
    case .uiMessages: ("ui-messages:http://127.0.0.1:\(port)/nothing", "does not know the call (404)")
    case .litellm: ("chat:http://127.0.0.1:\(port)/v1#nothing", "Invalid model name passed in model=nothing")
    case .agentToAgent, .oldAgentToAgent: ("a2a:http://127.0.0.1:\(port)/nothing", "Check the address")
    }
  }

  func answer(to words: String) -> String { self == .litellm ? "A text of the proxy's own." : "You said: \(words)" }

  /// What a halt in the middle of an answer is: code and words. Only the agent of A2A confirms that it stopped.
  var halted: (code: Int, words: String) {
    switch self {
    case .uiMessages, .litellm: (69, "It is not known how much of the instruction was carried out.")
    case .agentToAgent, .oldAgentToAgent: (75, "The agent was stopped.")
    }
  }

  /// Run the server while the body runs.
  func run(_ body: @Sendable @escaping (Running) async throws -> Void) async throws {
    let home = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home.path + "/parley", withIntermediateDirectories: true)
    try Data("{ agent: { keyVariable: \"SERVER_TOKEN\" }, interaction: { shownMilliseconds: 0 } }".utf8)
      .write(to: URL(filePath: home.path + "/parley/parley.json5"))
    let folder = Repository.path + "/Tests/servers/published/"
    let arguments = [folder + script[0]] + script.dropFirst() + ["--log", home.path + "/log"]
    _ = try await Subprocess.run(
      .path(FilePath(python)), arguments: Arguments(arguments),
      environment: .inherit.updating(["SERVER_KEY": "right", "PYTHONDONTWRITEBYTECODE": "1"]), input: .none,
      output: .sequence, error: .string(limit: 1 << 20)
    ) { execution in
      var lines = execution.standardOutput.strings().makeAsyncIterator()
      let outcome: Result<Void, any Error>
      do {
        let port = try #require(try await lines.next(), "\(self) has not started").trimmingWhitespace()
        outcome = .success(try await body(Running(server: self, port: port, home: home)))
      } catch {
        outcome = .failure(error)
      }
      // However the body ended, the server does not outlive it.
      try execution.send(signal: .terminate)
      try outcome.get()
    }
  }

  /// A server that runs, and what it was asked.
  struct Running: Sendable {
    let server: RealServer
    let port: String
    let home: TemporaryFolder

    /// What its log says so far.
    var log: [String] {
      String(decoding: FileManager.default.contents(atPath: home.path + "/log") ?? Data(), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }

    /// Wait until the log says this; bounded by the test's time limit.
    func look(for line: String) async throws {
      try await waitUntil { log.contains(line) }
    }

    func arguments(_ text: String, at place: String? = nil) -> [String] {
      ["ask", text, "--working-folder", home.path, "--agent", place ?? server.place(port, for: text)]
    }

    func ask(
      _ text: String, at place: String? = nil, key: String = "right", input: String = "", _ more: [String] = []
    ) async throws -> Finished {
      try await Program.run(
        arguments(text, at: place) + more, home: home, environment: ["SERVER_TOKEN": key], input: input)
    }
  }
}

@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: RealServer.areInstalled, "No published server is installed: script/bootstrap --agents"))
struct RealServerTests {
  /// An instruction arrives once and its answer is what the server sent; what the server refuses is told in its words, and asks
  /// the model nothing; a halt in the middle of an answer is what the server's own log says.
  @Test(arguments: RealServer.installed) func instructionsArriveOnceAndHaltsAreTrue(_ server: RealServer) async throws {
    try await server.run { running in
      let said = try await running.ask("good morning")
      #expect(said.code == 0, "\(said.errors)")
      #expect(said.output.trimmingWhitespace() == server.answer(to: "good morning"), "\(said.errors)")
      try await running.look(for: "over done")
      #expect(running.log == ["asked good morning", "over done"])

      let stranger = try await running.ask("who is there", key: "wrong")
      #expect(stranger.code == 69 && stranger.errors.contains("Check the token"), "\(stranger.errors)")
      let lost = server.wrongPlace(running.port)
      let elsewhere = try await running.ask("is it here", at: lost.place)
      #expect(elsewhere.code == 69 && elsewhere.errors.contains(lost.words), "\(elsewhere.errors)")
      #expect(running.log == ["asked good morning", "over done"])

      let halted = try await Program.haltInTheMiddle(
        running.arguments("please be slow"), home: running.home, environment: ["SERVER_TOKEN": "right"], once: "word")
      #expect(halted.code == server.halted.code, "\(halted.errors)")
      #expect(halted.errors.contains(server.halted.words), "\(halted.errors)")
      #expect(!halted.output.contains("word199"))
      try await running.look(for: "over cut")
      #expect(running.log.suffix(2) == ["asked please be slow", "over cut"])
    }
  }

  @Test(.enabled(if: RealServer.uiMessages.isInstalled, "pydantic-ai is not installed: script/bootstrap --agents"))
  func whatPydanticAIWantsApprovedIsHeldAndDecided() async throws {
    try await RealServer.uiMessages.run { running in
      let denied = try await running.ask("please write denied", input: "reject\n")
      #expect(denied.errors.contains("asks      "), "\(denied.errors)")
      #expect(!running.log.contains { $0.hasPrefix("wrote") })
      let allowed = try await running.ask("please write allowed", input: "approve\n")
      #expect(allowed.code == 0 && allowed.output.contains("the tool says written"), "\(allowed.errors)")
      #expect(running.log.filter { $0.hasPrefix("wrote") } == ["wrote allowed"])
      #expect(running.log.filter { $0 == "asked please write allowed" }.count == 1)
    }
  }

  @Test(
    .enabled(if: RealServer.agentToAgent.isInstalled, "a2a-sdk is not installed: script/bootstrap --agents"),
    arguments: [RealServer.agentToAgent, .oldAgentToAgent])
  func whatATaskWantsToKnowIsAnswered(_ server: RealServer) async throws {
    try await server.run { running in
      let answered = try await running.ask("please ask", input: "answer green\n")
      #expect(answered.code == 0, "\(answered.errors)")
      #expect(answered.errors.contains("Which colour?") && answered.output.contains("You said: green"))
      #expect(running.log.filter { $0.hasPrefix("asked") } == ["asked please ask", "asked green"])
    }
  }
}
