import Dispatch
import VoiceSystem
import VoiceVocabulary

/// Timers of a live session. They stand still while the program is stopped: a wait for somebody else has, after it, what
/// it had left.
struct RealTimers: TimerPort, Sendable {
  private struct Armed {
    /// Tells an arming from a later one of the same timer.
    var number: Int
    var countdown: Countdown
  }

  private struct State {
    var armed: [TimerID: Armed] = [:]
    var armings = 0
  }

  private enum Look {
    case gone
    case fires
    case again(milliseconds: Int)
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "parley.timers")
  let now: @Sendable () -> SessionTime
  let post: @Sendable (VoiceEvent) -> Void

  func startTimer(_ timer: TimerID, milliseconds: Int) {
    let countdown = Countdown(milliseconds: milliseconds, from: now())
    let number = state.withLock { state in
      state.armings += 1
      state.armed[timer] = Armed(number: state.armings, countdown: countdown)
      return state.armings
    }
    wait(for: timer, number, milliseconds: milliseconds == 0 ? 0 : countdown.nextLookMilliseconds)
  }

  private func wait(for timer: TimerID, _ number: Int, milliseconds: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
      switch look(at: timer, number) {
      case .gone: break
      case .fires: post(.timerFired(timer: timer))
      case .again(let milliseconds): wait(for: timer, number, milliseconds: milliseconds)
      }
    }
  }

  private func look(at timer: TimerID, _ number: Int) -> Look {
    state.withLock { state in
      guard var armed = state.armed[timer], armed.number == number else { return .gone }
      let isOver = armed.countdown.isOver(at: now())
      state.armed[timer] = isOver ? nil : armed
      return isOver ? .fires : .again(milliseconds: armed.countdown.nextLookMilliseconds)
    }
  }

  func cancelTimer(_ timer: TimerID) { state.withLock { _ = $0.armed.removeValue(forKey: timer) } }
}
