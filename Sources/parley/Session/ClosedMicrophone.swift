import VoiceLocal
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// Where the sound of the microphone goes besides the session's steps. What a closed one hears is not kept: it goes nowhere but
/// to the wake phrase's listener, if there is one. Any thread.
final class ClosedMicrophone: Sendable {
  private let isOpen: Locked<Bool>
  private let recorder: SoundRecorder?
  private let wake: WakeListener?

  init(isOpen: Bool, recorder: SoundRecorder?, wake: WakeListener?) {
    self.isOpen = Locked(isOpen)
    self.recorder = recorder
    self.wake = wake
    wake?.microphone(isOpen: isOpen)
  }

  /// Take a frame of the microphone.
  func hear(_ frame: MicrophoneFrame) {
    if isOpen.withLock({ $0 }) { recorder?.heard(frame) } else { wake?.hear(frame.samples) }
  }

  /// Learn whether it was opened or closed.
  func notice(_ notice: Notice) {
    guard case .listeningChanged(let isOn) = notice else { return }
    isOpen.withLock { $0 = isOn }
    wake?.microphone(isOpen: isOn)
  }
}
