import VoiceSystem

/// A new file that only its owner may read, since it holds what people said. One thread at a time.
final class PrivateFile {
  let path: String
  private var descriptor: Int32

  /// Create the file.
  ///
  /// - Parameters:
  ///   - replaces: whether one that is there is emptied; else it is an error, and stays as it is. A device such as
  ///     /dev/null holds nothing that could be lost.
  ///   - links: whether it may be a link, or such a device, that was there before: for a name that the user gave, not for
  ///     a file of a session.
  init(path: String, replaces: Bool = false, links: PlainFile.Links = .followed) throws(SoundFileError) {
    self.path = path
    let flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK
    descriptor = open(path, flags | O_CREAT | (replaces ? O_TRUNC : O_EXCL), 0o600)
    if descriptor < 0, errno == EEXIST, links == .refused { throw .exists(path: path) }
    if descriptor < 0, errno == EEXIST {
      switch Self.kind(path) {
      case S_IFREG, S_IFLNK: throw SoundFileError.exists(path: path)
      default: descriptor = open(path, flags)
      }
    }
    guard descriptor >= 0 else {
      throw errno == EISDIR
        ? SoundFileError.isFolder(path: path)
        : SoundFileError.unwritable(path: path, reason: SoundFileError.reason(errno))
    }
    // A file that was there before may have been open to others; a device such as /dev/null must stay as it is.
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, 0o600) }
  }

  /// What is there, of the kinds of `stat`; 0 if nothing is. Links are followed, one that leads nowhere is a link.
  private static func kind(_ path: String) -> mode_t {
    var status = stat()
    if stat(path, &status) == 0 || lstat(path, &status) == 0 { return status.st_mode & S_IFMT }
    return 0
  }

  deinit { close() }

  /// Write everything, at the end or at an offset from the start.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int? = nil) throws(SoundFileError) {
    precondition(descriptor >= 0, "writing to \(path) after it was closed")
    do throws(Descriptors.Failure) {
      try Descriptors.write(bytes, to: descriptor, at: offset)
    } catch {
      throw SoundFileError.unwritable(path: path, reason: SoundFileError.reason(error.number))
    }
  }

  /// Close it, if it is open.
  func close() {
    guard descriptor >= 0 else { return }
    systemClose(descriptor)
    descriptor = -1
  }
}

/// `close(2)`, which a method of the same name would hide.
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
