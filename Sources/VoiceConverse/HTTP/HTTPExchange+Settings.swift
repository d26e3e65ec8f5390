package import VoiceVocabulary

// What the agent is set to.
extension HTTPExchange {
  /// Set the agent to a value, from the next instruction on.
  package mutating func change(_ setting: AgentSetting, to value: String) -> [Effect] {
    if dialect.change(setting, to: value) { return tellControls() }
    let reason = "\(dialect.server.kind) does not take it."
    return [.post(.agentSettingRefused(setting: setting, value: value, reason: reason))]
  }

  /// What the dialect is set to, to be told.
  func tellControls() -> [Effect] { dialect.controls.map { [.post(.agentControlsTold(controls: $0))] } ?? [] }
}
