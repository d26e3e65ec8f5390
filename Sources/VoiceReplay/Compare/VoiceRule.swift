import VoiceCore
import VoiceVocabulary

/// When something was heard last, as far as it may show that the user spoke.
struct VoiceRule {
  private var heardAt: SessionTime?
  private var isVADActive = false
  private var level = SoundLevel.silence
  private var isOpen = true

  /// - Parameter isOpen: whether the microphone is open.
  mutating func observe(_ event: VoiceEvent, isOpen: Bool, at now: SessionTime) {
    self.isOpen = isOpen
    switch event {
    case .voiceStarted(let detector):
      if detector == .vad { isVADActive = true }
      if isOpen, detector == .vad { heardAt = now }
    case .voiceEnded(.vad): isVADActive = false
    case .soundLevelChanged(let level):
      if isOpen, level == .sound || self.level == .sound { heardAt = now }
      self.level = level
    default: break
    }
  }

  /// The microphone was opened or closed: at one that opens, who speaks already is heard from now on.
  mutating func switched(isOpen: Bool, at now: SessionTime) {
    self.isOpen = isOpen
    if isOpen, isVADActive || level == .sound { heardAt = now }
  }

  /// Whether there was sound since that moment.
  func wasHeard(since moment: SessionTime) -> Bool {
    if isOpen, level == .sound { return true }
    return heardAt.map { $0 >= moment } ?? false
  }
}
