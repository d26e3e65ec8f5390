/// Decides from single windows of sound when the user began to speak and when the utterance is over. One thread.
///
/// What tells speech from noise is given: the Silero network, or `WebRTCActivity` where there is none.
package struct LocalVAD {
  /// What a stretch of sound changed.
  package enum Change: Equatable, Sendable {
    case started
    /// Silent for a moment, for the first time since the start: it may have been a cough.
    case paused
    case ended
  }

  private let windowSamples: Int
  private let isSpeech: (_ window: [Int16]) -> Bool
  /// Speech windows among the `recent` that make a start.
  private let startWindows: Int
  private let recentWindows: Int
  /// The pause that makes an end.
  private let limit: PauseLimit
  /// Windows without speech in a row that make a faltering: about 100 ms, longer than the stop inside a word.
  private let pauseWindows: Int

  private var pending: [Int16] = []
  private var recent: [Bool] = []
  private var quietWindows = 0
  private var hasPaused = false
  /// Whether the user is speaking now.
  package private(set) var isOpen = false
  /// For how many samples nobody has spoken, while it is open; 0 in a sound inside a word.
  package var pausedSamples: Int { isOpen && quietWindows >= pauseWindows ? quietWindows * windowSamples : 0 }
  /// Whether there was speech lately, and not enough of it yet for a start.
  package var isStirring: Bool { !isOpen && recent.contains(true) }

  /// `windowSamples` at 16 kHz is what `isSpeech` takes at once: 512 for Silero. Speech starts when five eighths of the
  /// last 256 ms were speech (160 ms, measured best), and ends after `silenceMilliseconds` without any, or what `limit` says.
  package init(
    windowSamples: Int = 512, silenceMilliseconds: Int = 600, limit: PauseLimit? = nil,
    isSpeech: @escaping (_ window: [Int16]) -> Bool
  ) {
    precondition((80...1600).contains(windowSamples), "a speech detector with windows of \(windowSamples) samples")
    self.windowSamples = windowSamples
    self.isSpeech = isSpeech
    recentWindows = max(1, 4096 / windowSamples)
    startWindows = (recentWindows * 5 + 7) / 8
    self.limit = limit ?? PauseLimit(milliseconds: silenceMilliseconds)
    pauseWindows = (1536 + windowSamples - 1) / windowSamples
  }

  /// Hear any number of samples at 16 kHz. With `mayStart` false, a start is not believed now.
  package mutating func hear(_ samples: [Int16], mayStart: Bool = true) -> [Change] {
    pending += samples
    var changes: [Change] = []
    while pending.count >= windowSamples {
      let window = Array(pending.prefix(windowSamples))
      pending.removeFirst(windowSamples)
      if let change = decide(isSpeech(window), mayStart) { changes.append(change) }
    }
    return changes
  }

  /// What it opened for was nobody: close it, without an end.
  package mutating func refuse() {
    isOpen = false
    recent = []
  }

  private mutating func decide(_ speech: Bool, _ mayStart: Bool) -> Change? {
    recent.append(speech)
    if recent.count > recentWindows { recent.removeFirst() }
    if isOpen {
      quietWindows = speech ? 0 : quietWindows + 1
      if !hasPaused, quietWindows >= pauseWindows {
        hasPaused = true
        return .paused
      }
      guard quietWindows * windowSamples >= limit.milliseconds * 16 else { return nil }
      isOpen = false
      recent = []
      return .ended
    }
    guard mayStart else {
      recent = []
      return nil
    }
    guard recent.count(where: { $0 }) >= startWindows else { return nil }
    isOpen = true
    quietWindows = 0
    hasPaused = false
    return .started
  }
}
