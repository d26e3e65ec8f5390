import CSoundFile
package import VoiceSystem
import VoiceVocabulary

/// Reads a sound file of any format the sound-file library knows, piece by piece, as mono 16-bit at a wanted rate.
///
/// Several channels are mixed to one. A name that ends in `.raw` or `.pcm` is taken as mono 16-bit little-endian PCM at
/// the wanted rate.
package final class SoundFileReader: @unchecked Sendable {
  // Whoever holds the reader uses it alone: it is opened on one thread, then handed to the one that reads.

  package let path: String
  /// Samples a second that `read` gives.
  package let rate: Int
  /// The length of the recording as its header has it, in milliseconds.
  package let milliseconds: Int
  /// One line for people if the file is usable but not whole.
  package let warning: String?

  private let file: OpaquePointer
  private let channels: Int
  private let resampler: Resampler
  private var ready: [Int16] = []
  private var isAtEnd = false
  private var wanted: Int
  /// Whether the file tells how long it is: an Ogg file that was cut does not.
  private let hasLength: Bool

  /// Two headers and nothing else are less than this, in bytes.
  private static let smallestOggWithSound = 128

  /// Source frames taken from the library at once.
  private static let blockFrames = 4096

  /// - Parameter links: whether a symbolic link is followed: for a file that the user names, not for one of a session.
  package init(
    path: String, rate: Int = PCM.microphoneRate, links: PlainFile.Links = .followed
  ) throws(SoundFileError) {
    self.path = path
    self.rate = rate
    let descriptor = try Self.open(path, links)
    do throws(SoundFileError) {
      warning = try Self.check(path, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    var info = SF_INFO()
    if Self.isRaw(path) {
      info.format = Int32(SF_FORMAT_RAW | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE)
      info.samplerate = Int32(rate)
      info.channels = 1
    }
    // The very file that was checked; the library closes it, and also where it makes nothing of it.
    guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
      throw SoundFileError.notSound(path: path, reason: Self.message(nil))
    }
    let sourceRate = Int(info.samplerate)
    guard (1000...1_000_000).contains(sourceRate), info.channels > 0 else {
      sf_close(file)
      throw SoundFileError.notSound(path: path, reason: "\(sourceRate) samples a second")
    }
    guard info.frames > 0 else {
      sf_close(file)
      throw SoundFileError.noSamples(path: path)
    }
    self.file = file
    channels = Int(info.channels)
    resampler = Resampler(from: sourceRate, to: rate)
    // Some formats tell a length that is no length at all; 1,000 hours are more than any recording.
    let most = sourceRate * 3_600_000
    let frames = min(Int(info.frames), most)
    hasLength = frames < most
    milliseconds = frames * 1000 / sourceRate
    wanted = (frames * rate + sourceRate - 1) / sourceRate
  }

  deinit { sf_close(file) }

  /// The length in milliseconds, where the file tells one: an Ogg file that was cut does not.
  package var toldMilliseconds: Int? { hasLength ? milliseconds : nil }

  /// Whether a name is taken as headerless PCM.
  package static func isRaw(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".raw") || path.lowercased().hasSuffix(".pcm")
  }

  /// The next samples: as many as asked for, fewer only at the end, none after it.
  package func read(_ count: Int) throws(SoundFileError) -> [Int16] {
    while ready.count < count && !isAtEnd { try readBlock() }
    let piece = Array(ready.prefix(count))
    ready.removeFirst(piece.count)
    return piece
  }

  /// The longest sound that is taken into the memory at once: of a day's session, which is none to be looked at as a whole.
  private static let longestHours = 12

  /// Everything that is left; for short files.
  package func readAll() throws(SoundFileError) -> [Int16] {
    // What a header claims costs nothing yet; a file with holes holds hours of nothing in no room.
    let most = rate * 3600 * Self.longestHours
    let tooLong = SoundFileError.unreadable(path: path, reason: "it is longer than \(Self.longestHours) hours")
    guard wanted <= most || !hasLength else { throw tooLong }
    while !isAtEnd {
      try readBlock()
      guard ready.count <= most else { throw tooLong }
    }
    defer { ready = [] }
    return ready
  }

  private func readBlock() throws(SoundFileError) {
    var interleaved = [Float](repeating: 0, count: Self.blockFrames * channels)
    let frames = interleaved.withUnsafeMutableBufferPointer {
      Int(sf_readf_float(file, $0.baseAddress, sf_count_t(Self.blockFrames)))
    }
    var mono: [Int16] = []
    mono.reserveCapacity(frames)
    for frame in 0..<max(0, frames) {
      var sum: Float = 0
      for channel in 0..<channels { sum += interleaved[frame * channels + channel] }
      mono.append(PCM.sample(sum / Float(channels)))
    }
    var samples = resampler.process(mono)
    if frames < Self.blockFrames {
      guard sf_error(file) == 0 || frames > 0 else {
        throw SoundFileError.unreadable(path: path, reason: Self.message(file))
      }
      isAtEnd = true
      samples += resampler.drain()
    }
    samples = Array(samples.prefix(wanted))
    wanted -= samples.count
    ready += samples
  }

  private static func message(_ file: OpaquePointer?) -> String {
    let text = String(cString: sf_strerror(file))
    let line = text.lines.first { !$0.isEmpty }.map(String.init) ?? "unknown format"
    return line.hasSuffix(".") ? String(line.dropLast()).lowercased() : line.lowercased()
  }

  private static func open(_ path: String, _ links: PlainFile.Links) throws(SoundFileError) -> Int32 {
    do throws(PlainFile.Refusal) {
      return try PlainFile.open(reading: path, links: links)
    } catch {
      switch error {
      case .folder: throw .isFolder(path: path)
      case .system(ENOENT), .system(ENOTDIR): throw .missing(path: path)
      case .system(let number): throw .unreadable(path: path, reason: SoundFileError.reason(number))
      case .link, .special, .tooLarge: throw .unreadable(path: path, reason: error.reason)
      }
    }
  }

  /// Refuse what cannot be a sound file before the library sees it; the result warns of a file that is cut short.
  private static func check(_ path: String, _ descriptor: Int32) throws(SoundFileError) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw SoundFileError.unreadable(path: path, reason: SoundFileError.reason(errno))
    }
    guard status.st_size > 0 else { throw SoundFileError.empty(path: path) }
    // An Ogg file of a session that broke off before its first second; the library takes it for a broken one.
    var magic: UInt32 = 0
    if status.st_size < smallestOggWithSound, pread(descriptor, &magic, 4, 0) == 4, magic.littleEndian == 0x5367_674F {
      throw SoundFileError.noSamples(path: path)
    }
    let header = WaveHeader(descriptor: descriptor, fileSize: Int(status.st_size))
    return header?.warning.map { "the sound file \(path) \($0)" }
  }
}
