import VoiceCore
import VoiceSound
import VoiceVocabulary

/// A microphone that hears silence, and the recordings that are played into it, one after the other.
///
/// It gives a frame every 20 ms of virtual time, whether the recording is over or not, as the real ones do; with a detector, it
/// also tells when the user begins and stops to speak.
final class SimulatedMicrophone {
  private struct Recording {
    let samples: [Int16]
    let isWhole: Bool
    let whenSaid: () -> Void
  }

  private let time: VirtualTime
  private let refusals: Refusals
  /// Everything that was heard so far; what is ahead is silence.
  private(set) var samples: [Int16] = []
  private var waiting: [Recording] = []
  private var playedCount = 0
  /// Where recordings lie that are one utterance each, in samples.
  private var utterances: [Range<Int>] = []
  private var vad: LoudnessEndpointer?
  private var level: LevelEndpointer
  private var state = State.off

  private enum State {
    /// Exits: `on`, `lost`.
    case off
    /// Exits: `away`, `lost`.
    case on
    /// What is said is not heard. Exits: `on`, `lost`.
    case away
    /// No exits.
    case lost
  }

  /// Whether the detector hears the user.
  private var isSpoken = false

  /// A device's name.
  private static let name = "Headset"

  /// - Parameter hasVAD: whether a detector listens along.
  init(_ time: VirtualTime, _ refusals: Refusals, hasVAD: Bool, silenceMilliseconds: Int) {
    self.time = time
    self.refusals = refusals
    vad = hasVAD ? LoudnessEndpointer() : nil
    level = LevelEndpointer(silenceMilliseconds: silenceMilliseconds)
  }

  /// Begin to deliver frames.
  func start() {
    guard state == .off else { return refusals.add("the microphone was started twice") }
    state = .on
    planFrame()
  }

  /// Play a recording into it, behind those that are being played.
  func say(_ samples: [Int16], isWhole: Bool, then whenSaid: @escaping () -> Void) {
    waiting.append(Recording(samples: samples, isWhole: isWhole, whenSaid: whenSaid))
  }

  /// The device is gone.
  func lose() -> VoiceEvent? {
    guard state != .lost else { return nil }
    state = .lost
    return .microphoneFailed(reason: "The microphone was disconnected. Connect it again and start a new session.")
  }

  /// The device is away: nothing is heard, though time goes on, and who spoke has ended.
  func unplug() {
    guard state == .on else { return }
    state = .away
    time.after(milliseconds: 0, .soundDeviceSilent(kind: .microphone, name: Self.name))
    // Its line is closed after that.
    let silence = [Int16](repeating: 0, count: PCM.frameSamples)
    while followVoice(silence, isSpeech: false) {}
    while level.level != .silence {
      if let level = level.hear(silence) { time.after(milliseconds: 0, .soundLevelChanged(level: level)) }
    }
  }

  /// The device is there again.
  func plugIn() -> VoiceEvent? {
    guard state == .away else { return nil }
    state = .on
    return .soundDeviceReturned(kind: .microphone, name: Self.name)
  }

  /// Whether the sound at this place is known to be speech.
  func isSpeech(at position: Int) -> Bool {
    utterances.last { $0.lowerBound <= position }?.contains(position) ?? false
  }

  private func planFrame() {
    time.after(milliseconds: PCM.frameMilliseconds) { [self] in
      guard state == .on || state == .away else { return nil }
      planFrame()
      let position = samples.count
      let frame = nextFrame(at: position)
      guard state == .on else {
        samples += [Int16](repeating: 0, count: frame.count)
        takeOver()
        return nil
      }
      samples += frame
      if let level = level.hear(frame, isSpeech: isSpeech(at: position)) {
        time.after(milliseconds: 0, .soundLevelChanged(level: level))
      }
      _ = followVoice(frame, isSpeech: isSpeech(at: position))
      takeOver()
      return .microphoneFrame(frame: MicrophoneFrame(position: position, samples: frame))
    }
  }

  /// Tell when the user begins and ends. Returns whether he speaks.
  private func followVoice(_ frame: [Int16], isSpeech: Bool) -> Bool {
    switch vad?.hear(frame, isSpeech: isSpeech) {
    case .start:
      isSpoken = true
      time.after(milliseconds: 0, .voiceStarted(detector: .vad))
    case .end:
      isSpoken = false
      time.after(milliseconds: 0, .voiceEnded(detector: .vad))
    case nil: break
    }
    return isSpoken
  }

  /// A recording that is over makes way for the next.
  private func takeOver() {
    guard let recording = waiting.first, playedCount >= recording.samples.count else { return }
    waiting.removeFirst()
    playedCount = 0
    recording.whenSaid()
  }

  private func nextFrame(at position: Int) -> [Int16] {
    var frame: [Int16] = []
    if let recording = waiting.first {
      if playedCount == 0, recording.isWhole { utterances.append(position..<position + recording.samples.count) }
      let end = min(playedCount + PCM.frameSamples, recording.samples.count)
      frame = Array(recording.samples[playedCount..<end])
      playedCount = end
    }
    return frame + [Int16](repeating: 0, count: PCM.frameSamples - frame.count)
  }
}
