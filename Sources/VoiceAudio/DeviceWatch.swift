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
///
/// In the first seconds of an outage, as long as a server takes to start, no wait is long: a device is to be back in
/// 2 s of its return also where the first attempt comes too soon, or the device falls silent once more.
struct DeviceAttempts: Equatable {
  private static let earlyMilliseconds = 5_000
  private static let longestEarlyWaitMilliseconds = 250

  private var wait = Limits.firstDeviceWaitMilliseconds
  /// When the first of these waits began.
  private var since: SessionTime?
  private var isUnderWay = false

  /// It fell silent. Returns whether this is a new outage: it has worked since the last one, and not only for a moment.
  mutating func begin() -> Bool {
    defer { isUnderWay = true }
    return !isUnderWay
  }

  /// The wait before the next attempt, in milliseconds.
  mutating func next(at moment: SessionTime) -> Int {
    let since = since ?? moment
    self.since = since
    let isEarly = moment < since.advanced(byMilliseconds: Self.earlyMilliseconds)
    let longest = isEarly ? Self.longestEarlyWaitMilliseconds : Limits.longestDeviceWaitMilliseconds
    let wait = min(wait, longest)
    self.wait = wait * 2
    return wait
  }

  /// There is news of it: it is tried as soon as at first.
  mutating func startAnew() {
    wait = Limits.firstDeviceWaitMilliseconds
    since = nil
  }

  /// It has worked without a break for so long.
  mutating func worked(milliseconds: Int) {
    if milliseconds >= Limits.deviceProvedMilliseconds { self = DeviceAttempts() }
  }
}
