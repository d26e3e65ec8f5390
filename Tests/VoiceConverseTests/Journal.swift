import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Collects what an agent posts, and waits for it with a deadline.
final class Journal: Sendable {
  private struct Waiter {
    let id: Int
    let isMet: @Sendable ([VoiceEvent]) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var events: [VoiceEvent] = []
    var waiters: [Waiter] = []
    var lastWaiter = 0
  }

  private let state = Locked(State())

  var events: [VoiceEvent] { state.withLock { $0.events } }

  /// The closure to give to an agent.
  var post: @Sendable (VoiceEvent) -> Void { { self.add($0) } }

  private func add(_ event: VoiceEvent) {
    let met = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let met = state.waiters.filter { $0.isMet(events) }
      let ids = met.map(\.id)
      state.waiters.removeAll { ids.contains($0.id) }
      return met.map(\.continuation)
    }
    for continuation in met { continuation.resume(returning: true) }
  }

  /// Wait until the events meet a condition; false after the deadline.
  func wait(seconds: Int = 120, until isMet: @escaping @Sendable ([VoiceEvent]) -> Bool) async -> Bool {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await withCheckedContinuation { continuation in
          let isAlreadyMet = self.state.withLock { state in
            if isMet(state.events) { return true }
            state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
            return false
          }
          if isAlreadyMet { continuation.resume(returning: true) }
        }
      }
      group.addTask {
        do { try await ContinuousClock().sleep(for: .seconds(seconds)) } catch { return true }
        self.giveUp(id)
        return false
      }
      let result = await group.next() ?? false
      group.cancelAll()
      return result
    }
  }

  private func giveUp(_ id: Int) {
    let continuation = state.withLock { state in
      let waiter = state.waiters.first { $0.id == id }
      state.waiters.removeAll { $0.id == id }
      return waiter?.continuation
    }
    continuation?.resume(returning: false)
  }

  /// What the agent reported of a run, in order.
  func reports(of run: RunID) -> [AgentEvent] { Self.reports(of: run, in: events) }

  static func reports(of run: RunID, in events: [VoiceEvent]) -> [AgentEvent] {
    events.compactMap { if case .agentReported(run, let event) = $0 { event } else { nil } }
  }

  /// Wait for the end of a run and return it.
  func end(of run: RunID, seconds: Int = 120) async -> AgentTurnEnd? {
    _ = await wait(seconds: seconds) { Self.end(of: run, in: $0) != nil }
    return Self.end(of: run, in: events)
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
    for case .agentReady(let agent) in events { return agent }
    return nil
  }

  /// Wait for `agentUnavailable` and return its reason.
  func unavailable() async -> String? {
    _ = await wait { $0.contains { if case .agentUnavailable = $0 { true } else { false } } }
    for case .agentUnavailable(let reason) in events { return reason }
    return nil
  }

  /// Wait for so many questions and return the last of them.
  func question(_ count: Int) async -> AgentQuestion? {
    @Sendable func find(_ events: [VoiceEvent]) -> AgentQuestion? {
      let asked = events.compactMap { event in
        if case .agentReported(_, .questionAsked(let question)) = event { question } else { nil }
      }
      return asked.count >= count ? asked[count - 1] : nil
    }
    _ = await wait { find($0) != nil }
    return find(events)
  }

  /// Wait for a permission request.
  func permission() async -> PermissionRequest? {
    @Sendable func find(_ events: [VoiceEvent]) -> PermissionRequest? {
      for case .agentReported(_, .permissionRequested(let request)) in events { return request }
      return nil
    }
    _ = await wait { find($0) != nil }
    return find(events)
  }
}

extension Journal {
  /// Wait for a question.
  func question() async -> AgentQuestion? {
    @Sendable func find(_ events: [VoiceEvent]) -> AgentQuestion? {
      for case .agentReported(_, .questionAsked(let question)) in events { return question }
      return nil
    }
    _ = await wait { find($0) != nil }
    return find(events)
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
