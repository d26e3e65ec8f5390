import VoiceCore
import VoiceVocabulary

/// What a microphone may send that the user can close: what it heard while it was open, and, after it was closed, silence
/// for so long as a server needs to hear that he is done. What was heard while it was closed never goes out, not even later.
struct MicrophoneRule {
  private(set) var isOpen: Bool
  /// Frames heard since the microphone was closed.
  private var closedFrames = 0
  /// Where silence may go out, and where nothing may, in samples; in order.
  private var silent: [Range<Int>] = []
  private var forbidden: [Range<Int>] = []

  /// How many frames of silence may follow.
  private let closingFrames: Int

  /// - Parameter settings: those of the session; they say how much silence follows.
  init(isOpen: Bool = true, settings: InteractionSettings = InteractionSettings()) {
    self.isOpen = isOpen
    closingFrames = settings.closingSilenceMilliseconds / PCM.frameMilliseconds
    // One that was never open has nothing to end.
    closedFrames = closingFrames
  }

  /// The microphone was opened or closed.
  mutating func switched(isOpen: Bool) {
    self.isOpen = isOpen
    closedFrames = 0
  }

  /// A frame came.
  mutating func heard(_ frame: MicrophoneFrame) {
    guard !isOpen else { return }
    closedFrames += 1
    let range = frame.position..<frame.position + PCM.frameSamples
    if closedFrames > closingFrames { Self.add(range, to: &forbidden) } else { Self.add(range, to: &silent) }
  }

  /// Why this may not go out; nil if it may.
  func violation(by frame: MicrophoneFrame) -> String? {
    if Self.holds(frame.position, forbidden) { return "a closed microphone sends frame \(frame.position)" }
    if Self.holds(frame.position, silent), frame.samples.contains(where: { $0 != 0 }) {
      return "a closed microphone sends what it hears at \(frame.position)"
    }
    return nil
  }

  private static func add(_ range: Range<Int>, to ranges: inout [Range<Int>]) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// The ranges that matter are the last ones: sound is sent within a minute or not at all.
  private static func holds(_ position: Int, _ ranges: [Range<Int>]) -> Bool {
    ranges.last { $0.lowerBound <= position }?.contains(position) ?? false
  }
}

extension VoiceEvent {
  /// Whether this may open a closed microphone: the user's command, or the phrase that he has named for it.
  func opensMicrophone(under settings: InteractionSettings) -> Bool {
    switch self {
    case .commandGiven(.listen(let isOn)): isOn
    case .wakePhraseHeard: !settings.phrases.wake.isEmpty
    default: false
    }
  }
}
