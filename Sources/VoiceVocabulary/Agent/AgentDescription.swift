/// What is known of a coding agent once it is ready.
package struct AgentDescription: Equatable, Sendable, Codable {
  /// The agent's name as it says it, such as "parley guide".
  package var name: String
  /// The session that is open, if the agent has told it yet.
  package var session: AgentSessionID?
  package var capabilities: AgentCapabilities

  package init(name: String, session: AgentSessionID? = nil, capabilities: AgentCapabilities = []) {
    self.name = name
    self.session = session
    self.capabilities = capabilities
  }

  /// What the user is to know of what it does unasked; nil of an agent that asks before it acts.
  package var unaskedRemark: String? {
    if capabilities.contains(.ask) { return nil }
    if capabilities.contains(.mayAsk) {
      return
        "\(name) may or may not ask for permission; it does without asking whatever it does not ask about."
    }
    return "\(name) never asks for permission: it acts without asking."
  }
}

/// Something that not every coding agent can do.
package enum AgentCapability: String, Sendable, Codable, CaseIterable {
  /// It asks before it acts, in the mode that it is in.
  case ask
  /// A run can be stopped at the agent; without it, a halt only stops listening to it.
  case cancel
  /// A running run takes further instructions.
  case steer
  /// A session can be gone on with by a later program.
  case resume
  /// Earlier sessions can be listed.
  case list
  /// A session can be copied, to go on from it in two ways.
  case fork
  /// A session can be gone on with from an earlier message.
  case rewind
  /// It hears the user's reason together with a denial.
  case hearReason = "reason"
  /// It may ask before it acts: nothing tells before it does.
  case mayAsk = "may-ask"
}

/// A set of capabilities. Written in the order of `AgentCapability`, so that equal sets are equal bytes.
package struct AgentCapabilities: Equatable, Sendable, Codable, ExpressibleByArrayLiteral {
  private var members: Set<AgentCapability>

  package init(arrayLiteral capabilities: AgentCapability...) { members = Set(capabilities) }

  package init(from decoder: any Decoder) throws {
    members = Set(try decoder.singleValueContainer().decode([AgentCapability].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(inOrder)
  }

  /// The members in the order of `AgentCapability`.
  package var inOrder: [AgentCapability] { AgentCapability.allCases.filter(members.contains) }

  /// Whether the agent can do this.
  package func contains(_ capability: AgentCapability) -> Bool { members.contains(capability) }

  /// Add the capability, or take it away.
  package mutating func set(_ capability: AgentCapability, _ isThere: Bool) {
    if isThere { members.insert(capability) } else { members.remove(capability) }
  }
}
