import VoiceVocabulary

/// Notices that a device no longer calls back. A pure value, used by one thread.
///
/// A look that comes late was late because the program did not run: the device gets all its time anew. One that was
/// just opened gets more time, and counts as working once it has called a few times.
struct DeviceWatch: Equatable {
  /// What a look at the device's callbacks says of it.
  enum Finding: Equatable {
    /// It called since the last look.
    case flowing
    /// It has not, or has only begun to, but is given time.
    case waiting
    /// It has not for too long.
    case silent
  }

  /// How long a device that was just opened may be silent until it calls steadily. A sound server wakes a card, or
  /// switches the profile of a headset, only when it is used, which takes up to two seconds; and at the start of a
  /// session the engines are loaded on all processors. To open it once more meanwhile begins all that anew.
  static let startMilliseconds = 2_000
  /// From so many on it calls steadily: 200 ms of sound. What fills the buffer of a speaker, 40 ms or a little more, is
  /// asked for at once, be it ever played or not.
  static let steadyCallbacks = 20

  private var callbacks: Int
  private var silence: AwakeTime
  private var limit: Int {
    callbacks < Self.steadyCallbacks ? Self.startMilliseconds : Limits.deviceSilenceMilliseconds
  }
  /// Whether it has not called for a while, as of the last look: worth to ask whether it has ended.
  var isLate: Bool { silence.milliseconds > Limits.deviceDoubtMilliseconds }

  /// - Parameter callbacks: how often the device has called since it was opened.
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
      return now != callbacks && now >= Self.steadyCallbacks ? .flowing : .waiting
    }
    return hasEnded || silence.milliseconds > limit ? .silent : .waiting
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
