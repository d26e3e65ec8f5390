import VoiceSystem

/// Why a sound file cannot be used. Each description is one line: what failed, on what, and what to do.
package enum SoundFileError: Error, Equatable, CustomStringConvertible {
  case missing(path: String)
  case isFolder(path: String)
  /// The file has no bytes at all.
  case empty(path: String)
  /// The file is sound, but of no length.
  case noSamples(path: String)
  /// The bytes are of no sound format known here; `reason` is the sound-file library's own.
  case notSound(path: String, reason: String)
  /// The operating system refused to read, or the data broke off inside.
  case unreadable(path: String, reason: String)
  /// There is a file of that name already, and nobody said that it may be lost.
  case exists(path: String)
  /// The operating system refused to create or to write.
  case unwritable(path: String, reason: String)

  package var description: String {
    switch self {
    case .missing(let path): "there is no sound file \(path): check the name"
    case .isFolder(let path): "\(path) is a folder: name a sound file in it"
    case .empty(let path): "the sound file \(path) is empty: record it again"
    case .noSamples(let path): "the sound file \(path) holds no samples: record it again"
    case .notSound(let path, let reason):
      "\(path) is not a sound file that can be read (\(reason)): use WAV, FLAC, Ogg, or raw PCM named .raw or .pcm"
    case .unreadable(let path, let reason): "the sound file \(path) cannot be read: \(reason)"
    case .exists(let path): "\(path) already exists and is not overwritten: name another file, or add --overwrite"
    case .unwritable(let path, let reason): "the sound file \(path) cannot be written: \(reason)"
    }
  }

  /// What the operating system says about an error number, with a remedy where there is an obvious one.
  static func reason(_ number: Int32) -> String {
    switch number {
    case ENOSPC, EDQUOT: "the disk is full; free some space"
    case EACCES, EPERM: "permission denied; check who owns it"
    case ENOENT: "its folder does not exist; create it first"
    default: String(cString: strerror(number)).lowercased()
    }
  }
}
