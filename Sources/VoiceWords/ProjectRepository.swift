import VoiceSystem

/// A git repository, as far as its words are concerned.
///
/// A folder may have come from anybody, with a `.git` that is not git's work: one that leads to another repository is taken only where
/// that one says, too, that they belong together.
struct ProjectRepository {
  /// The folder that the paths of the index are relative to.
  private let top: String
  /// Where the index and HEAD are.
  private let gitFolder: String
  /// Where the branches are; another one than `gitFolder` in a linked work tree.
  private let commonFolder: String

  /// The repository that a folder lies in; nil if it lies in none.
  /// - Parameter folder: a whole path without links.
  init?(containing folder: String) {
    var top = folder
    while !top.isEmpty {
      let place = top + "/.git"
      switch PlainFile.kind(place) {
      case .folder where access(place + "/HEAD", R_OK) == 0:
        (self.top, gitFolder, commonFolder) = (top, place, place)
        return
      // In a linked work tree and in a submodule it is a file that says where.
      case .file:
        guard let line = readLine(place), line.hasPrefix("gitdir: "),
          let folder = Self.named(String(line.dropFirst(8)), in: top),
          let common = Self.common(of: folder, top: top)
        else { return nil }
        (self.top, gitFolder, commonFolder) = (top, folder, common)
        return
      case .link, .special: return nil
      case .folder, .nothing: break
      }
      guard let slash = top.lastIndex(of: "/") else { return nil }
      top = String(top[..<slash])
    }
    return nil
  }

  /// What a path means in a folder, without links; nil if nothing is there.
  private static func named(_ path: String, in folder: String) -> String? {
    PlainFile.real(path.hasPrefix("/") ? path : folder + "/" + path)
  }

  /// Where the branches are of a repository that is not in the folder where its files are; nil where it does not say that these are
  /// its own.
  private static func common(of folder: String, top: String) -> String? {
    // A linked work tree: its own folder in the repository names the file that led here.
    if let named = readLine(folder + "/commondir").map({ Self.named($0, in: folder) }) {
      guard let common = named, PlainFile.folder(of: folder) == common + "/worktrees",
        readLine(folder + "/gitdir").flatMap({ Self.named($0, in: folder) }) == top + "/.git"
      else { return nil }
      return common
    }
    // A submodule: its settings name the folder of its files. In the folder itself all is its own.
    let isOwn = folder.hasPrefix(top + "/") || workTree(of: folder).flatMap { Self.named($0, in: folder) } == top
    return isOwn ? folder : nil
  }

  /// The folder of its files, as the settings of a repository name it.
  private static func workTree(of folder: String) -> String? {
    guard let bytes = readStart(of: folder + "/config", bytes: 1 << 16) else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let sides = line.split(separator: "=", maxSplits: 1).map { $0.split(whereSeparator: \.isWhitespace) }
      guard sides.count == 2, sides[0].count == 1, sides[0][0].lowercased() == "worktree" else { continue }
      let value = sides[1].joined(separator: " ")
      return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : value
    }
    return nil
  }

  /// Relative to `folder`; nil if the index cannot be read, or tracks nothing there.
  func trackedFiles(in folder: String, isOver: () -> Bool) -> [String]? {
    guard let bytes = readStart(of: gitFolder + "/index", bytes: WordsLimits.indexBytes),
      let index = GitIndex(bytes, hashBytes: usesLongHashes ? 32 : 20)
    else { return nil }
    let prefix = folder == top ? "" : folder.dropFirst(top.count + 1) + "/"
    var inside = InsideFolder(folder)
    var paths: [String] = []
    for path in index.paths where path.hasPrefix(prefix) {
      if paths.count == WordsLimits.files || isOver() { break }
      let path = String(path.dropFirst(prefix.count))
      if inside.has(path) { paths.append(path) }
    }
    return paths.isEmpty ? nil : paths
  }

  private var usesLongHashes: Bool {
    guard let bytes = readStart(of: commonFolder + "/config", bytes: 1 << 16) else { return false }
    let config = String(decoding: bytes, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
    return config.contains("objectformat=sha256")
  }

  /// Local branches.
  var branches: [String] {
    let (refs, heads) = (commonFolder + "/refs", commonFolder + "/refs/heads")
    // A branch may be called like a product of a build.
    var branches =
      [refs, heads].allSatisfy(PlainFile.isFolder) ? FolderWalk(heads, ignoring: [], isOver: { false }).paths : []
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

/// Tells which paths stay in a folder: none that leads up or begins at the root, and none through a link.
private struct InsideFolder {
  private let folder: String
  /// Whether folders below it are no links.
  private var known: [String: Bool] = [:]

  init(_ folder: String) { self.folder = folder }

  mutating func has(_ path: String) -> Bool {
    guard path.utf8.count <= WordsLimits.pathBytes else { return false }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return false }
    var place = folder
    for part in parts.dropLast() {
      place += "/" + part
      if !isPlain(place) { return false }
    }
    return true
  }

  /// A folder that is not there any more leads nowhere.
  private mutating func isPlain(_ place: String) -> Bool {
    if let known = known[place] { return known }
    let isPlain = [.folder, .nothing].contains(PlainFile.kind(place))
    known[place] = isPlain
    return isPlain
  }
}
