import VoiceFoundation
import VoiceSystem

/// The folder that the guide works in. Nothing outside it is read or written, also not through a symbolic link.
struct WorkingFolder: Sendable {
  /// The files of the folder, by their paths relative to it.
  struct Listing: Sendable {
    var paths: [String]
    /// False if there were more files than the guide looks at.
    var isComplete: Bool
  }

  /// Why a file is not read; each is a sentence for people.
  enum Obstacle: Error, Equatable {
    case missing, outside, notAFile, secret, unreadable
  }

  /// What was read of a file.
  struct Contents: Sendable {
    var bytes: [UInt8]
    /// The size of the whole file.
    var size: Int

    /// Whether all of the file was read.
    var isWhole: Bool { bytes.count >= size }
    /// A zero byte near the beginning: no text file has one.
    var isBinary: Bool { bytes.prefix(8_192).contains(0) }
    /// The bytes as text; what is no UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Enough of the text to tell what the file is about.
    var beginning: String { String(decoding: bytes.prefix(GuideLimits.outlineBytes), as: UTF8.self) }
    /// Lines in what was read; a last line without an end counts.
    var lines: Int {
      let ends = bytes.withUnsafeBytes { bytes in
        var count = 0
        var rest = bytes[...]
        while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, let end = memchr(base, 0x0A, rest.count) {
          count += 1
          rest = rest.dropFirst(UnsafeRawPointer(end) - base + 1)
        }
        return count
      }
      return bytes.isEmpty || bytes.last == 0x0A ? ends : ends + 1
    }
  }

  /// Absolute, with every symbolic link followed.
  let path: String

  /// Nil if there is no such folder, or it cannot be entered.
  init?(path: String) {
    guard let real = PlainFile.real(path), PlainFile.isFolder(real), access(real, R_OK | X_OK) == 0 else { return nil }
    self.path = real
  }

  /// The last part of the path, as a name for the folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? "/" }

  /// The path of a file by its path in the folder.
  func absolute(_ relative: String) -> String { path == "/" ? "/" + relative : path + "/" + relative }

  // Which files there are.

  /// All files, sorted by path; asks git where it can, so that ignored files stay out.
  func files() async throws -> Listing {
    if let listing = try await filesKnownToGit() { return listing }
    try Task.checkCancellation()
    return filesFound()
  }

  private func filesKnownToGit() async throws -> Listing? {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    let output: [UInt8]
    do { output = try await Git(folder: self).output(of: words, keeping: 8 << 20) } catch is Git.Failure { return nil }
    let names = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let present = names.prefix(GuideLimits.files).filter { [.file, .link].contains(PlainFile.kind(absolute($0))) }
    return Listing(
      paths: present.sorted(), isComplete: names.count <= GuideLimits.files && output.last ?? 0 == 0)
  }

  /// Folders that hold what tools made or fetched, where no ignore list says so.
  private static let made: Set<String> = ["node_modules", "__pycache__", "target", "build", "dist", "venv"]

  private func filesFound() -> Listing {
    var paths: [String] = []
    var isComplete = true
    var folders: [(path: String, depth: Int)] = [("", 0)]
    while let folder = folders.popLast() {
      for name in names(in: folder.path) {
        let relative = folder.path.isEmpty ? name : folder.path + "/" + name
        switch PlainFile.kind(absolute(relative)) {
        case .file, .link:
          if paths.count >= GuideLimits.files {
            return Listing(paths: paths.sorted(), isComplete: false)
          }
          paths.append(relative)
        case .folder where !name.hasPrefix(".") && !Self.made.contains(name):
          if folder.depth < GuideLimits.depth {
            folders.append((relative, folder.depth + 1))
          } else {
            isComplete = false
          }
        default: break
        }
      }
    }
    return Listing(paths: paths.sorted(), isComplete: isComplete)
  }

  /// What lies directly in a folder, sorted; nothing if it cannot be read, or lies outside.
  func names(in relative: String) -> [String] {
    guard let real = PlainFile.real(absolute(relative)), contains(real) else { return [] }
    return FileManager.default.names(in: real)
  }

  // Reading one file.

  /// Read the beginning of a file, at most `GuideLimits.fileBytes`.
  func read(_ relative: String) throws(Obstacle) -> Contents {
    if Self.looksSecret(relative) { throw .secret }
    guard let real = PlainFile.real(absolute(relative)) else { throw .missing }
    guard contains(real) else { throw .outside }
    do throws(PlainFile.Refusal) {
      let (bytes, size) = try PlainFile.beginning(real, limit: GuideLimits.fileBytes)
      return Contents(bytes: bytes, size: size)
    } catch {
      switch error {
      case .folder, .special: throw .notAFile
      case .link, .tooLarge, .system: throw .unreadable
      }
    }
  }

  /// Whether a path without symbolic links lies in the folder.
  func contains(_ real: String) -> Bool { real == path || real.hasPrefix(path == "/" ? "/" : path + "/") }

  /// Whether a regular file stands at the path and lies in the folder.
  func hasFile(_ relative: String) -> Bool {
    guard let real = PlainFile.real(absolute(relative)), contains(real) else { return false }
    return PlainFile.kind(real) == .file
  }

  /// Names of files that usually hold keys or passwords: they are never read aloud.
  static func looksSecret(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last.map(String.init) ?? path).lowercased()
    return name == ".env" || name.hasPrefix(".env.")
      || [".pem", ".key", ".p12", ".pfx"].contains { name.hasSuffix($0) }
      || ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", ".npmrc", ".pypirc", "credentials"].contains(name)
  }
}
