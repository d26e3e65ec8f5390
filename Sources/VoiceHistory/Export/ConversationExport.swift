package import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// A session's sound as one file to listen to, with its captions beside it.
package enum ConversationExport {
  /// Samples a second of the file, and so many of each track at once.
  private static let rate = 24_000

  /// Where the captions of a file stand: players find them by their name.
  package static func captions(of path: String) -> String {
    (path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path) + ".vtt"
  }

  /// Sound may go on for so long behind the end of the log, which is written in batches, and may have been lost before.
  private static let slackSeconds = 600
  /// No session of a day is listened to in one piece.
  private static let mostSeconds = 86_400

  /// Write Ogg Opus in stereo, the user on the left and what was played on the right, both in the session's time. A track that
  /// is not there is silent.
  ///
  /// - Throws: if the session has no sound, if that is far longer than the session was, or if one of the files cannot be read or
  ///   written.
  package static func write(_ session: RecordedSession, to path: String) throws(FileFailure) {
    do {
      let limit = seconds(of: session)
      let tracks = try SessionFolder.Track.allCases.map { track in
        try reader(session.folder.sound(track), limit)
      }
      guard tracks.contains(where: { $0 != nil }) else {
        throw FileFailure("\(session.folder.path) holds no sound.")
      }
      let writer = try OpusWriter(path: path, rate: rate, channels: tracks.count, links: .refused)
      do {
        try write(tracks, to: writer, limit)
      } catch {
        // Half of a conversation is none.
        unlink(path)
        throw error
      }
    } catch let failure as FileFailure {
      throw failure
    } catch {
      throw FileFailure("\(error)")
    }
  }

  /// How much sound a session may have. A file may be somebody else's, and one with holes holds days of nothing in no room.
  private static func seconds(of session: RecordedSession) -> Int {
    let told = min(max(0, session.history.duration.microseconds / 1_000_000), Int64(mostSeconds))
    return min(Int(told) + slackSeconds, mostSeconds)
  }

  private static func reader(_ sound: String, _ limit: Int) throws -> SoundFileReader? {
    guard PlainFile.isThere(sound) else { return nil }
    do {
      let reader = try SoundFileReader(path: sound, rate: rate, links: .refused)
      if let length = reader.toldMilliseconds, length > limit * 1000 { throw tooLong(sound, limit) }
      return reader
    } catch SoundFileError.empty, SoundFileError.noSamples {
      return nil
    }
  }

  private static func write(_ tracks: [SoundFileReader?], to writer: OpusWriter, _ limit: Int) throws {
    var seconds = 0
    while true {
      let parts = try tracks.map { try $0?.read(rate) ?? [] }
      let count = parts.map(\.count).max() ?? 0
      guard count > 0 else { break }
      seconds += 1
      // A file that does not tell its length may go on and on.
      if seconds > limit + 1, let longest = tracks.compactMap(\.self).first { throw tooLong(longest.path, limit) }
      try writer.append((0..<count).flatMap { index in parts.map { index < $0.count ? $0[index] : 0 } })
    }
    try writer.close()
  }

  private static func tooLong(_ path: String, _ limit: Int) -> FileFailure {
    let most = durationText(microseconds: Int64(limit) * 1_000_000)
    return FileFailure("\(path) is longer than \(most), the most that its session can have. Remove it.")
  }
}
