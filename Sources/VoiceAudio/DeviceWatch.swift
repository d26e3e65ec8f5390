import VoiceCore

/// Notices that a device no longer calls back. A pure value, used by one thread.
///
/// A look that comes late was late because the program did not run: the device gets all its time anew.
struct DeviceWatch: Equatable {
  /// What a look at the device's callbacks says of it.
  enum Finding: Equatable {
    /// It called since the last look.
    case flowing
    /// It has not, but is given time.
    case waiting
    /// It has not for too long.
    case silent
  }

  private var callbacks: Int
  private var silence: AwakeTime

  /// - Parameter callbacks: how often the device has called so far.
  init(callbacks: Int, at moment: SessionTime) {
    self.callbacks = callbacks
    silence = AwakeTime(since: moment)
  }

  /// - Parameter callbacks: how often the device has called since it was opened.
  mutating func look(callbacks now: Int, at moment: SessionTime) -> Finding {
    let wasAwake = silence.look(at: moment)
    if now != callbacks || !wasAwake {
      defer { self = DeviceWatch(callbacks: now, at: moment) }
      return now != callbacks ? .flowing : .waiting
    }
    return silence.milliseconds > Limits.deviceSilenceMilliseconds ? .silent : .waiting
  }
}

/// When to try once more to open a device that fell silent. A pure value.
struct DeviceAttempts: Equatable {
  private var count = 0

  /// The wait before the next attempt, in milliseconds; nil if there is none any more.
  mutating func next() -> Int? {
    guard count < Limits.deviceAttempts else { return nil }
    defer { count += 1 }
    return min(Limits.firstDeviceWaitMilliseconds << count, Limits.longestDeviceWaitMilliseconds)
  }

  /// It has worked without a break for so long.
  mutating func worked(milliseconds: Int) { if milliseconds >= Limits.deviceProvedMilliseconds { count = 0 } }
}
