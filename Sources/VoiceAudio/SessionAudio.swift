package import VoiceSound
import VoiceSystem
package import VoiceVocabulary

/// The audio port of a real session: any microphone with any speaker.
package final class SessionAudio: AudioPort, Sendable {
  /// Which microphone to use.
  package enum MicrophoneChoice: Equatable, Sendable {
    /// The device with this fragment in its name; nil is the default one.
    case device(named: String?)
    case file(path: String, pace: FileMicrophone.Pace)
    /// A FIFO, or `-` for standard input.
    case pipe(path: String)

    /// Whether the sound system is needed for it.
    var isDevice: Bool { if case .device = self { true } else { false } }

    /// What a path means: a pipe if it is one, or else a recording.
    package static func path(_ path: String, pace: FileMicrophone.Pace) -> MicrophoneChoice {
      path == "-" || PipeMicrophone.isPipe(path) ? .pipe(path: path) : .file(path: path, pace: pace)
    }
  }

  /// Which speaker to use.
  package enum SpeakerChoice: Equatable, Sendable {
    /// The device with this fragment in its name; nil is the default one.
    case device(named: String?)
    /// A new WAV file; one that is there is an error unless it is to be replaced.
    case file(path: String, replaces: Bool = false)
    /// A FIFO, `-` for standard output, or a new file of raw PCM.
    case pipe(path: String, replaces: Bool = false)
    case none

    /// Whether the sound system is needed for it.
    var isDevice: Bool { if case .device = self { true } else { false } }

    /// Whether somebody may hear it while it is played: what reads a pipe may be a loudspeaker.
    package var isAloud: Bool {
      switch self {
      case .device, .pipe: true
      case .file, .none: false
      }
    }

    /// What a path means: raw PCM for a pipe and for a name that ends in `.raw` or `.pcm`, or else a WAV file.
    package static func path(_ path: String, replaces: Bool = false) -> SpeakerChoice {
      path == "-" || PipeMicrophone.isPipe(path) || SoundFileReader.isRaw(path)
        ? .pipe(path: path, replaces: replaces) : .file(path: path, replaces: replaces)
    }
  }

  /// Lines for people about what is usable but not as it should be.
  package let warnings: [String]
  /// What the session has to do without: the device that is missing, and why. Only where `open` was allowed to.
  package let lacks: [SoundDeviceKind: AudioError]
  private let microphone: any Microphone
  private let speaker: any Speaker
  private let rate = Locked(SpeechRate())
  /// Asked which devices these are, where there are any.
  private let server: ServerDevices?

  private init(
    microphone: any Microphone, speaker: any Speaker, warnings: [String] = [], lacks: [SoundDeviceKind: AudioError],
    server: ServerDevices?
  ) {
    self.microphone = microphone
    self.speaker = speaker
    self.warnings = warnings
    self.lacks = lacks
    self.server = server
  }

  /// Open both, or say what is wrong. The sound system is started only for a device.
  ///
  /// `makeVAD` makes the detector behind `voiceStarted` and `voiceEnded`, on the microphone's thread; nil is the one
  /// that needs no network. A device always has one; a file or pipe only with `watchesRecordings`.
  ///
  /// Without `cancelsEcho`, a device's microphone is not told what plays: for headphones, and for a device that cancels
  /// the echo itself.
  ///
  /// With `goesOnWithoutDevices`, a device that this machine does not have is no error: nothing is heard or played then,
  /// and `lacks` tells it.
  package static func open(
    microphone: MicrophoneChoice, speaker: SpeakerChoice, wiring: AudioWiring,
    makeVAD: (@Sendable () -> LocalVAD)? = nil, watchesRecordings: Bool = false, cancelsEcho: Bool = true,
    goesOnWithoutDevices: Bool = false
  ) throws(AudioError) -> SessionAudio {
    var lacks: [SoundDeviceKind: AudioError] = [:]
    var wiring = wiring
    let server = microphone.isDevice || speaker.isDevice ? ServerDevices() : nil
    wiring.server = server
    // A failure holds for both sides: a sound server that does not answer is waited for once.
    var system: Result<SoundSystem, AudioError>?
    func soundSystem() throws(AudioError) -> SoundSystem {
      let started = system ?? Result { () throws(AudioError) in try SoundSystem() }
      system = started
      return try started.get()
    }
    // The speaker first: the microphone needs it to know the echo.
    let opened: any Speaker
    do throws(AudioError) {
      switch speaker {
      case .device(let fragment): opened = try DeviceSpeaker(named: fragment, in: soundSystem(), wiring: wiring)
      case .file(let path, let replaces):
        opened = try PacedSpeaker.file(path: path, replaces: replaces, wiring: wiring)
      case .pipe(let path, let replaces):
        opened = try PacedSpeaker.pipe(path: path, replaces: replaces, wiring: wiring)
      case .none: opened = try PacedSpeaker.silent(wiring: wiring)
      }
    } catch {
      guard goesOnWithoutDevices, error.isLackOfDevice else { throw error }
      lacks[.speaker] = error
      opened = try PacedSpeaker.silent(wiring: wiring)
    }
    if let paced = opened as? PacedSpeaker { wiring.tick = { paced.tick() } }
    let silence = wiring.silenceMilliseconds
    let vad = watchesRecordings ? makeVAD ?? { LocalVAD.withoutNetwork(silenceMilliseconds: silence) } : nil
    do throws(AudioError) {
      switch microphone {
      case .device(let fragment):
        let device = try DeviceMicrophone(
          named: fragment, in: soundSystem(), besides: cancelsEcho ? opened as? DeviceSpeaker : nil, wiring: wiring,
          makeVAD: makeVAD)
        return SessionAudio(microphone: device, speaker: opened, lacks: lacks, server: server)
      case .file(let path, let pace):
        let file = try FileMicrophone(path: path, pace: pace, wiring: wiring, makeVAD: vad)
        return SessionAudio(
          microphone: file, speaker: opened, warnings: [file.warning].compactMap { $0 }, lacks: lacks, server: server)
      case .pipe(let path):
        let pipe = try PipeMicrophone(path: path, wiring: wiring, makeVAD: vad)
        return SessionAudio(microphone: pipe, speaker: opened, lacks: lacks, server: server)
      }
    } catch {
      if goesOnWithoutDevices, error.isLackOfDevice {
        lacks[.microphone] = error
        return SessionAudio(microphone: NoMicrophone(), speaker: opened, lacks: lacks, server: server)
      }
      opened.stop()
      throw error
    }
  }

  package func startMicrophone() { microphone.start() }
  package func play(_ audio: SpeechAudio, of speech: SpeechID) {
    let samples = rate.withLock { $0.process(audio.samples, of: speech) }
    speaker.play(SpeechAudio(samples: samples), of: speech)
  }

  package func finishPlaying(_ speech: SpeechID) {
    let rest = rate.withLock { $0.finish(speech) }
    if !rest.isEmpty { speaker.play(SpeechAudio(samples: rest), of: speech) }
    speaker.finishPlaying(speech)
  }

  package func setSpeechRate(percent: Int) { rate.withLock { $0.percent = percent } }
  package func clearPlayback() { speaker.clearPlayback() }
  package func duckPlayback() { speaker.duckPlayback() }
  package func resumePlayback() { speaker.resumePlayback() }
  package func play(_ earcon: Earcon) { speaker.play(earcon) }

  /// End of the session: both fall silent and their threads are over when this returns.
  package func stop() {
    microphone.stop()
    speaker.stop()
  }
}

/// No microphone at all: not a frame comes.
private struct NoMicrophone: Microphone {
  func start() {}
  func stop() {}
}
