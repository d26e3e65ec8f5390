import ArgumentParser
import VoiceConfiguration

/// The flags of everything that talks with an agent and not with a voice. Each sets one key of the plan.
struct AgentOptions: ParsableArguments {
  @Option(help: .codingAgent)
  var agent: String?

  @Option(help: "Where the agent works.")
  var workingFolder: String?

  @Option(help: ArgumentHelp("The mode that the agent is put into.", valueName: "mode"))
  var agentMode: String?

  @Option(help: ArgumentHelp("The model that the agent works with.", valueName: "model"))
  var agentModel: String?

  @Option(
    help: ArgumentHelp(
      "An image or PDF that goes with the first instruction; may be repeated.", valueName: "file"))
  var attach: [String] = []

  @Option(help: ArgumentHelp("A configuration file (JSON5).", valueName: "file"))
  var config: String?

  /// The plan that the flags, the configuration file and the environment give.
  func plan() throws -> Plan { try plan(with: [:]) }

  /// - Parameter flags: what other flags say; nil for one that was not given.
  func plan(with flags: [String: PlanValue?]) throws -> Plan {
    var layer = PlanLayer(origin: "command line")
    let own: [String: PlanValue?] = [
      "agent.agent": agent.map { .text($0) }, "agent.workingFolder": workingFolder.map { .text($0) },
      "agent.preferredMode": agentMode.map { .text($0) }, "agent.model": agentModel.map { .text($0) },
      "agent.attachments": attach.isEmpty ? nil : .list(attach),
    ]
    for case (let key, let value?) in own.merging(flags, uniquingKeysWith: { own, _ in own }).sorted(by: {
      $0.key < $1.key
    }) {
      try layer.set(key, value)
    }
    return try Plan.resolve(file: config, commandLine: layer)
  }
}
