package import VoiceFoundation
package import VoiceSystem
import VoiceVocabulary

/// Why a file could not be written or read: what failed, on what, and what to do.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// The failure of a call of Foundation, whose own text is not for people: in the operating system's words where it
  /// tells of them.
  package init(_ act: String, _ path: String, _ error: any Error) {
    let underlying = (error as? CocoaError)?.underlyingCode ?? (error as? POSIXError)?.code.rawValue
    if let underlying {
      self.init(act, path, errno: underlying)
    } else if let known = error as? any Error & CustomStringConvertible, !(error is CocoaError) {
      self.init("Cannot \(act) \(path): \(known.description)")
    } else {
      self.init("Cannot \(act) \(path). Look at what is there, and at its permissions.")
    }
  }

  /// The failure that `errno` tells of.
  package init(_ act: String, _ path: String, errno code: Int32 = errno) {
    self.init(act, path, PlainFile.Refusal.system(code))
  }

  /// A file that was not opened.
  package init(_ act: String, _ path: String, _ refusal: PlainFile.Refusal) {
    description = "Cannot \(act) \(path): \(refusal.reason). \(refusal.remedy)".trimmingWhitespace()
  }
}

extension PlainFile {
  /// Everything that is in a file of the program's own folders, or of one that was received.
  package static func data(_ path: String, limit: Int) throws(FileFailure) -> Data {
    do throws(PlainFile.Refusal) {
      return Data(try contents(path, limit: limit))
    } catch {
      throw FileFailure("read", path, error)
    }
  }

  /// Make a folder for its owner alone, unless it is there.
  package static func makeFolder(_ path: String) throws(FileFailure) {
    do { try FileManager.default.makePrivateFolder(path) } catch { throw FileFailure("create the folder", path, error) }
  }

  /// Put a file with this content in the place of one that may be there: whole, or not at all. A link is replaced, not
  /// followed. Until then it has a name beside it that nothing had: whatever is there is somebody's own.
  package static func replace(_ path: String, with bytes: some Sequence<UInt8>) throws(FileFailure) {
    let draft = "\(path).\(UUID().uuidString.prefix(draftDigits))\(draftEnding)"
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      descriptor = try open(writing: draft, O_EXCL)
    } catch {
      throw FileFailure("create", path, error)
    }
    defer { close(descriptor) }
    do throws(Descriptors.Failure) {
      try Descriptors.write(Array(bytes), to: descriptor)
    } catch {
      unlink(draft)
      throw FileFailure("write to", path, errno: error.number)
    }
    guard rename(draft, path) == 0 else {
      let failure = FileFailure("replace", path)
      unlink(draft)
      throw failure
    }
  }

  private static let (draftDigits, draftEnding) = (8, ".new")

  /// The name in whose place this one was to be put, as a program that was killed then leaves it; nil if it is no such name.
  static func name(ofDraft draft: String) -> String? {
    guard draft.hasSuffix(draftEnding) else { return nil }
    let rest = draft.dropLast(draftEnding.count)
    guard rest.suffix(draftDigits).allSatisfy(\.isHexDigit), rest.dropLast(draftDigits).last == "." else { return nil }
    return String(rest.dropLast(draftDigits + 1))
  }
}

extension CocoaError {
  /// What the operating system said; nil if it was not asked.
  fileprivate var underlyingCode: Int32? {
    for value in userInfo.values {
      if let underlying = value as? POSIXError { return underlying.code.rawValue }
    }
    switch code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: return EACCES
    case .fileWriteOutOfSpace: return ENOSPC
    case .fileWriteVolumeReadOnly: return EROFS
    case .fileWriteFileExists: return EEXIST
    default: return nil
    }
  }
}

/// A file that only grows. Mode 0600, because it holds what people said.
package final class AppendFile: @unchecked Sendable {
  // One thread at a time appends, and it alone touches `endsInMidLine`; any thread may flush.
  package let path: String
  private let descriptor: Int32
  /// Whether the last append failed after a part of it, which could not be taken back.
  private var endsInMidLine = false

  /// Create or continue a file: a regular one, and no symbolic link.
  package init(_ path: String) throws(FileFailure) {
    self.path = path
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(writing: path, O_APPEND)
    } catch {
      throw FileFailure("create", path, error)
    }
  }

  /// Whether the file has no name any more: whatever is written is gone with the last who has it open. Any thread.
  package var isRemoved: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  deinit { close(descriptor) }

  /// Append all bytes, or none: they survive the end of this process, but not yet that of the machine.
  package func append(_ bytes: some Sequence<UInt8>) throws(FileFailure) {
    let bytes = endsInMidLine ? [0x0A] + Array(bytes) : Array(bytes)
    do throws(Descriptors.Failure) {
      try Descriptors.write(bytes, to: descriptor)
    } catch {
      if error.written > 0 { endsInMidLine = !takeBack(error.written) }
      throw FileFailure("write to", path, errno: error.number)
    }
    endsInMidLine = false
  }

  /// What was appended survives a power cut once this returns. Any thread.
  package func flush() throws(FileFailure) {
    #if canImport(Glibc)
      let status = fdatasync(descriptor)
    #else
      let status = fsync(descriptor)
    #endif
    guard status == 0 else { throw FileFailure("flush", path) }
  }

  /// Remove the start of a line that a full disk cut off: the next line must not go on in the middle of it.
  private func takeBack(_ count: Int) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= count else { return false }
    return ftruncate(descriptor, status.st_size - off_t(count)) == 0
  }
}
