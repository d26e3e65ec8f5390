import ArgumentParser
import VoiceConfiguration
import VoiceConverse
import VoiceLive

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Plan {
  /// The plan of this call: the named file, or the user's own if there is one, and the command line.
  static func resolve(file: String?, commandLine: PlanLayer) throws(ConfigurationError) -> Plan {
    try resolve(
      file: file, commandLine: commandLine,
      providers: LiveProvider.all.map { provider in
        .init(
          provider: provider.name, model: provider.model, voice: provider.voice ?? "", keyVariable: provider.keyVariable
        )
      },
      environment: ProcessInfo.processInfo.environment, fileExists: { FileManager.default.fileExists(atPath: $0) })
  }
}

extension ArgumentHelp {
  /// What `--live` takes.
  static var liveModel: ArgumentHelp {
    let names = ["auto", "local"] + LiveProvider.all.map(\.name)
    return ArgumentHelp(
      "The live model: \(names.joined(separator: ", ")), an address ws(s)://…, or PROVIDER:ADDRESS.",
      valueName: "live")
  }

  /// What `--agent` takes: every agent that there is, from the list that the program itself goes by.
  static var codingAgent: ArgumentHelp {
    ArgumentHelp(
      "The coding agent: \(AgentSpecification.forms.joined(separator: ", ")).",
      discussion: "`parley agents` shows which of them are installed.", valueName: "agent")
  }
}

/// The flags of a session. Each sets one key of the plan.
struct PlanOptions: ParsableArguments {
  @Option(help: "What happens to a spoken instruction: review (held until approved) or direct.")
  var mode: String?

  @Option(help: "default, part of a device's name, a sound file, a pipe of raw PCM (16 kHz), or -.")
  var microphone: String?

  @Option(help: "default, part of a device's name, a WAV file, a pipe for raw PCM (24 kHz), -, or none.")
  var speaker: String?

  @Flag(help: "Write over the speaker's file if it is there already.")
  var overwrite = false

  @Option(help: .liveModel)
  var live: String?

  @Option(help: "Who finds the end of an utterance: server or client.")
  var turnDetection: String?

  @Option(help: "How long a pause may be until you are taken to be done: quick, normal or patient.")
  var patience: String?

  @Option(help: ArgumentHelp("A word, such as over, that ends what you say; a pause does not then.", valueName: "word"))
  var endWord: String?

  @Flag(inversion: .prefixedNo, help: "Whether only the end word or Enter ends what you say, however long you think.")
  var longThought: Bool?

  @Option(help: "How the session is shown: lines, status, quiet or json.")
  var display: String?

  @Option(help: "What becomes of an instruction while the agent works: queue, steer or halt.")
  var duringRun: String?

  @Option(help: "How fast a sound file is taken for a microphone: real or fast.")
  var pace: String?

  @Flag(inversion: .prefixedNo, help: "Whether the session is recorded.")
  var record: Bool?

  @OptionGroup var agent: AgentOptions

  /// The plan that the flags, the configuration file and the environment give.
  func plan() throws -> Plan {
    func text(_ value: String?) -> PlanValue? { value.map { .text($0) } }
    func flag(_ value: Bool?) -> PlanValue? { value.map { .flag($0) } }
    return try agent.plan(with: [
      "interaction.mode": text(mode), "interaction.display": text(display), "interaction.duringRun": text(duringRun),
      "interaction.patience": text(patience), "interaction.endWord": text(endWord),
      "interaction.longThought": flag(longThought),
      "audio.microphone": text(microphone), "audio.speaker": text(speaker), "audio.pace": text(pace),
      "audio.overwrite": flag(overwrite ? true : nil), "live.endpoint": text(live),
      "live.turnDetection": text(turnDetection), "recording.enabled": flag(record),
    ])
  }
}
