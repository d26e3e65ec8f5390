package import VoiceSound
package import VoiceVocabulary

/// Why a microphone or a speaker cannot be used from the start. Each description is one line: what failed, on what, and
/// what to do.
package enum AudioError: Error, Equatable, CustomStringConvertible {
  /// There is no sound device of that kind at all, whatever name was given.
  case noDevice(SoundDeviceKind, fragment: String? = nil)
  /// No device of that kind has a name with this fragment.
  case noSuchDevice(SoundDeviceKind, fragment: String, available: [String])
  /// Several devices have.
  case ambiguousDevice(SoundDeviceKind, fragment: String, matching: [String])
  /// The device is there but cannot be opened.
  case unusableDevice(SoundDeviceKind, name: String, reason: String)
  /// The sound system itself cannot be started.
  case noSoundSystem(reason: String)
  /// A pipe cannot be opened.
  case unusablePipe(path: String, reason: String)
  /// A sound file cannot be read or written.
  case unusableFile(SoundFileError)

  /// Whether this machine has nothing usable of that kind, as opposed to a name that is wrong.
  package var isLackOfDevice: Bool {
    switch self {
    case .noDevice, .unusableDevice, .noSoundSystem: true
    case .noSuchDevice, .ambiguousDevice, .unusablePipe, .unusableFile: false
    }
  }

  package var description: String {
    switch self {
    case .noDevice(let kind, let fragment):
      "no \(kind.rawValue) was found\(fragment.map { " that could be \"\($0)\"" } ?? ""): connect one, or name a sound file or "
        + "pipe instead\(kind == .speaker ? ", or none to read the answers" : "")"
    case .noSuchDevice(let kind, let fragment, let available):
      "no \(kind.rawValue) has \"\(fragment)\" in its name: choose one of \(Self.list(available))"
    case .ambiguousDevice(let kind, let fragment, let matching):
      "\"\(fragment)\" fits more than one \(kind.rawValue): say more of one of \(Self.list(matching))"
    case .unusableDevice(let kind, let name, let reason):
      "the \(kind.rawValue) \"\(name)\" cannot be opened (\(reason)): see whether another program holds it, "
        + "or choose another"
    case .noSoundSystem(let reason):
      "the sound system cannot be started (\(reason)): name a sound file or pipe instead of a device"
    case .unusablePipe(let path, let reason):
      "the pipe \(path) cannot be opened: \(reason)"
    case .unusableFile(let error): error.description
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
