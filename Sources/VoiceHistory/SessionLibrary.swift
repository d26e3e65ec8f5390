package import VoiceFoundation
import VoiceLanguage
package import VoiceRecording

/// The folder below which sessions are kept, one folder each.
package struct SessionLibrary: Sendable {
  package let root: String

  /// A session folder, as its folder shows it, without having been read.
  package struct Place: Equatable, Sendable {
    package var path: String
    package var name: String
    /// When its log was last written, or the folder, if it has none.
    package var modified: Date
    package var logBytes: Int64
  }

  package init(root: String) { self.root = root }

  /// The sessions, oldest first; none if there is no such folder. Symbolic links are not followed.
  package func places() -> [Place] {
    FileManager.default.names(in: root).compactMap { Self.place("\(root)/\($0)") }
  }

  /// The session at a path; nil if there is none.
  package static func place(_ path: String) -> Place? {
    guard let folder = FileStatus(path), folder.isFolder, SessionFolder.isSession(path) else { return nil }
    // One that has lost its log is a session all the same, and damaged.
    let log = FileStatus(path + "/events.jsonl").flatMap { $0.isFile ? $0 : nil }
    return Place(
      path: path, name: RecordedSession.name(of: path), modified: (log ?? folder).modified, logBytes: log?.bytes ?? 0)
  }

  /// How a session may be named, for the help of every verb that takes one.
  package static let help = "a folder, a session's name or its beginning, or `last`"

  /// The folder of a session that was named by a path, by its name or the beginning of it; `last`, or no name, is the
  /// newest. Every verb that takes a session takes it through this.
  package func folder(_ name: String?) throws(FileFailure) -> String {
    if let name, name != "last", name.contains("/") || FileManager.default.fileExists(atPath: name) {
      return Self.withoutLogFile(name)
    }
    let places = places()
    guard let name, name != "last" else {
      guard let newest = places.max(by: { $0.modified < $1.modified }) else {
        throw FileFailure(
          "There is no session in \(root) yet. Name a session folder, or another folder of sessions with --sessions.")
      }
      return newest.path
    }
    let matching = places.filter { $0.name.hasPrefix(name) }
    if let exact = matching.first(where: { $0.name == name }) { return exact.path }
    guard let match = matching.first else {
      throw FileFailure("There is no session \(name), neither here nor in \(root). `parley log` lists the sessions.")
    }
    guard matching.count == 1 else {
      let shown = matching.prefix(Self.shownCandidates).map(\.name).joined(separator: ", ")
      let rest = matching.count > Self.shownCandidates ? " and \(matching.count - Self.shownCandidates) more" : ""
      throw FileFailure(
        "\(Counted(matching.count, "session").digits) in \(root) begin with \(name): \(shown)\(rest). Say more of the name."
      )
    }
    return match.path
  }

  /// As many of the sessions that a name may mean are told: a screen full.
  private static let shownCandidates = 20

  /// The folder, where the log in it was named; anything else as it is.
  package static func withoutLogFile(_ path: String) -> String {
    guard path.hasSuffix("/events.jsonl") else { return path }
    return String(path.dropLast("/events.jsonl".count))
  }

  /// The bytes of all files in a session folder, which has no folders in it.
  package static func size(of path: String) -> Int64 {
    // A folder that goes away in the meantime has no size.
    FileManager.default.names(in: path).reduce(0) { sum, name in sum + (FileStatus("\(path)/\(name)")?.bytes ?? 0) }
  }
}
