import VoiceCore

extension Plan {
  /// Decide every setting: what the program does by itself, under the configuration file, under the command line.
  ///
  /// - Parameters:
  ///   - file: the file of `--config`; without it the user's own file is read, if there is one.
  ///   - commandLine: what the options of the command line say.
  ///   - environment: the process's environment. Of a key's variable only whether it is set is looked at.
  ///   - currentFolder: the absolute path that relative paths are relative to.
  /// - Throws: one error, for the first thing that is wrong.
  package static func resolve(
    file: String? = nil, commandLine: PlanLayer = PlanLayer(), environment: [String: String], currentFolder: String
  ) throws(ConfigurationError) -> Plan {
    let paths = PlanPaths(environment: environment, currentFolder: currentFolder)
    var layers: [(said: PlanLayer, origin: PlanOrigin)] = [(.builtIn, .builtIn)]
    if let file {
      let path = paths.absolute(file)
      guard let layer = try ConfigurationFile.layer(at: path) else {
        throw ConfigurationError("There is no configuration file \(path). Check the path given with --config.")
      }
      layers.append((layer, .file(path)))
    } else if let path = paths.userFile, let layer = try ConfigurationFile.layer(at: path) {
      layers.append((layer, .file(path)))
    }
    for key in PlanKey.all {
      if let complaint = key.objection(commandLine) {
        throw ConfigurationError("On the command line, \(key.name) \(complaint).")
      }
    }
    layers.append((commandLine, .commandLine))
    return Plan(layers: layers, paths: paths, environment: environment)
  }

  /// The uppermost layer that says something decides; the lowest says everything.
  private init(layers: [(said: PlanLayer, origin: PlanOrigin)], paths: PlanPaths, environment: [String: String]) {
    func pick<Value>(_ setting: KeyPath<PlanLayer, Value?>) -> Resolved<Value> {
      for layer in layers.reversed() {
        if let value = layer.said[keyPath: setting] { return Resolved(value, layer.origin) }
      }
      preconditionFailure("the built-in plan says nothing about \(setting)")
    }
    let endpoint = Self.endpoint(pick(\.live.endpoint), key: pick(\.live.keyVariable).value, environment)
    interaction = Interaction(
      mode: pick(\.interaction.mode), readBack: pick(\.interaction.readBack),
      interruptedBy: pick(\.interaction.interruptedBy))
    audio = Audio(
      microphone: pick(\.audio.microphone), speaker: pick(\.audio.speaker), pace: pick(\.audio.pace),
      echoCancelling: pick(\.audio.echoCancelling))
    live = Live(
      endpoint: endpoint, model: pick(\.live.model), voice: pick(\.live.voice),
      keyVariable: Self.keyVariable(pick(\.live.keyVariable), of: endpoint.value),
      certificateAuthority: pick(\.live.certificateAuthority).map { $0.map(paths.absolute) },
      turnDetection: pick(\.live.turnDetection), silenceMilliseconds: pick(\.live.silenceMilliseconds),
      playModelVoice: pick(\.live.playModelVoice))
    agent = Agent(
      agent: pick(\.agent.agent), workingFolder: pick(\.agent.workingFolder).map(paths.absolute),
      environment: pick(\.agent.environment), preferredMode: pick(\.agent.preferredMode),
      keyVariable: pick(\.agent.keyVariable))
    recording = Recording(
      enabled: pick(\.recording.enabled),
      folder: pick(\.recording.folder).map { $0.map(paths.absolute) ?? paths.sessions }, opus: pick(\.recording.opus))
    display = Display(colour: pick(\.display.colour), thoughts: pick(\.display.thoughts))
  }

  /// "auto" is Gemini where its key is there, and otherwise the model of this machine; the origin says why.
  private static func endpoint(
    _ choice: Resolved<LiveEndpointChoice>, key: String?, _ environment: [String: String]
  ) -> Resolved<LiveEndpoint> {
    switch choice.value {
    case .fixed(let endpoint): return Resolved(endpoint, choice.origin)
    case .auto:
      guard let key else { return Resolved(.local, .derived(because: "auto: no key variable is named")) }
      if environment[key]?.isEmpty == false { return Resolved(.gemini, .derived(because: "auto: \(key) is set")) }
      return Resolved(.local, .derived(because: "auto: \(key) is not set"))
    }
  }

  /// The built-in name is Gemini's. Nobody else gets that key unless somebody says so.
  private static func keyVariable(_ named: Resolved<String?>, of endpoint: LiveEndpoint) -> Resolved<String?> {
    if endpoint == .local { return Resolved(nil, .derived(because: "the local model needs no key")) }
    guard named.origin == .builtIn else { return named }
    switch endpoint {
    case .gemini, .local: return named
    case .openai: return Resolved("OPENAI_API_KEY", .derived(because: "usual for openai"))
    case .server: return Resolved(nil, .derived(because: "a server of one's own gets no key unless one is named"))
    }
  }
}

extension Resolved {
  /// The value changed, its origin kept.
  fileprivate func map<Other>(_ change: (Value) -> Other) -> Resolved<Other> { Resolved<Other>(change(value), origin) }
}

/// Where files are, for this user.
struct PlanPaths {
  private let environment: [String: String]
  private let currentFolder: String

  init(environment: [String: String], currentFolder: String) {
    self.environment = environment
    self.currentFolder = currentFolder
  }

  /// `$XDG_CONFIG_HOME/parley/parley.json5` (XDG Base Directory Specification); nil without a home.
  var userFile: String? { folder("XDG_CONFIG_HOME", inHome: ".config").map { $0 + "/parley/parley.json5" } }

  /// Where sessions are kept if nobody says otherwise.
  var sessions: String {
    folder("XDG_STATE_HOME", inHome: ".local/state").map { $0 + "/parley/sessions" } ?? absolute("sessions")
  }

  /// "~" is the home folder, and what is relative is relative to the current folder.
  func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    if path == "~" || path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    if path == "." { return currentFolder }
    let relative = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
    return currentFolder.hasSuffix("/") ? currentFolder + relative : currentFolder + "/" + relative
  }

  private var home: String? { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// A variable that is not an absolute path counts as unset, as the specification asks.
  private func folder(_ variable: String, inHome name: String) -> String? {
    if let path = environment[variable], path.hasPrefix("/") { return path }
    return home.map { $0 + "/" + name }
  }
}
