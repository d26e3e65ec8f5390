internal import VoiceCore

/// A microphone that hears silence, and the recordings that are played into it.
///
/// It gives a frame every 20 ms of virtual time, whether the recording is over or not, as the real ones do; with a gate, it
/// also tells when the user begins and stops to speak.
final class SimulatedMicrophone {
  private let time: VirtualTime
  /// Everything that was heard so far; what is ahead is silence.
  private(set) var samples: [Int16] = []
  private var playing: [Int16] = []
  private var playedCount = 0
  private var whenSaid: (() -> Void)?
  private var gate: LoudnessEndpointer?
  private var isStarted = false

  init(_ time: VirtualTime, hasGate: Bool) {
    self.time = time
    gate = hasGate ? LoudnessEndpointer() : nil
  }

  func start() {
    precondition(!isStarted, "the microphone was started twice")
    isStarted = true
    planFrame()
  }

  func say(_ recording: [Int16], then whenSaid: @escaping () -> Void) {
    precondition(self.whenSaid == nil, "two recordings at once")
    playing = recording
    playedCount = 0
    self.whenSaid = whenSaid
  }

  private func planFrame() {
    time.after(milliseconds: PCM.frameMilliseconds) { [self] in
      planFrame()
      let position = samples.count
      let end = min(playedCount + PCM.frameSamples, playing.count)
      var frame = Array(playing[playedCount..<end])
      playedCount = end
      frame += [Int16](repeating: 0, count: PCM.frameSamples - frame.count)
      samples += frame
      switch gate?.hear(frame) {
      case .start: time.after(milliseconds: 0, .voiceStarted(detector: .gate))
      case .end: time.after(milliseconds: 0, .voiceEnded(detector: .gate))
      case nil: break
      }
      if playedCount == playing.count, let whenSaid {
        self.whenSaid = nil
        whenSaid()
      }
      return .microphoneFrame(frame: MicrophoneFrame(position: position, samples: frame))
    }
  }
}
