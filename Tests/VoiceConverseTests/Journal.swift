import VoiceCore
import VoiceTesting
import VoiceVocabulary

/// What an agent posted.
typealias Journal = VoiceTesting.Journal<VoiceEvent>

extension Journal where Element == VoiceEvent {
  /// The closure to give to an agent.
  var post: @Sendable (VoiceEvent) -> Void { { self.append($0) } }

  /// What the agent reported of a run, in order.
  func reports(of run: RunID) -> [AgentEvent] { Self.reports(of: run, in: all) }

  static func reports(of run: RunID, in events: [VoiceEvent]) -> [AgentEvent] {
    events.compactMap { if case .agentReported(run, let event) = $0 { event } else { nil } }
  }

  /// Wait for the end of a run and return it.
  func end(of run: RunID) async -> AgentTurnEnd? {
    _ = await wait { Self.end(of: run, in: $0) != nil }
    return Self.end(of: run, in: all)
  }

  private static func end(of run: RunID, in events: [VoiceEvent]) -> AgentTurnEnd? {
    for event in reports(of: run, in: events) { if case .turnEnded(let end) = event { return end } }
    return nil
  }

  /// The whole text of a run's answer.
  func text(of run: RunID) -> String {
    reports(of: run).map { if case .text(let delta) = $0 { delta } else { "" } }.joined()
  }

  /// Wait for `agentReady`; nil if it does not come.
  func ready() async -> AgentDescription? {
    _ = await wait { $0.contains { if case .agentReady = $0 { true } else { false } } }
    for case .agentReady(let agent) in all { return agent }
    return nil
  }

  /// Wait for `agentUnavailable` and return its reason.
  func unavailable() async -> String? {
    _ = await wait { $0.contains { if case .agentUnavailable = $0 { true } else { false } } }
    for case .agentUnavailable(let reason) in all { return reason }
    return nil
  }

  /// Wait for so many questions and return the last of them.
  func question(_ count: Int = 1) async -> AgentQuestion? {
    func find(_ events: [VoiceEvent]) -> AgentQuestion? {
      let asked = events.compactMap { event in
        if case .agentReported(_, .questionAsked(let question)) = event { question } else { nil }
      }
      return asked.count >= count ? asked[count - 1] : nil
    }
    _ = await wait { find($0) != nil }
    return find(all)
  }

  /// Wait for the agent to say how it stands, or for the end of the run, and return the last that it said.
  func status(of run: RunID) async -> String? {
    func find(_ events: [VoiceEvent]) -> String? {
      Self.reports(of: run, in: events).compactMap { if case .status(let text) = $0 { text } else { nil } }.last
    }
    _ = await wait { find($0) != nil || Self.end(of: run, in: $0) != nil }
    return find(all)
  }

  /// Wait for a permission request.
  func permission() async -> PermissionRequest? {
    func find(_ events: [VoiceEvent]) -> PermissionRequest? {
      for case .agentReported(_, .permissionRequested(let request)) in events { return request }
      return nil
    }
    _ = await wait { find($0) != nil }
    return find(all)
  }
}

extension Instruction {
  init(_ text: String, source: Source = .keyboard) {
    self.init(id: InstructionID(rawValue: 1), text: text, heard: nil, source: source)
  }
}

extension RunID: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self.init(rawValue: value) }
}

extension WireFrame {
  /// Whether it went to the agent.
  var isSent: Bool { if case .sent = self { true } else { false } }

  /// What went over the wire.
  var bytes: [UInt8] {
    switch self {
    case .sent(let bytes), .received(let bytes): bytes
    case .sentSound: []
    }
  }
}
