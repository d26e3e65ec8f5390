import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Puts the project's recordings together into longer ones.
package enum Recordings {
  package enum Part {
    /// A file of `audio-fixtures/recordings`.
    case recording(String)
    case silence(milliseconds: Int)
  }

  /// Write raw PCM, 16 kHz, one part after the other.
  package static func write(_ parts: [Part], to path: String) throws {
    var samples: [Int16] = []
    for part in parts {
      switch part {
      case .recording(let name):
        samples += try WaveFile.samples(Repository.path + "/audio-fixtures/recordings/" + name)
      case .silence(let milliseconds):
        samples += [Int16](repeating: 0, count: milliseconds * PCM.microphoneRate / 1000)
      }
    }
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    try Data(bytes).write(to: URL(filePath: path))
  }
}
