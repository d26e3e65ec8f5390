/// A clock that never jumps and goes on while the machine sleeps. Any thread.
///
/// Like `ContinuousClock`, without its durations of 128 bits: it is read several times for every frame of sound.
package enum MonotonicClock {
  /// Nanoseconds since a moment that no process knows.
  package static var nanoseconds: Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
