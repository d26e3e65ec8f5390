internal import VoiceCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One thread for one body of work, started once and joined once.
///
/// Signals are blocked in it: they belong to the main thread.
final class ServiceThread: Sendable {
  private struct State: @unchecked Sendable {  // a thread's name, a plain value, touched under the lock alone
    var thread: pthread_t?
  }

  private let state = Locked(State())

  /// - Returns: Whether the thread could be started.
  func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(ThreadBody(body))
    return state.withLock { state in
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      guard pthread_create(&thread, nil, threadMain, context.toOpaque()) == 0 else {
        context.release()
        return false
      }
      state.thread = thread
      return true
    }
  }

  /// Whether the caller runs on this thread.
  var isCurrent: Bool {
    state.withLock { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Wait until the body has returned. A second call returns at once.
  func join() {
    precondition(!isCurrent, "a thread cannot wait for its own end")
    let taken = state.withLock { state in
      defer { state.thread = nil }
      return State(thread: state.thread)
    }
    if let thread = taken.thread { pthread_join(thread, nil) }
  }
}

private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { runThread(context) }
#else
  private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    context.flatMap { runThread($0) }
  }
#endif

private func runThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  var signals = sigset_t()
  sigfillset(&signals)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
