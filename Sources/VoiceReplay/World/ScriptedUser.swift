import VoiceCore
import VoiceVocabulary

/// Follows the user's part of a script: waits for what the session does, and does the next action.
final class ScriptedUser {
  private let time: VirtualTime
  private let perform: (Fixture.UserAction) -> VoiceEvent?
  private var steps: ArraySlice<Fixture.UserStep>
  /// Steps that nothing has led to yet.
  var unreached: Int { steps.count }
  /// How often what the next step waits for has happened.
  private var noticedCount = 0
  /// Grows with every action.
  private var actionCount = 0
  /// When the user did something last.
  private(set) var lastAction = SessionTime.zero

  /// - Parameter perform: does the action, which may be an event.
  init(_ fixture: Fixture, _ time: VirtualTime, perform: @escaping (Fixture.UserAction) -> VoiceEvent?) {
    self.time = time
    self.perform = perform
    steps = fixture.user[...]
  }

  /// Something happened that a step may wait for.
  func noticed(_ trigger: Fixture.Trigger) {
    guard let step = steps.first, step.await == trigger else { return }
    noticedCount += 1
    if noticedCount >= step.times ?? 1 { plan(step) }
  }

  /// The step before is over.
  func goOn() {
    if let step = steps.first, step.await == nil { plan(step) }
  }

  private func plan(_ step: Fixture.UserStep) {
    steps = steps.dropFirst()
    noticedCount = 0
    actionCount += 1
    time.after(milliseconds: step.after ?? 0) { [self] in
      lastAction = time.now
      let event = perform(step.do)
      // What is said takes its time; everything else is over at once.
      if case .say = step.do { noticed(.saying) } else { goOn() }
      return event
    }
  }

  /// Where something goes wrong, what a step waits for may never happen. A user does not wait for ever: after a minute
  /// the next step comes all the same, and after the last one everything that ends a session, one after the other.
  ///
  /// - Parameter isOver: told before the last means of all.
  func startWatchdog(isOver: @escaping () -> Void) {
    let endings: [Fixture.UserAction] = [.endMicrophone, .endCommands, .terminate]
    var rest = endings[...]
    func wait(since actions: Int) {
      time.after(milliseconds: 60_000) { [self] in
        defer { wait(since: actionCount) }
        guard actionCount == actions else { return nil }
        if let step = steps.first {
          plan(step)
          return nil
        }
        guard let ending = rest.popFirst() else { return nil }
        lastAction = time.now
        if rest.isEmpty { isOver() }
        return perform(ending)
      }
    }
    wait(since: 0)
  }
}
