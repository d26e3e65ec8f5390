import VoiceJSON
package import VoiceVocabulary

/// The mode and the model, which can be changed while the session goes on.
extension ClaudeDialect {
  /// What `--permission-mode` takes; it refuses by itself those that it was not started for.
  static let modes = ["default", "plan", "acceptEdits", "dontAsk", "auto", "bypassPermissions"]

  /// What it is set to by now.
  var controls: AgentControls {
    let asks = Self.askingModes.contains(mode)
    let remark = asks ? "it asks before it acts" : "some or all of what it does, it does unasked"
    return AgentControls(
      mode: .init(current: mode.isEmpty ? nil : mode, offered: Self.modes, remark: mode.isEmpty ? nil : remark),
      model: .init(current: model, offered: models), commands: commands)
  }

  package mutating func change(_ setting: AgentSetting, to value: String) {
    let request: JSON =
      switch setting {
      case .mode: ["subtype": "set_permission_mode", "mode": .string(value)]
      case .model: ["subtype": "set_model", "model": .string(value)]
      }
    changes[control(request)] = SettingChange(setting: setting, value: value)
  }

  /// A control request was answered; nothing if it was for no change.
  mutating func changeAnswered(_ response: JSON, _ failure: String?) {
    guard let change = response["request_id"]?.string.flatMap({ changes.removeValue(forKey: $0) }) else { return }
    if let failure {
      return effects.append(
        .settingRefused(change.setting, change.value, failure.shortened(to: ConverseLimits.reasonCharacters)))
    }
    switch change.setting {
    case .mode: mode = change.value
    case .model: model = change.value
    }
    settingsChanged()
  }

  /// It told which mode or model it works with.
  mutating func toldOfSettings(mode now: String?, model nowModel: String?) {
    let before = controls
    // `manual` is the newer name of `default`.
    if let now, !Self.isSame(now, mode) { mode = now }
    if let nowModel { model = nowModel }
    if phase == .open, controls != before { settingsChanged() }
  }

  private mutating func settingsChanged() {
    description.capabilities.set(.ask, Self.askingModes.contains(mode))
    effects.append(.controls(controls))
  }

  /// Whether two names mean one mode: `manual` is the newer name of `default`.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let names = ["default", "manual"]
    return one == other || names.contains(one) && names.contains(other)
  }
}
