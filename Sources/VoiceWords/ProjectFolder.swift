import VoiceFoundation
import VoiceSystem

/// The working folder as it is on disk: its files without the ignored ones, and the branches of its repository.
///
/// Nothing is run and nothing is written. Whatever cannot be read is left out: words are a help, and no session fails for
/// want of them.
package struct ProjectFolder {
  private let path: String

  /// - Parameter path: an existing folder, absolute or relative to the current one.
  package init(_ path: String) { self.path = path }

  /// The names of this project. Takes at most `WordsLimits.milliseconds`, and a little; less if its task is cancelled.
  package func names() -> [String] {
    let start = ContinuousClock.now
    let isOver = { Task.isCancelled || start.duration(to: .now) > .milliseconds(WordsLimits.milliseconds) }
    guard let folder = PlainFile.real(path) else { return [] }
    let repository = Repository(containing: folder)
    let paths = repository?.trackedFiles(in: folder) ?? FolderWalk(folder, isOver: isOver).paths
    return NameMiner.names(
      .init(
        paths: paths, branches: repository?.branches ?? [],
        read: { readStart(of: folder + "/" + $0, bytes: WordsLimits.bytesOfFile) }, isOver: isOver))
  }
}

/// A git repository, as far as its words are concerned.
private struct Repository {
  /// The folder that the paths of the index are relative to.
  private let top: String
  /// Where the index and HEAD are.
  private let gitFolder: String
  /// Where the branches are; another one than `gitFolder` in a linked work tree.
  private let commonFolder: String

  /// The repository that a folder lies in; nil if it lies in none.
  init?(containing folder: String) {
    var top = folder
    while !top.isEmpty {
      let place = top + "/.git"
      if access(place + "/HEAD", R_OK) == 0 {
        (self.top, gitFolder, commonFolder) = (top, place, place)
        return
      }
      // In a linked work tree and in a submodule it is a file that says where.
      if let line = readLine(place), line.hasPrefix("gitdir: ") {
        let named = String(line.dropFirst(8))
        let folder = named.hasPrefix("/") ? named : top + "/" + named
        let common = readLine(folder + "/commondir").map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
        (self.top, gitFolder, commonFolder) = (top, folder, common ?? folder)
        return
      }
      guard let slash = top.lastIndex(of: "/") else { return nil }
      top = String(top[..<slash])
    }
    return nil
  }

  /// Relative to `folder`; nil if the index cannot be read, or tracks nothing there.
  func trackedFiles(in folder: String) -> [String]? {
    guard let bytes = readStart(of: gitFolder + "/index", bytes: WordsLimits.indexBytes),
      let index = GitIndex(bytes, hashBytes: usesLongHashes ? 32 : 20)
    else { return nil }
    let prefix = folder == top ? "" : folder.dropFirst(top.count + 1) + "/"
    let paths = index.paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    return paths.isEmpty ? nil : paths
  }

  private var usesLongHashes: Bool {
    guard let bytes = readStart(of: commonFolder + "/config", bytes: 1 << 16) else { return false }
    let config = String(decoding: bytes, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
    return config.contains("objectformat=sha256")
  }

  /// Local branches.
  var branches: [String] {
    let heads = commonFolder + "/refs/heads"
    // A branch may be called like a product of a build.
    var branches = FolderWalk(heads, ignoring: [], isOver: { false }).paths
    if let bytes = readStart(of: commonFolder + "/packed-refs", bytes: 1 << 20) {
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        if let name = line.split(separator: " ").last, name.hasPrefix("refs/heads/") {
          branches.append(String(name.dropFirst("refs/heads/".count)))
        }
      }
    }
    return Array(Set(branches).sorted().prefix(WordsLimits.branches))
  }
}

/// The files below a folder that is in no repository, without hidden ones, the usual products of builds, and what a
/// simple ignore file at the top names.
private struct FolderWalk {
  private(set) var paths: [String] = []
  private var ignored: Set<String>
  private var ignoredEndings: [String] = []
  private static let products: Set<String> = [
    "node_modules", "target", "build", "dist", "vendor", "Pods", "DerivedData", "__pycache__", "venv", "coverage",
  ]

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
private func readStart(of path: String, bytes limit: Int) -> [UInt8]? {
  do { return try PlainFile.beginning(path, limit: limit).bytes } catch { return nil }
}

/// The one line of a small file.
private func readLine(_ path: String) -> String? {
  readStart(of: path, bytes: 4_096).map { String(decoding: $0.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self) }
}
