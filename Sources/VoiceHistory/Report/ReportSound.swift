import VoiceFoundation
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// One sound track of a session, ready to be put into a page.
struct ReportSound {
  let title: String
  /// A `data:` address with Ogg Opus.
  let address: String
  let waveform: Waveform
  let milliseconds: Int

  /// Why a track is not in the page.
  enum Failure: Error, CustomStringConvertible {
    /// What is there was cut, or damaged, so that nothing can be made of it: the page does without.
    case noSound(String)
    case unreadable(String)

    var description: String {
      switch self {
      case .noSound(let text), .unreadable(let text): text
      }
    }
  }

  /// The track at a path; nil if there is none, or nothing in it.
  init?(_ title: String, sound path: String, rate: Int) throws(Failure) {
    guard PlainFile.isThere(path) else { return nil }
    do {
      let samples = try SoundFileReader(path: path, rate: rate, links: .refused).readAll()
      self.title = title
      waveform = Waveform(samples)
      milliseconds = samples.count * 1000 / rate
      address = "data:audio/ogg;base64," + (try Self.opus(path, samples, rate)).base64EncodedString()
    } catch SoundFileError.empty, SoundFileError.noSamples {
      return nil
    } catch let error as SoundFileError {
      if case .notSound = error { throw .noSound(error.description) }
      throw .unreadable(error.description)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// The track's Opus file, or one made of its samples.
  private static func opus(_ path: String, _ samples: [Int16], _ rate: Int) throws -> Data {
    let beside = path.hasSuffix(".opus") ? path : String(path.dropLast(4)) + ".opus"
    // It is part of the page as it is: a link would put another file into it.
    let ready = PlainFile.isThere(beside) ? try PlainFile.data(beside, limit: Limits.recordBytes) : Data()
    if !ready.isEmpty { return ready }
    let made = FileManager.default.temporaryDirectory.path + "/parley-\(UUID().uuidString).opus"
    defer {
      do {
        try FileManager.default.removeItem(atPath: made)
      } catch {
        // It was never made, and the error that tells so is on its way.
      }
    }
    let writer = try OpusWriter(path: made, rate: rate)
    try writer.append(samples)
    try writer.close()
    return try PlainFile.data(made, limit: Limits.recordBytes)
  }
}
