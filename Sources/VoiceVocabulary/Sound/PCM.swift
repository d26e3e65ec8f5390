/// Sample formats of the program. All audio inside it is 16-bit signed, mono, in the machine's byte order.
package enum PCM {
  /// Samples a second on the microphone side: what every live model takes and the recogniser wants.
  package static let microphoneRate = 16_000
  /// Samples a second on the speaker side: what the live models send.
  package static let speakerRate = 24_000
  /// The length of one microphone frame, in milliseconds.
  package static let frameMilliseconds = 20
  /// Samples in one microphone frame.
  package static let frameSamples = microphoneRate / 1000 * frameMilliseconds

  /// The whole samples of little-endian bytes; every machine that this is built for has that order.
  package static func samples(of bytes: ArraySlice<UInt8>) -> [Int16] {
    let whole = bytes.count / 2
    return [Int16](unsafeUninitializedCapacity: whole) { samples, count in
      UnsafeMutableRawBufferPointer(samples).copyBytes(from: bytes.prefix(whole * 2))
      count = whole
    }
  }

  /// A sample that others give from -1 to 1, limited to what 16 bits hold; 0 for what is not a number.
  package static func sample(_ value: Float) -> Int16 {
    guard value.isFinite else { return 0 }
    return Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
  }

  /// The same sample from -1 to 1, as others take it.
  package static func value(_ sample: Int16) -> Float { Float(sample) / 32_768 }
}

/// 20 ms of microphone sound: 320 samples, 16 kHz, mono, 16-bit.
package struct MicrophoneFrame: Equatable, Sendable {
  /// Index of the first sample since the session started; strictly increasing, a gap means lost sound.
  package var position: Int
  /// Exactly `PCM.frameSamples` samples; empty in a frame read back from a log, which stores no sound.
  package var samples: [Int16] = []

  package init(position: Int, samples: [Int16]) {
    self.position = position
    self.samples = samples
  }
}

/// A stretch of sound to be played: any length, 24 kHz, mono, 16-bit.
package struct SpeechAudio: Equatable, Sendable {
  package var samples: [Int16]

  package init(samples: [Int16]) { self.samples = samples }
}

// A log names sound by its place and length; the sound itself is in the session's sound files.

extension MicrophoneFrame: Codable {
  private enum CodingKeys: String, CodingKey { case position }
}

extension SpeechAudio: Codable {
  private enum CodingKeys: String, CodingKey { case count = "samples" }

  package init(from decoder: any Decoder) throws {
    let count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
    guard (0...Limits.longestSpeechAudioSamples).contains(count) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a stretch of \(count) samples"))
    }
    samples = [Int16](repeating: 0, count: count)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(samples.count, forKey: .count)
  }
}
