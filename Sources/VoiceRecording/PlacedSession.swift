import VoiceFoundation
import VoiceSystem

/// A session in a place of its own, where nobody would look for what it leaves open: a file in one folder tells later ones where it
/// is, for as long as it may have left something.
package struct PlacedSession: Sendable {
  private let file: String

  private static let ending = ".place"
  /// A path of this many bytes is none.
  private static let longestPath = 4_096
  /// More sessions in places of their own are not looked at: nobody has left so many open.
  private static let most = 256

  /// Make known a session whose mark is there. The folder of these files is made if it is not there.
  package init(_ session: SessionFolder, in folder: String) throws(FileFailure) {
    guard let path = Self.whole(session.path) else { throw FileFailure("find", session.path) }
    file = "\(folder)/\(getpid())-\(UUID().uuidString)\(Self.ending)"
    try PlainFile.makeFolder(folder)
    try PlainFile.replace(file, with: path.utf8)
  }

  /// It left nothing open.
  package func forget() { unlink(file) }

  /// The sessions that are known in this folder. What has been settled since is not told any more.
  package static func all(in folder: String) -> [SessionFolder] {
    let names = FileManager.default.names(in: folder).filter { $0.hasSuffix(ending) }.sorted()
    return names.prefix(most).compactMap { name in
      let file = "\(folder)/\(name)"
      guard let path = path(in: file) else { return nil }
      let session = SessionFolder(unchecked: path)
      if PlainFile.isThere(session.mark) { return session }
      unlink(file)
      return nil
    }
  }

  /// Nil if it cannot be read, or is not ours.
  private static func path(in file: String) -> String? {
    do throws(FileFailure) {
      let text = String(decoding: try PlainFile.data(file, limit: longestPath), as: UTF8.self)
      return text.hasPrefix("/") ? text : nil
    } catch {
      return nil
    }
  }

  private static func whole(_ path: String) -> String? {
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    return String(cString: whole)
  }
}
