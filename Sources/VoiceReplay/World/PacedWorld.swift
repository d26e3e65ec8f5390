import Dispatch
package import VoiceCore
import VoiceLoop
import VoiceSystem
package import VoiceVocabulary

/// A simulated world in real time with a live model that is real: the user, the microphone, the speaker, the agent and the
/// disk follow the script, and what the model and its voice report comes from other threads.
///
/// One task drives it, as it does any world.
package final class PacedWorld: EventSource {
  /// A session that has not ended by then is ended: no recording is as long.
  private static let longestMilliseconds = 180_000

  let world: SimulatedWorld
  private let posted = PostedEvents()

  init(_ world: SimulatedWorld) {
    self.world = world
    world.time.after(milliseconds: Self.longestMilliseconds, .terminationRequested(signal: "the replay's limit"))
  }

  /// Where the live model and its voice report; any thread.
  package var post: @Sendable (VoiceEvent) -> Void { { [posted] in posted.post($0) } }

  package func next() async -> StampedEvent? {
    while true {
      let now = posted.now
      if let next = world.next(limit: now) { return StampedEvent(time: world.clock(at: now), event: next.event) }
      world.time.advance(to: now)
      if let event = posted.take() { return StampedEvent(time: world.clock(at: now), event: event) }
      await posted.wait(until: world.time.due)
    }
  }

  /// Run the session, with these behind its ports.
  package func run(liveModel: any LiveModelPort, readout: any ReadoutPort) async -> WorldReplay {
    var ports = world.ports
    ports.liveModel = liveModel
    ports.readout = readout
    return await WorldReplay(world, events: self, ports: ports)
  }
}

/// Events from other threads, and the clock of a world in real time.
private final class PostedEvents: Sendable {
  private struct State {
    var events: [VoiceEvent] = []
    var waiter: CheckedContinuation<Void, Never>?
    /// Grows with every wait, so that an alarm of an earlier one wakes nobody.
    var waits = 0
  }

  private let state = Locked(State())
  private let clock = SessionClock()
  private let queue = DispatchQueue(label: "parley.paced-world")

  var now: SessionTime { clock.now }

  func post(_ event: VoiceEvent) {
    let waiter = state.withLock { state in
      state.events.append(event)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func take() -> VoiceEvent? { state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() } }

  /// Until something is posted or this moment has come.
  func wait(until due: SessionTime?) async {
    await withCheckedContinuation { continuation in
      let wait: Int? = state.withLock { state in
        guard state.events.isEmpty else { return nil }
        state.waits += 1
        state.waiter = continuation
        return state.waits
      }
      guard let wait else { return continuation.resume() }
      guard let due else { return }
      let microseconds = max(0, due.microseconds - now.microseconds)
      queue.asyncAfter(deadline: .now() + .microseconds(Int(microseconds))) { [self] in
        let waiter = state.withLock { state in
          guard state.waits == wait else { return nil as CheckedContinuation<Void, Never>? }
          defer { state.waiter = nil }
          return state.waiter
        }
        waiter?.resume()
      }
    }
  }
}
