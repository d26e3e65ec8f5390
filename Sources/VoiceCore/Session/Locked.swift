#if PARLEY_THREAD_SANITIZER
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A value behind a lock. ThreadSanitizer cannot see inside `Mutex` on Linux, so its builds use a pthread mutex.
  package final class Locked<Value>: @unchecked Sendable {
    // `value` is touched only between lock and unlock of `mutex`, which lives until deinit.
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init(_ value: sending Value) {
      self.value = value
      precondition(pthread_mutex_init(mutex, nil) == 0, "a mutex could not be made")
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value)
    }
  }
#else
  import Synchronization

  /// A value behind a lock.
  package final class Locked<Value>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: sending Value) { mutex = Mutex(value) }

    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
