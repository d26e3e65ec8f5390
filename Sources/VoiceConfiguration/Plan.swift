package import VoiceCore

/// Everything that a session needs to know before it starts, with the origin of each value.
///
/// Built-in values are overridden by the configuration file, and that by the command line. Secrets are named by their
/// environment variable and are no part of the plan.
package struct Plan: Equatable, Sendable {
  /// One value and where it came from.
  package struct Entry: Equatable, Sendable {
    package var value: PlanValue
    package var origin: String
  }

  /// What a live provider has for who names nothing else.
  package struct LiveDefaults: Equatable, Sendable {
    /// As `live.endpoint` names it.
    package var provider: String
    package var model: String
    package var voice: String
    package var keyVariable: String

    package init(provider: String, model: String, voice: String, keyVariable: String) {
      self.provider = provider
      self.model = model
      self.voice = voice
      self.keyVariable = keyVariable
    }
  }

  /// By key; every key of `PlanKey.all` has an entry.
  package private(set) var entries: [String: Entry]

  /// - Parameter layers: the weaker before the stronger.
  package init(_ layers: [PlanLayer]) {
    entries = [:]
    for key in PlanKey.all {
      entries[key.name] = Entry(value: key.builtIn, origin: "built in")
      for layer in layers {
        if let value = layer.values[key.name] { entries[key.name] = Entry(value: value, origin: layer.origin) }
      }
    }
  }

  /// The plan of this call: the named file, or the user's own if there is one, and the command line.
  ///
  /// - Parameter providers: the live providers that there are; the first is whom an address without a name is of.
  package static func resolve(
    file: String?, commandLine: PlanLayer, providers: [LiveDefaults], environment: [String: String],
    fileExists: (String) -> Bool
  ) throws(ConfigurationError) -> Plan {
    var layers: [PlanLayer] = []
    if let file {
      layers.append(try PlanLayer(readingFile: file))
    } else {
      // The user's own alone: a project that is worked on has no say, since this names programs that are run.
      let own = UserFolders(environment).configuration.map { $0 + "/parley.json5" }
      if let own, fileExists(own) { layers.append(try PlanLayer(readingFile: own)) }
    }
    var plan = Plan(layers + [commandLine])
    plan.settle(providers, environment)
    return plan
  }

  /// Decide what was left open: without a key, the live model is the local one; what is not named is the provider's own.
  private mutating func settle(_ providers: [LiveDefaults], _ environment: [String: String]) {
    let named = keyVariable
    func variable(_ provider: LiveDefaults) -> String { named.isEmpty ? provider.keyVariable : named }
    if endpoint == "auto" {
      if let provider = providers.first(where: { environment[variable($0)]?.isEmpty == false }) {
        set("live.endpoint", provider.provider, "\(variable(provider)) is set")
      } else {
        let variables = providers.map(variable).joined(separator: " and ")
        let verb = Counted(providers.count, "key").verb("is", "are")
        set("live.endpoint", "local", "\(variables) \(verb) not set")
      }
    }
    let chosen = providers.first { endpoint == $0.provider || endpoint.hasPrefix($0.provider + ":") } ?? providers.first
    guard let chosen else { return }
    for (key, value) in [
      ("live.model", chosen.model), ("live.voice", chosen.voice), ("live.keyVariable", chosen.keyVariable),
    ] where self[key].isEmpty && !value.isEmpty {
      set(key, value, "usual with \(chosen.provider)")
    }
  }

  private mutating func set(_ key: String, _ text: String, _ origin: String) {
    entries[key] = Entry(value: .text(text), origin: origin)
  }

  /// Every value in the order of the keys, for `parley check` and for a session's manifest.
  package var rows: [(key: String, value: String, origin: String)] {
    PlanKey.all.compactMap { key in
      entries[key.name].map { (key.name, $0.value.description, $0.origin) }
    }
  }

  // MARK: Values

  private subscript(name: String) -> String { value(name).description }

  private func value(_ name: String) -> PlanValue {
    guard let entry = entries[name] else { preconditionFailure("there is no key \(name)") }
    return entry.value
  }

  private func flag(_ name: String) -> Bool { value(name) == .flag(true) }

  private func list(_ name: String) -> [String] {
    if case .list(let items) = value(name) { items } else { [] }
  }

  private func number(_ name: String) -> Int {
    guard case .number(let number) = value(name) else { preconditionFailure("\(name) is not a number") }
    return number
  }

  /// Whether a spoken instruction is held for approval.
  package var mode: InteractionMode { self["interaction.mode"] == "direct" ? .direct : .review }
  /// Whether a held instruction is read aloud.
  package var readsBack: Bool { flag("interaction.readBack") }
  /// Nil where the program is to choose by what the speaker is.
  package var interruptedBy: VoiceDetector? { VoiceDetector(rawValue: self["interaction.interruptedBy"]) }
  /// How the session is shown: `lines`, `status`, `quiet` or `json`.
  package var display: String { self["interaction.display"] }
  /// What may be decided by voice.
  package var spokenDecisions: InteractionSettings.SpokenDecisions {
    InteractionSettings.SpokenDecisions(rawValue: self["interaction.spokenDecisions"]) ?? .none
  }
  /// Patterns of acts that are approved by key only.
  package var keyboardOnly: [String] { list("interaction.keyboardOnly") }
  /// Command lines that may be approved by voice besides those that are known to be harmless.
  package var voiceCommands: [String] { list("interaction.voiceCommands") }
  /// What becomes of an instruction that comes while the agent works.
  package var duringRun: InteractionSettings.DuringRun {
    InteractionSettings.DuringRun(rawValue: self["interaction.duringRun"]) ?? .queue
  }
  /// Whether the agent is told how much of an answer was heard before it was interrupted.
  package var tellsWhatWasHeard: Bool { flag("interaction.tellWhatWasHeard") }
  /// Whether the microphone is open from the start.
  package var startsListening: Bool { flag("interaction.listenFromStart") }
  /// How long the agent waits for an answer; 0 where it waits as long as it takes.
  package var answerLimitSeconds: Int { number("interaction.answerLimitSeconds") }
  /// How long what the agent has left in the background is waited for where nobody is there.
  package var backgroundSeconds: Int { number("interaction.backgroundSeconds") }
  /// How long an item must have been shown before it can be decided about.
  package var shownMilliseconds: Int { number("interaction.shownMilliseconds") }
  /// Whether names are mined from the working folder.
  package var knowsProjectWords: Bool { flag("interaction.projectWords") }
  /// The word that ends a spoken instruction; empty where a pause does.
  package var endWord: String { self["interaction.endWord"] }
  /// Whether no pause ends an instruction from the start, only the end word or the key.
  package var thinksLong: Bool { flag("interaction.longThought") }
  /// `default`, a part of a device's name, a path, or `-`.
  package var microphone: String { self["audio.microphone"] }
  /// `default`, a part of a device's name, a path, `-`, or `none`.
  package var speaker: String { self["audio.speaker"] }
  /// Whether a file that is named as the speaker may be lost if it is there already.
  package var overwritesSpeaker: Bool { flag("audio.overwrite") }
  /// Whether a sound file is heard as fast as it can be.
  package var isFast: Bool { self["audio.pace"] == "fast" }
  /// Whether the echo of a device's speaker is cancelled in what its microphone hears.
  package var cancelsEcho: Bool { flag("audio.echoCancelling") }
  /// `local`, a provider's name, an address, or both as `PROVIDER:ADDRESS`.
  package var endpoint: String { self["live.endpoint"] }
  /// The live model, by its provider's name.
  package var model: String { self["live.model"] }
  /// The live model's voice, by its provider's name; nil for the server's own default.
  package var voice: String? { nonEmpty("live.voice") }
  /// The environment variable that holds the live model's key.
  package var keyVariable: String { self["live.keyVariable"] }
  /// A file with certificates to trust; nil for the system's.
  package var certificateAuthority: String? { nonEmpty("live.certificateAuthority") }
  /// Who finds the end of an utterance.
  package var turnDetection: InteractionSettings.TurnDetection {
    self["live.turnDetection"] == "client" ? .client : .server
  }
  /// How much time there is to think.
  package var patience: Patience { Patience(rawValue: self["interaction.patience"]) ?? .normal }
  /// How long a pause ends an utterance, with the user's patience.
  package var silenceMilliseconds: Int { patience.silence(of: number("live.silenceMilliseconds")) }
  /// Whether the live model's own voice is played while nothing else speaks.
  package var playsModelVoice: Bool { flag("live.playModelVoice") }
  /// The coding agent, as `--agent` takes it.
  package var agent: String { self["agent.agent"] }
  /// Where the agent works, as it was written: relative to where the program was started.
  package var workingFolder: String { self["agent.workingFolder"] }
  /// Names of environment variables that a child-process agent gets in any case.
  package var agentEnvironment: [String] { list("agent.environment") }
  /// Whether a child-process agent gets only these, what every program needs, and what its kind is known to need.
  package var agentGetsNamedOnly: Bool { !flag("agent.inheritEnvironment") }
  /// The mode that the agent is put into once its session is open; nil for one that asks.
  package var preferredAgentMode: String? { nonEmpty("agent.preferredMode") }
  /// The model that the agent works with; nil leaves it to the agent.
  package var agentModel: String? { nonEmpty("agent.model") }
  /// The environment variable that holds an HTTP agent's token.
  package var agentKeyVariable: String? { nonEmpty("agent.keyVariable") }
  /// A file with an HTTP agent's token, for its owner alone.
  package var agentKeyFile: String? { nonEmpty("agent.keyFile") }
  /// Whether an HTTP agent's token is a cookie.
  package var agentKeyIsCookie: Bool { self["agent.keyForm"] == "cookie" }
  /// Images and PDFs that go with the first instruction.
  package var attachments: [String] {
    if case .list(let paths) = value("agent.attachments") { paths } else { [] }
  }
  /// How a bare model is to write, each `NAME=VALUE`.
  package var generation: [String] { list("agent.generation") }
  /// What a bare model may use at its server.
  package var modelTools: [String] { list("agent.modelTools") }
  /// A file with certificates to trust for HTTP agents; nil for the system's.
  package var agentCertificateAuthority: String? { nonEmpty("agent.certificateAuthority") }
  /// Whether the session leaves a folder.
  package var records: Bool { flag("recording.enabled") }
  /// Where session folders are made; nil for the usual place.
  package var recordingFolder: String? { nonEmpty("recording.folder") }
  /// How the sound is kept: opus, lossless or both.
  package var recordedSound: String { self["recording.sound"] }

  private func nonEmpty(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }
}
