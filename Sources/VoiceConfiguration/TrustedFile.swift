import VoiceSystem
import VoiceVocabulary

/// Reads a configuration. It names programs that are run, and says what needs no approval: so it counts only where nobody
/// else could have written it.
enum TrustedFile {
  /// The bytes of a file that only its user or the system can have written.
  static func contents(_ path: String) throws(ConfigurationError) -> [UInt8] {
    // The usual way to name nothing at all.
    if path == "/dev/null" { return [] }
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      // The user may well keep it elsewhere, behind a link; what counts is who can write there.
      descriptor = try PlainFile.open(reading: path, links: .followed)
    } catch {
      throw unreadable(path, error)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, .system(errno)) }
    guard [0, geteuid()].contains(status.st_uid) else {
      throw ConfigurationError(
        "\(path) belongs to another user, who could have any program run by it. Make it your own with chown, or name "
          + "another with --config.")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw ConfigurationError(
        "\(path) can be changed by others, who could have any program run by it. Run: chmod go-w \(path)")
    }
    for folder in folders(of: path) {
      guard stat(folder, &status) == 0, status.st_mode & S_IWOTH != 0, status.st_mode & S_ISVTX == 0 else { continue }
      throw ConfigurationError(
        "\(path) can be replaced by others, because all may write in \(folder). Run: chmod o-w \(folder)")
    }
    do throws(PlainFile.Refusal) {
      return try PlainFile.contents(descriptor, limit: Limits.documentBytes)
    } catch {
      throw unreadable(path, error)
    }
  }

  /// The folder that holds the file, and the one that holds what a link leads to.
  private static func folders(of path: String) -> Set<String> {
    Set([path, PlainFile.real(path)].compactMap { $0 }.map { PlainFile.folder(of: $0) })
  }

  private static func unreadable(_ path: String, _ refusal: PlainFile.Refusal) -> ConfigurationError {
    guard [.system(ENOENT), .system(ENOTDIR)].contains(refusal) else {
      return ConfigurationError("\(path) cannot be read: \(refusal.reason). Name another with --config.")
    }
    guard let destination = PlainFile.destination(ofLink: path) else {
      return ConfigurationError("\(path): there is no such file. Name another with --config.")
    }
    // It is there for whoever looks into its folder.
    return ConfigurationError(
      "\(path) is a symbolic link to \(destination), and what it leads to does not exist. Mend the link, or name another "
        + "with --config.")
  }
}
