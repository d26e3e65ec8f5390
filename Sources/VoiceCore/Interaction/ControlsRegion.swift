package import VoiceVocabulary

/// What the agent is, what of it can be changed, and what the user asked to have changed.
package struct ControlsRegion: Equatable, Sendable, DigestedState {
  /// What comes of asking for a setting.
  package enum Answer: Equatable {
    /// This value is to be set.
    case change(to: String)
    /// Nothing is to be set: the user wants to see what there is.
    case show(AgentControls.Choice)
    /// There is no such value, but those.
    case unknown(offered: [String])
    /// The agent does not let it be changed.
    case fixed
  }

  /// One setting that the user is to be told of.
  package struct Told: Equatable {
    package let setting: AgentSetting
    package let value: String
    package let remark: String?
    /// Whether it is what the user asked for.
    package let isAsked: Bool
  }

  /// What the agent said of itself; nil until it is ready.
  package private(set) var agent: AgentDescription?
  /// As the agent told it last; nil until it did.
  package private(set) var controls: AgentControls?
  /// What was asked for and is not answered yet.
  private var asked: [AgentSetting: String] = [:]

  /// The agent is ready, and said this of itself.
  package mutating func ready(_ agent: AgentDescription) { self.agent = agent }

  /// The user asks for a setting by its name, or by how it begins; an empty name asks what there is.
  package mutating func ask(_ setting: AgentSetting, for name: String) -> Answer {
    guard let choice = controls?[setting] else { return .fixed }
    guard !name.isEmpty else { return .show(choice) }
    guard let value = choice.named(name) ?? (choice.offered.isEmpty ? name : nil) else {
      return .unknown(offered: choice.offered)
    }
    asked[setting] = value
    return .change(to: value)
  }

  /// The agent told what it is set to. Returns what of it the user is to be told: what he asked for, what it starts
  /// with, and what changed.
  package mutating func told(_ new: AgentControls) -> [Told] {
    defer { controls = new }
    return AgentSetting.allCases.compactMap { setting in
      guard let value = new[setting]?.current else { return nil }
      let isAsked = asked[setting] == value
      if isAsked { asked[setting] = nil }
      guard isAsked || controls?[setting]?.current != value else { return nil }
      return Told(setting: setting, value: value, remark: new[setting]?.remark, isAsked: isAsked)
    }
  }

  /// The agent did not change this.
  package mutating func refused(_ setting: AgentSetting) { asked[setting] = nil }

  /// The agent's command that these words name, as "slash compact" does, with what follows it; nil if they name none.
  package func command(in words: String) -> String? {
    guard let commands = controls?.commands, words.lowercased().hasPrefix("slash ") else { return nil }
    let parts = words.dropFirst("slash ".count).split(separator: " ")
    // The longest name first: "review" may stand beside "review-pr".
    for count in stride(from: min(parts.count, 4), to: 0, by: -1) {
      let spoken = parts[..<count].joined().lowercased().filter { $0.isLetter || $0.isNumber }
      let named = commands.first { $0.lowercased().filter { $0.isLetter || $0.isNumber } == spoken }
      if let named { return (["/" + named] + parts[count...].map(String.init)).joined(separator: " ") }
    }
    return nil
  }
}

extension ControlsRegion {
  /// The controls only where the agent reported some.
  package func fold(into digest: inout StateDigest) {
    digest.fold(agent?.name)
    for capability in agent?.capabilities.inOrder ?? [] { digest.fold(capability.rawValue) }
    digest.fold(controls != nil)
    guard let controls else { return }
    for setting in AgentSetting.allCases {
      digest.fold(controls[setting]?.current, controls[setting]?.offered, asked[setting])
    }
    digest.fold(controls.commands)
  }
}
