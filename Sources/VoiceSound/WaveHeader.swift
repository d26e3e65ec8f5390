import VoiceSystem

/// What the header of a WAV file promises, read without the sound-file library, which corrects it silently.
struct WaveHeader {
  /// Bytes of sound promised by the header.
  var promisedBytes: Int
  /// Bytes of sound that the file really holds.
  var presentBytes: Int
  var bytesPerSecond: Int

  /// Nil if the file is not a WAV file or its header makes no sense; the sound-file library decides about those.
  init?(descriptor: Int32, fileSize: Int) {
    guard let form = Self.read(12, at: 0, of: descriptor), form[0..<4].elementsEqual("RIFF".utf8),
      form[8..<12].elementsEqual("WAVE".utf8)
    else { return nil }
    var offset = 12
    var bytesPerSecond = 0
    // More chunks than this before the sound are no recording but an attempt to keep the reader busy.
    for _ in 0..<100 {
      guard let chunk = Self.read(8, at: offset, of: descriptor) else { return nil }
      let size = Self.number(chunk, at: 4)
      if chunk[0..<4].elementsEqual("fmt ".utf8), let format = Self.read(16, at: offset + 8, of: descriptor) {
        bytesPerSecond = Self.number(format, at: 8)
      }
      if chunk[0..<4].elementsEqual("data".utf8) {
        // A program that writes to a pipe cannot know the length and promises the largest number there is.
        guard size < 0x7fff_ff00, bytesPerSecond > 0 else { return nil }
        promisedBytes = size
        presentBytes = min(size, max(0, fileSize - offset - 8))
        self.bytesPerSecond = bytesPerSecond
        return
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// One line for people if sound is missing, nil if all is there.
  var warning: String? {
    guard presentBytes < promisedBytes else { return nil }
    let present = Self.seconds(presentBytes, bytesPerSecond)
    let promised = Self.seconds(promisedBytes, bytesPerSecond)
    return "is cut short: \(present) s of the promised \(promised) s are there; they are used"
  }

  private static func seconds(_ bytes: Int, _ bytesPerSecond: Int) -> String {
    let tenths = (bytes * 10 + bytesPerSecond / 2) / bytesPerSecond
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
  }

  private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    return got == count ? bytes : nil
  }
}
