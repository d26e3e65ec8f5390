import VoiceVocabulary

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
  /// Whether it has not called for a while, as of the last look: worth to ask whether it has ended.
  var isLate: Bool { silence.milliseconds > Limits.deviceDoubtMilliseconds }

  /// - Parameter callbacks: how often the device has called so far.
  init(callbacks: Int, at moment: SessionTime) {
    self.callbacks = callbacks
    silence = AwakeTime(since: moment, stepMilliseconds: Limits.deviceStepMilliseconds)
  }

  /// - Parameters:
  ///   - callbacks: how often the device has called since it was opened.
  ///   - hasEnded: whether its thread has ended by itself.
  mutating func look(callbacks now: Int, hasEnded: Bool = false, at moment: SessionTime) -> Finding {
    let wasAwake = silence.look(at: moment)
    if now != callbacks || !wasAwake {
      defer { self = DeviceWatch(callbacks: now, at: moment) }
      return now != callbacks ? .flowing : .waiting
    }
    return hasEnded || silence.milliseconds > Limits.deviceSilenceMilliseconds ? .silent : .waiting
  }
}

/// When to try once more to open a device that fell silent. A pure value.
struct DeviceAttempts: Equatable {
  private var wait = Limits.firstDeviceWaitMilliseconds

  /// The wait before the next attempt, in milliseconds.
  mutating func next() -> Int {
    defer { wait = min(wait * 2, Limits.longestDeviceWaitMilliseconds) }
    return wait
  }

  /// It has worked without a break for so long.
  mutating func worked(milliseconds: Int) {
    if milliseconds >= Limits.deviceProvedMilliseconds { wait = Limits.firstDeviceWaitMilliseconds }
  }
}
