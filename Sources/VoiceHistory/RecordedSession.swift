package import VoiceFoundation
package import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A session folder, read: its manifest, its log, and the history that the log tells.
package struct RecordedSession: Sendable {
  package let folder: SessionFolder
  /// Nil where there is none that can be read.
  package let manifest: SessionManifest?
  package let lines: [LogLine]
  package let history: SessionHistory
  /// What could not be read, if anything: one sentence for people.
  package let damage: String?

  /// The last part of the folder's path.
  package var name: String { Self.name(of: folder.path) }

  /// Wall-clock start; nil if the manifest does not tell.
  package var started: Date? { manifest.flatMap { Self.date($0.started) } }

  /// - Parameter path: a session folder.
  package init(_ path: String) throws(FileFailure) {
    folder = try SessionFolder(reading: path)
    let reader = try LogReader(folder.log)
    lines = reader.lines
    damage = reader.damage
    history = SessionHistory(reader.lines)
    manifest = Self.readManifest(folder.manifest)
  }

  init(folder: SessionFolder, manifest: SessionManifest?, lines: [LogLine], damage: String?) {
    (self.folder, self.manifest, self.lines, self.damage) = (folder, manifest, lines, damage)
    history = SessionHistory(lines)
  }

  /// A session's name is that of its folder.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The manifest at a path; nil if there is none or it is damaged: a session is worth reading without it.
  package static func readManifest(_ path: String) -> SessionManifest? {
    do {
      return try SessionManifest(reading: path)
    } catch {
      return nil
    }
  }

  /// A moment as a manifest writes it.
  package static func date(_ text: String) -> Date? {
    do {
      return try Date(text, strategy: .iso8601)
    } catch {
      return nil
    }
  }
}
