package import VoiceVocabulary

/// A change of a setting that the agent was asked for.
struct SettingChange: Equatable {
  let setting: AgentSetting
  let value: String
}

/// What the agent is set to.
extension ChildSession {
  /// Set the agent to one of the values that it offers.
  package mutating func change(_ setting: AgentSetting, to value: String) -> [ChildEffect] {
    if phase == .ready {
      tell { $0.change(setting, to: value) }
    } else {
      refuse(setting, value, "\(dialect.description.name) does not run just now; the next instruction starts it.")
    }
    return taken()
  }

  /// Tell what the agent is set to, if that is news.
  mutating func tell(of controls: AgentControls) {
    guard controls != toldControls else { return }
    toldControls = controls
    act(.post(.agentControlsTold(controls: controls)))
  }

  /// A change came to nothing.
  mutating func refuse(_ setting: AgentSetting, _ value: String, _ reason: String) {
    act(.post(.agentSettingRefused(setting: setting, value: value, reason: reason)))
  }
}
