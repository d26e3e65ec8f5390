#if PARLEY_THREAD_SANITIZER
  /// A value behind a lock. ThreadSanitizer cannot see inside `Mutex` on Linux, so its builds use a pthread mutex.
  package final class Locked<Value>: @unchecked Sendable {
    // `value` is touched only while `monitor` is held.
    private var value: Value
    private let monitor = Monitor()

    package init(_ value: sending Value) { self.value = value }

    /// Use the value, while nobody else does.
    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
      monitor.lock()
      defer { monitor.unlock() }
      return try body(&value)
    }
  }
#else
  import Synchronization

  /// A value behind a lock.
  ///
  /// The value stands beside the mutex and not inside it: a class that holds a `Mutex<Value>` is not specialised for its
  /// value, and every access would look up types at run time.
  package final class Locked<Value>: @unchecked Sendable {
    // `value` is touched only while `mutex` is held.
    private var value: Value
    private let mutex = Mutex(())

    package init(_ value: sending Value) { self.value = value }

    /// Use the value, while nobody else does.
    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
      try mutex.withLock { _ in try body(&value) }
    }
  }
#endif
