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
  func plan() throws -> Plan {
    var layer = PlanLayer(origin: "command line")
    for (key, value) in [
      ("agent.agent", agent), ("agent.workingFolder", workingFolder), ("agent.preferredMode", agentMode),
      ("agent.model", agentModel),
    ] {
      if let value { try layer.set(key, .text(value)) }
    }
    if !attach.isEmpty { try layer.set("agent.attachments", .list(attach)) }
    return try Plan.resolve(file: config, commandLine: layer)
  }
}
