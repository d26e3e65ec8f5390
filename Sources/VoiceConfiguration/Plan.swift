import VoiceLanguage
import VoiceSystem
package import VoiceVocabulary

/// Everything that a session needs to know before it starts, with the origin of each value.
///
/// Built-in values are overridden by the configuration file, and that by the command line. Secrets are named by their
/// environment variable and are no part of the plan.
@dynamicMemberLookup
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
    /// Whether "auto" takes it where its key is set.
    package var isTakenByKey: Bool

    package init(provider: String, model: String, voice: String, keyVariable: String, isTakenByKey: Bool = true) {
      self.provider = provider
      self.model = model
      self.voice = voice
      self.keyVariable = keyVariable
      self.isTakenByKey = isTakenByKey
    }
  }

  /// The origin of what nobody has set.
  static let builtIn = "built in"

  /// By key; every key of `PlanKey.all` has an entry.
  package private(set) var entries: [String: Entry]

  /// - Parameter layers: the weaker before the stronger.
  package init(_ layers: [PlanLayer]) {
    entries = [:]
    for key in PlanKey.all {
      entries[key.name] = Entry(value: key.builtIn, origin: Self.builtIn)
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
    try plan.requireDifferentPhrases()
    return plan
  }

  /// What is said to the program itself tells it one thing: no two phrases are the same, nor what stops whatever else does.
  private func requireDifferentPhrases() throws(ConfigurationError) {
    let settings: [KeyPath<Settings, Setting<String>>] = [\.stopPhrase, \.sleepPhrase, \.wakePhrase, \.endWord]
    let phrases = settings.map { setting in
      (setting: setting, name: Settings.all[keyPath: setting].key.name, text: self[dynamicMember: setting])
    }
    for (index, phrase) in phrases.enumerated() {
      for other in phrases[..<index] where SpokenPhrases.areAlike(phrase.text, other.text) {
        // What is built in is nobody's fault.
        let isOther = entries[phrase.name]?.origin == Self.builtIn
        let (chosen, taken) = isOther ? (other, phrase) : (phrase, other)
        throw alike(chosen.setting, chosen.text, "as \(taken.name) is")
      }
      if phrase.setting != \.stopPhrase, SpokenPhrases.areAlike(phrase.text, SpokenPhrases.alwaysStops) {
        throw alike(phrase.setting, phrase.text, "which always stops speech and work")
      }
    }
  }

  private func alike(
    _ setting: KeyPath<Settings, Setting<String>>, _ text: String, _ reason: String
  ) -> ConfigurationError {
    let name = Settings.all[keyPath: setting].key.name
    return refusal(of: setting, "\(entries[name]?.origin ?? ""): \(name) is “\(text)”, \(reason); choose other words.")
  }

  /// Decide what was left open: without a key, the live model is the local one; what is not named is the provider's own.
  private mutating func settle(_ providers: [LiveDefaults], _ environment: [String: String]) {
    let named = self.keyVariable
    func variable(_ provider: LiveDefaults) -> String { named.isEmpty ? provider.keyVariable : named }
    if self.endpoint == "auto" {
      let providers = providers.filter(\.isTakenByKey)
      if let provider = providers.first(where: { environment[variable($0)]?.isEmpty == false }) {
        set("live.endpoint", provider.provider, "\(variable(provider)) is set")
      } else {
        let variables = providers.map(variable).joined(separator: " and ")
        let verb = Counted(providers.count, "key").verb("is", "are")
        set("live.endpoint", "local", "\(variables) \(verb) not set")
      }
    }
    let endpoint = self.endpoint
    let chosen = providers.first { endpoint == $0.provider || endpoint.hasPrefix($0.provider + ":") } ?? providers.first
    guard let chosen else { return }
    // The local one has a model and a voice of its own; the key that it does not need is still none of the agent's.
    let isLocal = self.endpoint == "local"
    for (key, value) in [
      ("live.model", isLocal ? "" : chosen.model), ("live.voice", isLocal ? "" : chosen.voice),
      ("live.keyVariable", chosen.keyVariable),
    ] where self.value(key).description.isEmpty && !value.isEmpty {
      set(key, value, "default of \(chosen.provider)")
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

  /// How long a pause ends an utterance, with the user's patience.
  package var silenceMilliseconds: Int { self.patience.silence(of: self.pauseMilliseconds) }

  /// What the user says to the program itself.
  package var phrases: SpokenPhrases {
    SpokenPhrases(stop: self.stopPhrase, sleep: self.sleepPhrase, wake: self.wakePhrase)
  }

  /// The value of a setting: `plan.mode`.
  package subscript<Value>(dynamicMember setting: KeyPath<Settings, Setting<Value>>) -> Value {
    let setting = Settings.all[keyPath: setting]
    return setting.meaning(value(setting.key.name))
  }

  /// That the value of a setting is of no use, which is the call's fault if a flag has set it.
  package func refusal<Value>(
    of setting: KeyPath<Settings, Setting<Value>>, _ text: String
  ) -> ConfigurationError {
    let origin = entries[Settings.all[keyPath: setting].key.name]?.origin
    return ConfigurationError(text, isOfFlag: origin == PlanLayer.commandLine)
  }

  private func value(_ name: String) -> PlanValue {
    guard let entry = entries[name] else { preconditionFailure("there is no key \(name)") }
    return entry.value
  }
}
