/// The advisory lock of an open file (`flock`). It is gone with the process, however that ends. Any thread.
///
/// It belongs to every copy of the descriptor, and a child that is being started has one until its own program begins. So a
/// lock is released in so many words: where the descriptor is only closed, the file stays locked for that moment.
package enum FileLock {
  /// Take the lock, for nobody else, without waiting. False, with `errno`, if somebody has it (`EWOULDBLOCK`) or the file
  /// system has no locks.
  package static func take(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Whether somebody else has the lock now.
  package static func isTaken(_ descriptor: Int32) -> Bool {
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    flock(descriptor, LOCK_UN)
    return false
  }

  /// Release the lock, if it was taken, and close the file.
  package static func release(closing descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
