import VoiceAudio
import VoiceConfiguration
import VoiceLocal
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// The microphone and the speaker that a plan names.
///
/// A name is `default`, a path if something is there or if it looks like one, and part of a device's name otherwise.
struct SessionSound {
  let microphone: SessionAudio.MicrophoneChoice
  var speaker: SessionAudio.SpeakerChoice
  /// How long a pause ends an utterance, for the detector at the microphone.
  private let silenceMilliseconds: Int
  private let cancelsEcho: Bool

  init(_ plan: Plan) {
    silenceMilliseconds = plan.silenceMilliseconds
    cancelsEcho = plan.cancelsEcho
    let pace: FileMicrophone.Pace = plan.isFast ? .fast : .real
    switch plan.microphone {
    case "default": microphone = .device(named: nil)
    case let name where Self.isPath(name): microphone = .path(name, pace: pace)
    case let name: microphone = .device(named: name)
    }
    switch plan.speaker {
    case "default": speaker = .device(named: nil)
    case "none": speaker = .none
    case let name where Self.isPath(name): speaker = .path(name, replaces: plan.overwritesSpeaker)
    case let name: speaker = .device(named: name)
    }
  }

  /// Whether a device is used, so that what is played may be heard by the microphone.
  var usesDevice: Bool {
    if case .device = speaker { return true }
    if case .device = microphone { return true }
    return false
  }

  /// Whether the microphone is a device.
  var listensToDevice: Bool { if case .device = microphone { true } else { false } }

  /// Whether the microphone is a file, which loses nothing when it starts later.
  var isRecording: Bool {
    if case .file = microphone { return true }
    return false
  }

  /// - Parameters:
  ///   - turns: for the detector at the microphone; without its models it is one that takes more for speech.
  ///   - needsVAD: whether that detector is needed, even for a recording.
  ///   - goesOnWithoutDevices: whether a machine without sound is no error: somebody types instead.
  func open(
    _ wiring: AudioWiring, turns: TurnFinding? = nil, needsVAD: Bool = false, goesOnWithoutDevices: Bool = false
  ) throws -> SessionAudio {
    var makeVAD: (@Sendable () -> LocalVAD)?
    var wiring = wiring
    wiring.silenceMilliseconds = silenceMilliseconds
    if needsVAD, let turns, let models = turns.models {
      makeVAD = { [silenceMilliseconds] in
        models.makeSpeechTest().map { LocalVAD(limit: turns.limit, isSpeech: $0) }
          ?? .withoutNetwork(silenceMilliseconds: silenceMilliseconds)
      }
    }
    return try SessionAudio.open(
      microphone: microphone, speaker: speaker, wiring: wiring, makeVAD: makeVAD, watchesRecordings: needsVAD,
      cancelsEcho: cancelsEcho, goesOnWithoutDevices: goesOnWithoutDevices)
  }

  private static func isPath(_ name: String) -> Bool {
    let endings = [".wav", ".flac", ".ogg", ".opus", ".aiff", ".mp3"]
    return name == "-" || name.contains("/") || access(name, F_OK) == 0 || SoundFileReader.isRaw(name)
      || endings.contains { name.hasSuffix($0) }
  }
}
