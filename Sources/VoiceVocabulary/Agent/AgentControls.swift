/// What of an agent can be changed while its session goes on.
package enum AgentSetting: String, Sendable, Codable, CaseIterable {
  /// What it may do unasked.
  case mode
  /// What it thinks with.
  case model
}

/// What an agent is set to, what else it offers, and its commands, as far as it tells.
package struct AgentControls: Equatable, Sendable, Codable {
  /// One setting.
  package struct Choice: Equatable, Sendable, Codable {
    /// Nil where the agent does not say.
    package var current: String?
    /// The names that it takes; empty where it takes a name and tells of none.
    package var offered: [String]
    /// What the current one means, as the rest of a sentence; nil where that is not known.
    package var remark: String?

    package init(current: String? = nil, offered: [String] = [], remark: String? = nil) {
      self.current = current
      self.offered = offered
      self.remark = remark
    }
  }

  /// Nil where it cannot be changed.
  package var mode: Choice?
  /// Nil where it cannot be changed.
  package var model: Choice?
  /// What begins an instruction that is meant for the agent itself, without the slash.
  package var commands: [String]

  package init(mode: Choice? = nil, model: Choice? = nil, commands: [String] = []) {
    self.mode = mode
    self.model = model
    self.commands = commands
  }

  /// What is known of a setting; nil where it cannot be changed.
  package subscript(setting: AgentSetting) -> Choice? {
    switch setting {
    case .mode: mode
    case .model: model
    }
  }
}
