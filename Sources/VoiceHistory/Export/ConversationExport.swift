package import VoiceRecording
import VoiceSound
import VoiceSystem

/// A session's sound as one file to listen to, with its captions beside it.
package enum ConversationExport {
  /// Samples a second of the file, and so many of each track at once.
  private static let rate = 24_000

  /// Where the captions of a file stand: players find them by their name.
  package static func captions(of path: String) -> String {
    (path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path) + ".vtt"
  }

  /// Write Ogg Opus in stereo, the user on the left and what was played on the right, both in the session's time. A track that
  /// is not there is silent.
  ///
  /// - Throws: if the session has no sound, or one of the files cannot be read or written.
  package static func write(_ session: RecordedSession, to path: String) throws(FileFailure) {
    do {
      let tracks = try SessionFolder.Track.allCases.map { track -> SoundFileReader? in
        let sound = session.folder.sound(track)
        guard PlainFile.isThere(sound) else { return nil }
        do {
          return try SoundFileReader(path: sound, rate: rate, links: .refused)
        } catch SoundFileError.empty, SoundFileError.noSamples {
          return nil
        }
      }
      guard tracks.contains(where: { $0 != nil }) else {
        throw FileFailure("\(session.folder.path) holds no sound.")
      }
      let writer = try OpusWriter(path: path, rate: rate, channels: tracks.count, links: .refused)
      while true {
        let parts = try tracks.map { try $0?.read(rate) ?? [] }
        let count = parts.map(\.count).max() ?? 0
        guard count > 0 else { break }
        try writer.append((0..<count).flatMap { index in parts.map { index < $0.count ? $0[index] : 0 } })
      }
      try writer.close()
    } catch let failure as FileFailure {
      throw failure
    } catch {
      throw FileFailure("\(error)")
    }
  }
}
