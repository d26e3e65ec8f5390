import VoiceAudio
import VoiceConfiguration
import VoiceCore
import VoiceSound

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a microphone or speaker of the plan is.
enum SoundPlace: Equatable {
  case device(fragment: String?)
  case file(String)
  case pipe(String)
  case nothing

  /// - Parameter name: as in the plan: `default`, part of a device's name, a file, a pipe, `-` or `none`.
  init(_ name: String) {
    var status = stat()
    let exists = stat(name, &status) == 0
    let kind = status.st_mode & S_IFMT
    let endings = [".wav", ".flac", ".ogg", ".opus", ".aiff", ".mp3"]
    switch name {
    case "default": self = .device(fragment: nil)
    case "none": self = .nothing
    case "-": self = .pipe(name)
    case _ where exists && (kind == S_IFIFO || kind == S_IFCHR || kind == S_IFSOCK): self = .pipe(name)
    case _ where exists || name.contains("/") || endings.contains { name.hasSuffix($0) } || SoundFileReader.isRaw(name):
      self = .file(name)
    default: self = .device(fragment: name)
    }
  }

  var isDevice: Bool {
    if case .device = self { return true }
    return false
  }
}

/// Opens the microphone and the speaker that the plan names.
struct SessionSound {
  let audio: SessionAudio
  /// Lines for the user: a recording that is cut short, for one.
  let warnings: [String]

  /// - Parameter makeGate: the detector at the microphone, if this session needs one.
  init(_ plan: Plan, wiring: AudioWiring, makeGate: (@Sendable () -> ActivityGate)?) throws {
    let microphone: any Microphone
    var warnings: [String] = []
    switch SoundPlace(plan.microphone) {
    case .file(let path):
      let file = try FileMicrophone(path: path, pace: plan.isFast ? .fast : .real, wiring: wiring, makeGate: makeGate)
      warnings += file.warning.map { [$0] } ?? []
      microphone = file
    case .pipe(let path): microphone = try PipeMicrophone(path: path, wiring: wiring, makeGate: makeGate)
    case .device: throw AudioError.noDevice(.microphone)
    case .nothing:
      throw ConfigurationError("A session needs a microphone: name a device, a sound file or a pipe.")
    }
    let speaker: any Speaker =
      switch SoundPlace(plan.speaker) {
      case .file(let path) where SoundFileReader.isRaw(path): try PacedSpeaker.pipe(path: path, wiring: wiring)
      case .file(let path): try PacedSpeaker.file(path: path, wiring: wiring)
      case .pipe(let path): try PacedSpeaker.pipe(path: path, wiring: wiring)
      case .nothing: try PacedSpeaker.silent(wiring: wiring)
      case .device: throw AudioError.noDevice(.speaker)
      }
    audio = SessionAudio(microphone: microphone, speaker: speaker)
    self.warnings = warnings
  }
}
