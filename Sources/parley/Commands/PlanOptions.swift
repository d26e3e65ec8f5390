import ArgumentParser
import VoiceConfiguration
import VoiceConverse
import VoiceFoundation
import VoiceLive
import VoiceSystem

extension Plan {
  /// The plan of this call: the named file, or the user's own if there is one, and the command line.
  static func resolve(file: String?, commandLine: PlanLayer) throws(ConfigurationError) -> Plan {
    try resolve(
      file: file, commandLine: commandLine,
      providers: LiveProvider.all.map { provider in
        .init(
          provider: provider.name, model: provider.model, voice: provider.voice ?? "",
          keyVariable: provider.keyVariable, isTakenByKey: provider.isTakenByKey)
      },
      environment: ProcessInfo.processInfo.environment, fileExists: { !PlainFile.isMissing($0) })
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

extension ArgumentHelp {
  /// What a setting means, in a sentence, for the flag that sets it.
  static func of<Value>(_ setting: KeyPath<Settings, Setting<Value>>, _ valueName: String? = nil) -> ArgumentHelp {
    let help = Settings.all[keyPath: setting].key.help
    let end = help.firstRange(of: ". ")?.lowerBound ?? help.endIndex
    return ArgumentHelp(help[..<end] + (end < help.endIndex ? "." : ""), valueName: valueName)
  }
}

/// The flags of a session. Each sets one key of the plan.
struct PlanOptions: ParsableArguments {
  @Option(help: .of(\.mode))
  var mode: String?

  @Option(help: .of(\.microphone))
  var microphone: String?

  @Option(help: .of(\.speaker))
  var speaker: String?

  @Flag(help: .of(\.overwritesSpeaker))
  var overwrite = false

  @Option(help: .liveModel)
  var live: String?

  @Option(help: .of(\.turnDetection))
  var turnDetection: String?

  @Option(help: .of(\.patience))
  var patience: String?

  @Option(help: .of(\.endWord, "words"))
  var endWord: String?

  @Flag(inversion: .prefixedNo, help: .of(\.thinksLong))
  var longThought: Bool?

  @Option(help: .of(\.display))
  var display: String?

  @Option(help: .of(\.duringRun))
  var duringRun: String?

  @Option(help: .of(\.isFast))
  var pace: String?

  @Flag(inversion: .prefixedNo, help: .of(\.records))
  var record: Bool?

  @OptionGroup var agent: AgentOptions

  /// The plan that the flags, the configuration file and the environment give.
  func plan() throws -> Plan {
    try agent.plan { layer in
      try layer.set(\.mode, .ofFlag(mode))
      try layer.set(\.microphone, .ofFlag(microphone))
      try layer.set(\.speaker, .ofFlag(speaker))
      try layer.set(\.overwritesSpeaker, .ofFlag(overwrite ? true : nil))
      try layer.set(\.endpoint, .ofFlag(live))
      try layer.set(\.turnDetection, .ofFlag(turnDetection))
      try layer.set(\.patience, .ofFlag(patience))
      try layer.set(\.endWord, .ofFlag(endWord))
      try layer.set(\.thinksLong, .ofFlag(longThought))
      try layer.set(\.display, .ofFlag(display))
      try layer.set(\.duringRun, .ofFlag(duringRun))
      try layer.set(\.isFast, .ofFlag(pace))
      try layer.set(\.records, .ofFlag(record))
    }
  }
}
