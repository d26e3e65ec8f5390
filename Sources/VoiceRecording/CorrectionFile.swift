import VoiceFoundation
import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

/// What the user taught about words, beyond one session: JSON lines in a file that only its owner may read.
package struct CorrectionFile {
  /// One lesson, and the folder in which it was taught.
  package struct Entry: Equatable, Sendable, Codable {
    package var folder: String
    package var correction: Correction
  }

  package let path: String

  package init(_ path: String) { self.path = path }

  /// `$XDG_DATA_HOME/parley/words.jsonl`; nil if nothing says where that is.
  package static func defaultPath(environment: [String: String]) -> String? {
    UserFolders(environment).data.map { $0 + "/words.jsonl" }
  }

  /// Why there is no such file, where there is no place for it.
  package static let noPlace = FileFailure(
    "There is no place for taught words: HOME is not set, or no absolute path. \(UserFolders.remedy)")

  /// All entries, oldest first; none if nothing was ever taught. A line that cannot be read is left out, and counted.
  package func read() throws(FileFailure) -> (entries: [Entry], damagedLines: Int) {
    guard PlainFile.isThere(path) else { return ([], 0) }
    let data = try PlainFile.data(path, limit: Limits.documentBytes)
    var entries: [Entry] = []
    var damagedLines = 0
    for line in data.split(separator: 0x0A) {
      do {
        entries.append(try JSON.decode(Entry.self, from: line))
      } catch {
        damagedLines += 1
      }
    }
    return (Array(entries.suffix(Limits.corrections)), damagedLines)
  }

  /// What holds in a folder: what was taught there, and elsewhere about names that this project has as well.
  package func corrections(in folder: String, names: [String]) throws(FileFailure) -> [Correction] {
    let known = Set(names)
    return try read().entries.filter { entry in
      entry.folder == folder || entry.correction.leavesAlone || known.contains(entry.correction.meant)
    }.map(\.correction)
  }

  /// Keep these for a project's folder.
  package func append(_ corrections: [Correction], in folder: String) throws(FileFailure) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try PlainFile.makeFolder(String(path[..<slash])) }
    try AppendFile(path).append(corrections.flatMap { JSON(encoding: Entry(folder: folder, correction: $0)).line })
  }

  /// Drop every lesson about these words, heard or meant. Returns how many there were.
  package func forget(_ words: String) throws(FileFailure) -> Int {
    let entries = try read().entries
    let wanted = words.lowercased()
    let kept = entries.filter { $0.correction.heard != wanted && $0.correction.meant.lowercased() != wanted }
    guard kept.count < entries.count else { return 0 }
    try PlainFile.replace(path, with: kept.flatMap { JSON(encoding: $0).line })
    return entries.count - kept.count
  }
}
