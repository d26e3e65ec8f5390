import VoiceHistory
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sessions of the fixtures, as their expected logs tell them.
enum Histories {
  static func lines(_ fixture: String) throws -> [LogLine] {
    try LogReader("\(Repository.path)/audio-fixtures/\(fixture)/expected.jsonl").lines
  }

  static func history(_ fixture: String) throws -> SessionHistory { SessionHistory(try lines(fixture)) }

  /// All fixtures that have a log.
  static let all: [String] = {
    let folder = Repository.path + "/audio-fixtures"
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        FileManager.default.fileExists(atPath: "\(folder)/\($0)/expected.jsonl")
      }.sorted()
    } catch {
      return []
    }
  }()

  /// A session folder made of a fixture's log: with a manifest, and with sound if asked for.
  static func folder(
    _ fixture: String, at path: String, started: String = "2026-11-21T10:00:00Z", microphone: [Int16] = []
  ) throws -> SessionFolder {
    let folder = try SessionFolder(creating: path)
    try SessionManifest(program: "parley 0.1.0", started: started, plan: []).write(to: folder.manifest)
    try FileManager.default.copyItem(
      atPath: "\(Repository.path)/audio-fixtures/\(fixture)/expected.jsonl", toPath: folder.log)
    return folder
  }
}

extension TimelineEntry {
  /// As it is shown: the time, the label, the text.
  var row: String { "\(moment.time.clock)  \(text.line)" }
}

extension Explanation.Sentence {
  /// As it is shown.
  var row: String { "\(moment.time.clock)  \(text.sanitized(limit: 10_000))" }
}
