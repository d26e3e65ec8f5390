import VoiceFoundation
import VoiceJSON
import VoiceSystem

/// The sessions that run now, whether or not they keep a record: each has a file in one folder, locked as long as it runs.
///
/// So two that work in the same folder learn of each other. A file that is not locked is of a session that broke off, and
/// whoever sees it removes it.
package final class RunningSessions: Sendable {
  /// A session as others see it.
  package struct Entry: Equatable, Sendable, Codable {
    /// How it is named to people.
    package var name: String
    /// Wall-clock start, in words for people.
    package var started: String
    /// The agent's working folder, absolute.
    package var workingFolder: String

    package init(name: String, started: String, workingFolder: String) {
      self.name = name
      self.started = started
      self.workingFolder = workingFolder
    }
  }

  private let own: Entry
  private let folder: String
  private let file: String
  private let descriptor: Int32

  private static let ending = ".session"
  /// A file of this many bytes is none of ours: two paths and two short texts.
  private static let longestEntry = 16_384
  /// Far more sessions than anybody runs at once; others are not looked at.
  private static let mostEntries = 256

  /// Make the session known to others. The folder is made if it is not there.
  package init(_ entry: Entry, in folder: String) throws(FileFailure) {
    own = entry
    self.folder = folder
    file = "\(getpid())-\(UUID().uuidString)\(Self.ending)"
    try PlainFile.makeFolder(folder)
    let (path, unseen) = (folder + "/" + file, folder + "/" + file + ".new")
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(writing: unseen, O_EXCL)
    } catch {
      throw FileFailure("create", unseen, error)
    }
    let isWritten = Descriptors.offer(JSON(encoding: entry).bytes, to: descriptor)
    // It appears whole and locked.
    guard isWritten, FileLock.take(descriptor), rename(unseen, path) == 0 else {
      let failure = FileFailure("create", path)
      unlink(unseen)
      close(descriptor)
      throw failure
    }
  }

  deinit {
    leave()
    FileLock.release(closing: descriptor)
  }

  /// The session is over: nobody sees it any more.
  package func leave() {
    // The lock goes with the descriptor, which lives as long as this: the name goes first.
    unlink(folder + "/" + file)
  }

  /// The other sessions that run in the same working folder now, oldest name first.
  package func neighbours() -> [Entry] {
    // Once somebody has removed the folder, nobody can be seen.
    FileManager.default.names(in: folder).prefix(Self.mostEntries).compactMap { name in
      guard name != file, name.hasSuffix(Self.ending) else { return nil }
      return Self.entry(at: folder + "/" + name)
    }.filter { $0.workingFolder == own.workingFolder }
  }

  /// Nil if it cannot be read, or its session does not run any more.
  private static func entry(at path: String) -> Entry? {
    let descriptor: Int32
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(reading: path)
    } catch {
      // Its session ended meanwhile, or it is not ours.
      return nil
    }
    defer { close(descriptor) }
    if !FileLock.isTaken(descriptor) {
      unlink(path)
      return nil
    }
    do {
      return try JSON.decode(Entry.self, from: try PlainFile.contents(descriptor, limit: longestEntry))
    } catch {
      // Of another version, or not ours.
      return nil
    }
  }
}
