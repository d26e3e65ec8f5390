import VoiceJSON
package import VoiceVocabulary

/// A setting of an ACP session: how it decides what it may do unasked, or its model (sections 2.2 and 9, rule 6, of the notes).
struct ACPSetting: Equatable {
  /// How it is changed: a call of its own, or the newer option that some agents offer instead or as well.
  enum Route: Equatable {
    case call
    case option(id: String)
  }

  let setting: AgentSetting
  var current: String
  var offered: [String]
  var route: Route

  /// Modes that are known to ask before they act, the best first. `read-only` is last: it asks, or refuses outright.
  static let asking = ["ask", "always-ask", "default", "manual", readOnly]
  static let readOnly = "read-only"

  /// What a session tells of it, in the answer to `session/new` or in an update; nil if it has no such setting.
  init?(_ setting: AgentSetting, session: JSON) {
    self.setting = setting
    let option = session["configOptions"]?.elements.first { $0["category"]?.string == setting.rawValue }
    if let option, let id = option["id"]?.string, let current = option["currentValue"]?.string {
      // The choices may stand in groups.
      let choices = (option["options"]?.elements ?? []).flatMap { $0["options"]?.elements ?? [$0] }
      (self.current, offered, route) = (current, choices.compactMap { $0["value"]?.string }, .option(id: id))
      return
    }
    let (told, names, name) =
      switch setting {
      case .mode: (session["modes"]?["currentModeId"], session["modes"]?["availableModes"], "id")
      case .model: (session["models"]?["currentModelId"], session["models"]?["availableModels"], "modelId")
      }
    guard let names else { return nil }
    // Some tell of their modes, and not in which they are.
    guard let current = told?.string ?? (setting == .model ? "" : nil) else { return nil }
    (self.current, offered, route) = (current, names.elements.compactMap { $0[name]?.string }, .call)
  }

  /// The mode to be in: the configured one if it is offered, else the best one that asks.
  func target(preferred: String?) -> String? {
    if let preferred { return offered.contains(preferred) ? preferred : nil }
    return Self.asking.first { offered.contains($0) }
  }

  /// The request that changes it.
  func request(_ value: String, session: String) -> (method: String, parameters: JSON) {
    switch (route, setting) {
    case (.option(let id), _):
      (
        "session/set_config_option",
        ["sessionId": .string(session), "configId": .string(id), "value": .string(value)]
      )
    case (.call, .mode): ("session/set_mode", ["sessionId": .string(session), "modeId": .string(value)])
    case (.call, .model): ("session/set_model", ["sessionId": .string(session), "modelId": .string(value)])
    }
  }
}

/// The mode and the model, which can be changed while the session goes on.
extension ACPDialect {
  /// What it is set to by now.
  var controls: AgentControls {
    func choice(_ setting: ACPSetting?, remark: String? = nil) -> AgentControls.Choice? {
      setting.map { .init(current: $0.current.isEmpty ? nil : $0.current, offered: $0.offered, remark: remark) }
    }
    let remark =
      settings.asksWithoutModes
      ? "it asks before it acts"
      : hasAsked ? "it has asked before it acted" : "whether it asks before it acts is known once it does"
    return AgentControls(mode: choice(mode, remark: remark), model: choice(model), commands: commands)
  }

  package mutating func change(_ setting: AgentSetting, to value: String) {
    guard let known = setting == .mode ? mode : model else { return }
    let (method, parameters) = known.request(value, session: description.session?.rawValue ?? "")
    changes[request(method, parameters)] = SettingChange(setting: setting, value: value)
  }

  /// A change was answered.
  mutating func changed(_ change: SettingChange, _ result: Result<JSON, RPCError>) {
    switch result {
    case .failure(let error):
      let words = error.message.shortened(to: ConverseLimits.reasonCharacters)
      effects.append(.settingRefused(change.setting, change.value, words))
    case .success(let answer):
      let told = ACPSetting(change.setting, session: answer)
      if let told, told.current != change.value {
        effects.append(.settingRefused(change.setting, change.value, "it stays at “\(told.current)”"))
      }
      set(change.setting, told?.current ?? change.value)
    }
  }

  /// The agent tells that it is set to something else.
  mutating func settingsTold(_ update: JSON) {
    if let now = update["currentModeId"]?.string { set(.mode, now) }
    for setting in AgentSetting.allCases {
      if let told = ACPSetting(setting, session: update) { set(setting, told.current) }
    }
  }

  private mutating func set(_ setting: AgentSetting, _ value: String) {
    switch setting {
    case .mode:
      mode?.current = value
      (hasAsked, hasActedUnasked) = (false, false)
    case .model: model?.current = value
    }
    effects.append(.controls(controls))
  }
}
