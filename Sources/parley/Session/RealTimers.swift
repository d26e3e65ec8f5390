import Dispatch
import VoiceCore

/// Timers of a live session.
final class RealTimers: TimerPort, Sendable {
  private struct State {
    /// Armed timers, with a number that tells an arming from a later one of the same timer.
    var armed: [TimerID: Int] = [:]
    var armings = 0
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "parley.timers")
  private let post: @Sendable (VoiceEvent) -> Void

  init(post: @escaping @Sendable (VoiceEvent) -> Void) { self.post = post }

  func startTimer(_ timer: TimerID, milliseconds: Int) {
    let arming = state.withLock { state in
      state.armings += 1
      state.armed[timer] = state.armings
      return state.armings
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
      let fires = state.withLock { state in
        guard state.armed[timer] == arming else { return false }
        state.armed[timer] = nil
        return true
      }
      if fires { post(.timerFired(timer: timer)) }
    }
  }

  func cancelTimer(_ timer: TimerID) { state.withLock { _ = $0.armed.removeValue(forKey: timer) } }
}
