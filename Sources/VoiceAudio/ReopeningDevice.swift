import Synchronization
import VoiceSystem
import VoiceVocabulary

/// A microphone or a loudspeaker that is opened again when it falls silent: its sound server was restarted, its plug was
/// loose, the program was stopped for a while.
///
/// Only the device that was chosen is opened again, never another one in its place, and for as long as the session lasts: what
/// to do without it meanwhile, and whether to end, is the controller's to decide. Which device is the default is the sound
/// server's to say; one that was named is waited for, even if the server gives the sound of another meanwhile. All but `stream`
/// and `openings` is for the one thread that owns the device.
final class ReopeningDevice: Sendable {
  private enum Phase: Equatable {
    /// It does not call steadily yet. Exits: `flowing`, `silent`.
    case opened(isAgain: Bool)
    /// It has called steadily since this moment. Exits: `silent`.
    case flowing(since: SessionTime)
    /// It did not start. Exits: `opened`, `failed` (it never had).
    case refused(reason: String, isFirst: Bool)
    /// It calls no more; `isTold` if that is known since an earlier attempt. Exits: `opened`.
    case silent(isTold: Bool)
    /// It never worked. No exits.
    case failed
  }

  private struct State {
    var stream: DeviceStream
    var watch: DeviceWatch
    var phase = Phase.opened(isAgain: false)
    var attempts = DeviceAttempts()
    var nextClosing = SessionTime.zero
  }

  /// The device's name.
  var name: String { device.name }
  private let kind: SoundDeviceKind
  private let index: Int
  private let device: SoundDevice
  private let system: SoundSystem
  private let wiring: AudioWiring
  private let state: Locked<State>
  private let opened = Atomic<Int>(1)

  /// How often it is looked whether the sound server has told something.
  private static let lookMilliseconds = 50

  /// Open the device with this fragment in its name, or the default one, or say what is wrong.
  init(
    _ kind: SoundDeviceKind, named fragment: String?, in system: SoundSystem, wiring: AudioWiring
  ) throws(AudioError) {
    self.kind = kind
    self.system = system
    self.wiring = wiring
    index = try system.index(of: kind, named: fragment)
    device = system.devices[index]
    if let name = device.serverName { wiring.server?.follow(kind, name) }
    let stream = try DeviceStream(kind, at: index, in: system)
    state = Locked(State(stream: stream, watch: DeviceWatch(callbacks: 0, at: wiring.now())))
  }

  /// How often the device was opened; any thread.
  var openings: Int { opened.load(ordering: .acquiring) }

  /// What is open now; any thread.
  var stream: DeviceStream { state.withLock { $0.stream } }

  /// Whether it calls no more, and was not opened again; any thread.
  var isAway: Bool {
    state.withLock { state in
      switch state.phase {
      case .silent, .refused(_, isFirst: false): true
      case .opened, .flowing, .refused, .failed: false
      }
    }
  }

  /// Let sound flow; false if it refused, and `reopen` is to be called.
  func start() -> Bool {
    let reason = stream.start()
    let now = wiring.now()
    state.withLock { state in
      state.watch = DeviceWatch(callbacks: state.stream.callbacks, at: now)
      if let reason { state.phase = .refused(reason: reason, isFirst: state.phase == .opened(isAgain: false)) }
    }
    return reason == nil
  }

  /// Tell what the sound server has put in the place of a device that nobody named. To be called every so often.
  func reportReplacement(at moment: SessionTime) {
    guard let new = wiring.server?.takeReplacement(kind, at: moment) else { return }
    wiring.post(.soundDeviceReplaced(kind: kind, name: new.name, formerName: new.formerName))
  }

  /// Look at the device, every so often; true once it has been silent for too long, and `reopen` is to be called.
  func isSilent(at moment: SessionTime) -> Bool {
    // Asked outside the lock: the library may be busy with the other device.
    let hasEnded = state.withLock { $0.watch.isLate } && stream.hasEnded
    // The server would go on with another device in its place.
    let isGone = device.serverName != nil && wiring.server?.takeGone(kind) == true
    let (isSilent, isBack) = state.withLock { state -> (Bool, Bool) in
      let finding = state.watch.look(callbacks: state.stream.callbacks, hasEnded: hasEnded, at: moment)
      switch isGone ? .silent : finding {
      case .waiting: return (false, false)
      case .silent:
        state.phase = .silent(isTold: state.phase == .opened(isAgain: true))
        return (true, false)
      case .flowing: break
      }
      switch state.phase {
      case .flowing(let since):
        state.attempts.worked(milliseconds: Int((moment.microseconds - since.microseconds) / 1000))
        return (false, false)
      case .opened(let isAgain):
        state.phase = .flowing(since: moment)
        return (false, isAgain)
      case .refused, .silent, .failed: return (false, false)
      }
    }
    if isBack {
      wiring.post(.soundDeviceReturned(kind: kind, name: name))
      wiring.server?.look()
    }
    closeAbandoned(at: moment)
    return isSilent
  }

  /// Streams that were given up are looked after once a second.
  private func closeAbandoned(at moment: SessionTime) {
    let isDue = state.withLock { state in
      guard moment >= state.nextClosing else { return false }
      state.nextClosing = moment.advanced(byMilliseconds: 1_000)
      return true
    }
    if isDue { system.closeAnswered() }
  }

  /// Open the device once more, waiting on `thread`, which is the caller's. False if the thread is to return, or if the
  /// device never worked, which was posted then.
  func reopen(on thread: AudioThread) -> Bool {
    if thread.isStopped { return false }
    let phase = state.withLock { state in
      state.stream.giveUp()
      return state.phase
    }
    switch phase {
    case .refused(let text, isFirst: true):
      giveUp(text)
      return false
    case .silent(isTold: false): wiring.post(.soundDeviceSilent(kind: kind, name: name))
    case .refused(_, isFirst: false), .silent(isTold: true), .opened, .flowing, .failed: break
    }
    if state.withLock({ $0.attempts.begin() }) { wiring.server?.awaitReturn(of: kind, named: device.serverName) }
    while true {
      guard waitForAttempt(on: thread) else { return false }
      do throws(AudioError) {
        try system.expect(device, kind)
        // The number that it had before, perhaps on another server, is no sign that it has gone again.
        if let name = device.serverName { wiring.server?.follow(kind, name) }
        let stream = try DeviceStream(kind, at: index, in: system)
        state.withLock { state in
          state.stream = stream
          state.phase = .opened(isAgain: true)
        }
        opened.add(1, ordering: .releasing)
        return true
      } catch {
        // Not there yet.
        continue
      }
    }
  }

  /// Wait until the next attempt is due, or the sound server says that it has the device: then waits are short again.
  /// False if the thread is to return.
  private func waitForAttempt(on thread: AudioThread) -> Bool {
    let start = wiring.now()
    let due = start.advanced(byMilliseconds: state.withLock { $0.attempts.next(at: start) })
    wiring.server?.seek()
    while wiring.now() < due {
      let look = wiring.now().advanced(byMilliseconds: Self.lookMilliseconds)
      guard thread.wait(until: min(look, due), on: wiring.now) else { return false }
      guard wiring.server?.takeReturn(of: kind) == true else { continue }
      state.withLock { $0.attempts.startAnew() }
      return true
    }
    return !thread.isStopped
  }

  private func giveUp(_ reason: String) {
    state.withLock { $0.phase = .failed }
    switch kind {
    case .microphone: wiring.post(.microphoneFailed(reason: reason))
    case .speaker: wiring.post(.speakerFailed(reason: reason))
    }
  }
}
