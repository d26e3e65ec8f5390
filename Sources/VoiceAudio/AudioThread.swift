import VoiceSystem
import VoiceVocabulary

/// A thread that one microphone or speaker owns, and that any thread can wake.
final class AudioThread: Sendable {
  /// Why a wait is over.
  enum Waking: Equatable {
    /// `wake` was called, or the deadline passed: look at everything.
    case look
    /// The descriptor waited for is ready, or broken.
    case ready
    /// `stop` was called: return.
    case stopped
  }

  private enum State { case idle, running, stopped }

  private let state = Locked(State.idle)
  private let thread = SystemThread()
  // A pipe and not a condition: a thread must be able to wait for a call and for sound at once.
  private let wakeRead: Int32
  private let wakeWrite: Int32

  init() throws(AudioError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw AudioError.noSoundSystem(reason: String(cString: strerror(errno)))
    }
    (wakeRead, wakeWrite) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(wakeRead)
    close(wakeWrite)
  }

  /// Run `body` on the new thread; called at most once.
  func start(_ body: @escaping @Sendable (AudioThread) -> Void) {
    state.withLock { state in
      precondition(state != .running, "an audio thread was started twice")
      guard state == .idle else { return }
      guard thread.start({ [self] in body(self) }) else {
        preconditionFailure("no thread for sound could be started: too many threads run")
      }
      state = .running
    }
  }

  /// Wake the thread; any thread.
  func wake() {
    var byte: UInt8 = 1
    // A full pipe means that it is being woken already.
    _ = write(wakeWrite, &byte, 1)
  }

  /// Tell the thread to return, and wait until it has. Harmless when repeated; never called by the thread itself.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { state = .stopped }
      return state == .running
    }
    guard wasRunning else { return }
    wake()
    thread.join()
  }

  /// Whether the thread is to return.
  var isStopped: Bool { state.withLock { $0 == .stopped } }

  /// Wait on this thread for being woken, for `milliseconds` at most (nil: for ever), or until a descriptor is ready.
  func wait(milliseconds: Int?, for descriptor: Int32? = nil, events: Int32 = POLLIN) -> Waking {
    if isStopped { return .stopped }
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { watched in
      watched.initialize(repeating: pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0))
      watched[1] = pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0)
      _ = poll(watched.baseAddress, 2, Int32(milliseconds.map { max(0, min($0, 1_000_000)) } ?? -1))
      if watched[0].revents != 0 { drain() }
      if isStopped { return .stopped }
      return watched[1].revents != 0 ? .ready : .look
    }
  }

  private func drain() {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
      _ = read(wakeRead, bytes.baseAddress, bytes.count)
    }
  }

  /// Wait until a moment of the session, to the next millisecond; false if the thread is to return.
  func wait(until moment: SessionTime, on now: () -> SessionTime) -> Bool {
    while true {
      let microseconds = moment.microseconds - now().microseconds
      guard microseconds > 0 else { return !isStopped }
      if wait(milliseconds: Int(microseconds + 999) / 1000) == .stopped { return false }
    }
  }
}
