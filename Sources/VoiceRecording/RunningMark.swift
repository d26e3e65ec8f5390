import VoiceSystem

/// A file in a session's folder that is there, and locked, while the session runs, and is removed when it ends in order.
/// One that is there and not locked belongs to a session that broke off.
package final class RunningMark: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Make the mark of a session that starts. It appears locked, so that nobody takes it for that of one that broke off.
  package init(creating path: String) throws(FileFailure) {
    self.path = path
    let unseen = "\(path).\(getpid())"
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(writing: unseen)
    } catch {
      throw FileFailure("create", path, error)
    }
    do throws(FileFailure) {
      guard FileLock.take(descriptor) else { throw FileFailure("lock", path) }
      // Of a session that broke off before it had a log, there may be one: it is replaced while it is held.
      let stale = RunningMark(taking: path)
      if stale == nil, link(unseen, path) == 0 {
        unlink(unseen)
      } else if stale == nil, errno == EEXIST {
        try Self.refusePlanted(path)
        throw FileFailure("\(path) is locked by another parley: a session runs in this folder.")
      } else if rename(unseen, path) != 0 {
        throw FileFailure("create", path)
      }
      withExtendedLifetime(stale) {}
    } catch {
      unlink(unseen)
      FileLock.release(closing: descriptor)
      throw error
    }
  }

  /// Take the mark of a session that broke off; nil if there is none, or if the session still runs (or another program
  /// looks after what it left).
  package init?(taking path: String) {
    self.path = path
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(reading: path)
    } catch {
      return nil
    }
    guard FileLock.take(descriptor), Self.isSame(descriptor, path) else {
      FileLock.release(closing: descriptor)
      return nil
    }
  }

  deinit { FileLock.release(closing: descriptor) }

  /// Whether the session still runs whose mark this is.
  package static func isLocked(_ path: String) -> Bool {
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(reading: path)
    } catch {
      return false
    }
    defer { close(descriptor) }
    return FileLock.isTaken(descriptor)
  }

  /// The session ended in order, or what it left open is settled.
  package func remove() { unlink(path) }

  /// What is no file was never locked by anybody.
  private static func refusePlanted(_ path: String) throws(FileFailure) {
    do throws(PlainFile.Refusal) {
      close(try PlainFile.open(reading: path))
    } catch {
      throw FileFailure("lock", path, error)
    }
  }

  /// Whether the file was not removed between opening and locking it.
  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }
}
