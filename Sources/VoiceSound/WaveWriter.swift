package import VoiceSystem
import VoiceVocabulary

/// Writes mono 16-bit sound to a WAV file as it comes. One thread at a time.
///
/// The header is brought up to date about once a second, always after the sound it speaks of, so that what a crash
/// leaves behind is a valid file. The file is readable by its owner only.
package final class WaveWriter: @unchecked Sendable {
  // Whoever holds the writer uses it alone: it is opened on one thread, then handed to the one that writes.

  /// Samples a second.
  package let rate: Int
  /// Samples written so far.
  package private(set) var count = 0

  private let file: PrivateFile
  private var isClosed = false
  private var countInHeader = 0

  /// A WAV file counts its bytes in 32 bits: about 24 hours at 24 kHz.
  private static let largestCount = (Int(UInt32.max) - 44) / 2

  /// - Parameters:
  ///   - replaces: whether a file that is there is emptied; else it is an error.
  ///   - links: whether the name may be a link or a device: as for `PlainFile`.
  package init(
    path: String, rate: Int = PCM.speakerRate, replaces: Bool = false, links: PlainFile.Links = .followed
  ) throws(SoundFileError) {
    self.rate = rate
    file = try PrivateFile(path: path, replaces: replaces, links: links)
    let header = Self.header(rate: rate, count: 0)
    try Self.write(header, to: file, at: nil)
  }

  deinit {
    // Whoever forgot to close has no use for an error any more; the header is at most a second behind.
    file.close()
  }

  /// Write these behind the others; a file of 4 GiB takes no more.
  package func append(_ samples: [Int16]) throws(SoundFileError) {
    guard !samples.isEmpty else { return }
    guard count + samples.count <= Self.largestCount else {
      throw SoundFileError.unwritable(path: file.path, reason: "a WAV file cannot be longer than 4 GB")
    }
    #if _endian(big)
      try Self.write(samples.map { $0.littleEndian }, to: file, at: nil)
    #else
      try Self.write(samples, to: file, at: nil)
    #endif
    count += samples.count
    if count - countInHeader >= rate { try updateHeader() }
  }

  /// Write so many zeros.
  package func appendSilence(_ samples: Int) throws(SoundFileError) {
    var left = samples
    while left > 0 {
      let piece = min(left, rate)
      try append([Int16](repeating: 0, count: piece))
      left -= piece
    }
  }

  /// Make the header agree with the sound.
  package func updateHeader() throws(SoundFileError) {
    try Self.write(Self.header(rate: rate, count: count), to: file, at: 0)
    countInHeader = count
  }

  /// Bring the header up to date and close the file; nothing can be written after it.
  package func close() throws(SoundFileError) {
    guard !isClosed else { return }
    isClosed = true
    defer { file.close() }
    try updateHeader()
  }

  private static func write<Value>(_ values: [Value], to file: PrivateFile, at offset: Int?) throws(SoundFileError) {
    let result = values.withUnsafeBytes { bytes -> Result<Void, SoundFileError> in
      do throws(SoundFileError) {
        try file.write(bytes, at: offset)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private static func header(rate: Int, count: Int) -> [UInt8] {
    let bytes = count * 2
    var header: [UInt8] = []
    func number(_ value: Int, size: Int) { for index in 0..<size { header.append(UInt8(value >> (8 * index) & 255)) } }
    header += "RIFF".utf8
    number(36 + bytes, size: 4)
    header += "WAVEfmt ".utf8
    number(16, size: 4)
    number(1, size: 2)  // PCM
    number(1, size: 2)  // mono
    number(rate, size: 4)
    number(rate * 2, size: 4)
    number(2, size: 2)
    number(16, size: 2)
    header += "data".utf8
    number(bytes, size: 4)
    return header
  }
}
