import ArgumentParser
import VoiceConfiguration

/// The flags of everything that talks with an agent and not with a voice. Each sets one key of the plan.
struct AgentOptions: ParsableArguments {
  @Option(help: .codingAgent)
  var agent: String?

  @Option(help: .of(\.workingFolder))
  var workingFolder: String?

  @Option(help: .of(\.preferredAgentMode, "mode"))
  var agentMode: String?

  @Option(help: .of(\.agentModel, "model"))
  var agentModel: String?

  @Option(help: .of(\.attachments, "file"))
  var attach: [String] = []

  @Option(help: ArgumentHelp("A configuration file (JSON5).", valueName: "file"))
  var config: String?

  func validate() throws {
    if agentMode?.isEmpty == true { throw ValidationError("--agent-mode is empty. Name a mode, or leave it out.") }
    if agentModel?.isEmpty == true { throw ValidationError("--agent-model is empty. Name a model, or leave it out.") }
  }

  /// The plan that the flags, the configuration file and the environment give.
  ///
  /// - Parameter others: sets what other flags say.
  func plan(_ others: (inout PlanLayer) throws -> Void = { _ in }) throws -> Plan {
    var layer = PlanLayer(origin: PlanLayer.commandLine)
    try others(&layer)
    try layer.set(\.agent, .ofFlag(agent))
    try layer.set(\.workingFolder, .ofFlag(workingFolder))
    try layer.set(\.preferredAgentMode, .ofFlag(agentMode))
    try layer.set(\.agentModel, .ofFlag(agentModel))
    try layer.set(\.attachments, .ofFlag(attach))
    return try Plan.resolve(file: config, commandLine: layer)
  }
}
