import VoiceFoundation
import VoiceSystem

/// The working folder as it is on disk: its files without the ignored ones, and the branches of its repository.
///
/// Nothing is run and nothing is written. Whatever cannot be read is left out: words are a help, and no session fails for
/// want of them. Nor is anything read outside of the folder, whatever its index or a link in it says, but for what belongs to its
/// repository and says so itself.
package struct ProjectFolder {
  private let path: String

  /// - Parameter path: an existing folder, absolute or relative to the current one.
  package init(_ path: String) { self.path = path }

  /// The names of this project. Takes at most `WordsLimits.milliseconds`, and a little; less if its task is cancelled.
  package func names() -> [String] {
    let start = ContinuousClock.now
    let isOver = { Task.isCancelled || start.duration(to: .now) > .milliseconds(WordsLimits.milliseconds) }
    guard let folder = PlainFile.real(path) else { return [] }
    let repository = ProjectRepository(containing: folder)
    let paths = repository?.trackedFiles(in: folder, isOver: isOver) ?? FolderWalk(folder, isOver: isOver).paths
    return NameMiner.names(
      .init(
        paths: paths, branches: repository?.branches ?? [],
        read: { readStart(of: folder + "/" + $0, bytes: WordsLimits.bytesOfFile) }, isOver: isOver))
  }
}

/// The files below a folder that is in no repository, without hidden ones, the usual products of builds, and what a
/// simple ignore file at the top names.
struct FolderWalk {
  private(set) var paths: [String] = []
  private var ignored: Set<String>
  private var ignoredEndings: [String] = []
  private static let products: Set<String> = [
    "node_modules", "target", "build", "dist", "vendor", "Pods", "DerivedData", "__pycache__", "venv", "coverage",
  ]

  /// - Parameter ignored: names of files and folders that are left out.
  init(_ folder: String, ignoring ignored: Set<String> = Self.products, isOver: () -> Bool) {
    self.ignored = ignored
    for name in [".gitignore", ".ignore"] {
      guard let bytes = readStart(of: folder + "/" + name, bytes: 1 << 16) else { continue }
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        let pattern = line.drop { $0 == "/" }.prefix { $0 != " " && $0 != "\r" }
        let plain = pattern.hasSuffix("/") ? pattern.dropLast() : pattern
        if plain.hasPrefix("*"), !plain.dropFirst().contains("*") {
          ignoredEndings.append(String(plain.dropFirst()))
        } else if !plain.isEmpty, !plain.contains("*"), plain.first != "#", plain.first != "!" {
          self.ignored.insert(String(plain))
        }
      }
    }
    walk(folder, "", depth: 0, isOver)
  }

  private mutating func walk(_ folder: String, _ prefix: String, depth: Int, _ isOver: () -> Bool) {
    guard depth < WordsLimits.depth, paths.count < WordsLimits.files, !isOver() else { return }
    for name in FileManager.default.names(in: folder)
    where name.first != "." && !ignored.contains(name) && !ignored.contains(prefix + name) {
      if ignoredEndings.contains(where: { !$0.isEmpty && name.hasSuffix($0) }) { continue }
      switch PlainFile.kind(folder + "/" + name) {
      case .folder: walk(folder + "/" + name, prefix + name + "/", depth: depth + 1, isOver)
      case .file: paths.append(prefix + name)
      default: break
      }
    }
  }
}

/// The first bytes of an ordinary file; nil for anything else. A link is not followed: it may lead out of the folder.
func readStart(of path: String, bytes limit: Int) -> [UInt8]? {
  do { return try PlainFile.beginning(path, limit: limit).bytes } catch { return nil }
}

/// The one line of a small file.
func readLine(_ path: String) -> String? {
  readStart(of: path, bytes: 4_096).map { String(decoding: $0.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self) }
}
