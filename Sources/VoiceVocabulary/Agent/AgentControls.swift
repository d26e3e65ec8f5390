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

    /// The one value that has this name, or alone begins so, whatever the case; nil if none does, or several do.
    package func named(_ name: String) -> String? {
      guard !name.isEmpty else { return nil }
      let wanted = name.lowercased()
      // What it is in now need not be among what it lists.
      let names = offered + [current].compactMap { $0 }.filter { !offered.contains($0) }
      let begins = names.filter { $0.lowercased().hasPrefix(wanted) }
      return names.first { $0.lowercased() == wanted } ?? (begins.count == 1 ? begins[0] : nil)
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
