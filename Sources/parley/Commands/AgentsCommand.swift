import ArgumentParser
import VoiceConfiguration
import VoiceConverse
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `parley agents`: the known agents, and which of them are installed.
struct AgentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agents",
    abstract: "The known coding agents that are installed here, and what they can do.",
    discussion: """
      An agent of the Agent Client Protocol tells what it can do only when it is started: name it to have it started \
      and asked.
      """)

  @Argument(help: "An agent to be started and asked what it can do.")
  var name: String?

  @OptionGroup var options: AgentOptions

  func run() async throws {
    if let name { return try await ask(name) }
    let environment = ProcessInfo.processInfo.environment
    print(Self.row("guide", "built in", [.ask, .cancel]))
    var missing: [String] = []
    for preset in ChildAgentSpecification.presets {
      if let path = Self.find(preset.executable, environment["PATH"] ?? "") {
        let capabilities = preset.language == .acp ? nil : preset.knownCapabilities
        print(Self.row(preset.name, path, capabilities))
      } else {
        missing.append(preset.name)
      }
    }
    if !missing.isEmpty { print("\nnot installed: \(missing.joined(separator: ", "))") }
    print("others: acp:COMMAND, claude:COMMAND, codex:COMMAND, codex-exec:COMMAND, echo")
    print("servers: \(HTTPAgentKind.all.map(\.form).joined(separator: ", "))")
  }

  private static func row(_ name: String, _ place: String, _ capabilities: AgentCapabilities?) -> String {
    let abilities = capabilities.map { $0.inOrder.map(\.rawValue).joined(separator: " ") } ?? "tells when it is started"
    return [name.padded(to: 16), abilities.padded(to: 44), place].joined()
  }

  /// The first executable file of this name on the search path.
  private static func find(_ executable: String, _ path: String) -> String? {
    path.split(separator: ":").map { "\($0)/\(executable)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Open the agent as a session would, and end it again.
  private func ask(_ name: String) async throws {
    var options = options
    options.agent = name
    let plan = try Exit.configuring { try options.plan() }
    let description: AgentDescription
    do {
      description = try await AgentTrial.open(plan)
    } catch {
      throw Exit.failure(error is ConfigurationError ? Exit.configuration : Exit.unavailable, "\(error)")
    }
    printRow(Self.row(description.name, plan.agent, description.capabilities))
    if let remark = description.unaskedRemark { print(remark) }
  }
}
