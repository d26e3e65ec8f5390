/// A mutex on which threads can wait for a change. Taken once by a thread, not again by the same.
final class Monitor: @unchecked Sendable {
  // Both live until deinit, and are touched by the thread library alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    precondition(pthread_mutex_init(mutex, nil) == 0, "a mutex could not be made")
    precondition(pthread_cond_init(change, nil) == 0, "a condition variable could not be made")
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  /// Take the mutex, once nobody else has it.
  func lock() { pthread_mutex_lock(mutex) }

  /// Give the mutex back.
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Give the mutex back, wait for `wakeAll`, and take it again. May return without a reason.
  func wait() { pthread_cond_wait(change, mutex) }

  /// Let whoever waits look again.
  func wakeAll() { pthread_cond_broadcast(change) }
}
