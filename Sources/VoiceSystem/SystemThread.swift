/// One thread for one body of work, started once, and joined or left alone. For what waits for descriptors or for a library, and
/// for sound; whatever only computes is a task.
///
/// Signals are blocked in it: they belong to the main thread, and a broken pipe is an error number.
package final class SystemThread: Sendable {
  private struct State: @unchecked Sendable {  // a thread's name, a plain value, touched under the lock alone
    var thread: pthread_t?
  }

  private let state = Locked(State())

  package init() {}

  /// Run the body on the new thread. Called once.
  ///
  /// - Returns: Whether the thread could be started.
  package func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      precondition(state.thread == nil, "a thread was started twice")
      state.thread = Self.make(body)
      return state.thread != nil
    }
  }

  /// Run the body on a thread that nobody waits for. Traps if too many threads run.
  ///
  /// - Parameter purpose: what the thread is for, for the message.
  package static func detach(for purpose: String, _ body: @escaping @Sendable () -> Void) {
    guard let thread = make(body) else {
      preconditionFailure("no thread for \(purpose) could be started: too many threads run")
    }
    pthread_detach(thread)
  }

  /// The value of a body that waits for files or a library for long, from a thread of its own: the few threads that tasks
  /// share go on meanwhile. Traps if too many threads run.
  ///
  /// - Parameter purpose: what the thread is for, for the message.
  package static func value<Value: Sendable>(
    for purpose: String, _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      detach(for: purpose) { continuation.resume(returning: body()) }
    }
  }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool {
    state.withLock { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Wait until the body has returned. A second call returns at once, and so does one for a thread that was never started.
  package func join() {
    precondition(!isCurrent, "a thread cannot wait for its own end")
    let taken = state.withLock { state in
      defer { state.thread = nil }
      return State(thread: state.thread)
    }
    if let thread = taken.thread { pthread_join(thread, nil) }
  }

  private static func make(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard pthread_create(&thread, nil, run, context.toOpaque()) == 0 else {
      context.release()
      return nil
    }
    return thread
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { perform(context) }
#else
  private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { context.flatMap(perform) }
#endif

private func perform(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  var signals = sigset_t()
  sigfillset(&signals)
  // What a thread brings upon itself is told where it happened.
  for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, signal) }
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
