import VoiceSystem

/// What the file system knows of a file or folder; a symbolic link is not followed.
package struct FileStatus {
  package let isFolder: Bool
  package let isFile: Bool
  package let bytes: Int64
  package let modified: Date

  /// Nil if there is nothing at the path.
  package init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isFile = status.st_mode & S_IFMT == S_IFREG
    bytes = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }
}
