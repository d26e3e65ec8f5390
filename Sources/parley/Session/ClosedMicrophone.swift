import VoiceLocal
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// Where the sound of the microphone goes besides the session's steps. What a closed one hears is not kept: it goes nowhere but
/// to the wake phrase's listener, if there is one. Any thread.
final class ClosedMicrophone: Sendable {
  private let open: Locked<Bool>
  private let recorder: SoundRecorder?
  private let listeners: SpeechListeners

  init(isOpen: Bool, recorder: SoundRecorder?, listeners: SpeechListeners) {
    open = Locked(isOpen)
    self.recorder = recorder
    self.listeners = listeners
    tell(isOpen)
  }

  /// Whether it is open, as the session told last.
  var isOpen: Bool { open.withLock { $0 } }

  /// Take a frame of the microphone.
  func hear(_ frame: MicrophoneFrame) {
    guard isOpen else {
      listeners.wake?.hear(frame.samples)
      return
    }
    recorder?.heard(frame)
    listeners.pauses?.hear(frame.samples)
  }

  /// Learn whether it was opened or closed.
  func show(_ status: SessionStatus) {
    guard status.isMicrophoneOpen != isOpen else { return }
    open.withLock { $0 = status.isMicrophoneOpen }
    tell(status.isMicrophoneOpen)
  }

  private func tell(_ isOpen: Bool) {
    listeners.wake?.microphone(isOpen: isOpen)
    listeners.pauses?.microphone(isOpen: isOpen)
  }
}
