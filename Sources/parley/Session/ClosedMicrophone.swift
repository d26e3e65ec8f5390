import VoiceLocal
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// Where the sound of the microphone goes besides the session's steps. What a closed one hears is not kept: it goes nowhere but
/// to the wake phrase's listener, if there is one. Any thread.
final class ClosedMicrophone: Sendable {
  private let open: Locked<Bool>
  private let recorder: SoundRecorder?
  private let wake: WakeListener?

  init(isOpen: Bool, recorder: SoundRecorder?, wake: WakeListener?) {
    open = Locked(isOpen)
    self.recorder = recorder
    self.wake = wake
    wake?.microphone(isOpen: isOpen)
  }

  /// Whether it is open, as the session told last.
  var isOpen: Bool { open.withLock { $0 } }

  /// Take a frame of the microphone.
  func hear(_ frame: MicrophoneFrame) {
    if isOpen { recorder?.heard(frame) } else { wake?.hear(frame.samples) }
  }

  /// Learn whether it was opened or closed.
  func show(_ status: SessionStatus) {
    guard status.isMicrophoneOpen != isOpen else { return }
    open.withLock { $0 = status.isMicrophoneOpen }
    wake?.microphone(isOpen: status.isMicrophoneOpen)
  }
}
