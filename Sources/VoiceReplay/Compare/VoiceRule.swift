internal import VoiceCore

/// When something was heard last, as far as it may show that the user spoke.
struct VoiceRule {
  private let marks: InteractionSettings.SoundMarks
  private var heardAt: SessionTime?
  private var isGateOpen = false
  private var isLoud = false

  init(marks: InteractionSettings.SoundMarks = .anyDetector) { self.marks = marks }

  /// - Parameter isOpen: whether the microphone is open.
  mutating func observe(_ event: VoiceEvent, isOpen: Bool, at now: SessionTime) {
    switch event {
    case .voiceStarted(let detector):
      if detector == .gate { isGateOpen = true }
      if isOpen, detector == .gate || marks == .anyDetector { heardAt = now }
    case .voiceEnded(.gate): isGateOpen = false
    case .soundLevelChanged(let level):
      if isOpen, level == .sound || isLoud { heardAt = now }
      isLoud = isOpen && level == .sound
    default: break
    }
  }

  /// The microphone was opened: who speaks already is heard from now on.
  mutating func opened(at now: SessionTime) { if isGateOpen { heardAt = now } }

  /// The microphone was closed.
  mutating func closed() { isLoud = false }

  /// Whether there was sound since that moment.
  func wasHeard(since moment: SessionTime) -> Bool { isLoud || heardAt.map { $0 >= moment } ?? false }
}
