import CAudioProcessing

/// The WebRTC audio processing: takes echo and noise away so thoroughly that what is left tells whether somebody near
/// speaks, at the price of mangling the words. 16 kHz, blocks of 160 samples. One thread at a time.
package final class WebRTCCleaner {
  /// One cleaned block.
  package struct Block {
    package var samples: [Int16]
    /// The library's own opinion; a keyboard deceives it.
    package var hasVoice: Bool
  }

  package static let blockSamples = 160
  private let processing: OpaquePointer?

  /// - Parameter cancelsEcho: without it only noise is taken out and speech is told from it.
  package init(cancelsEcho: Bool) {
    processing = parley_apm_create(cancelsEcho ? 1 : 0)
    precondition(processing != nil, "no memory for audio processing")
  }

  deinit { parley_apm_destroy(processing) }

  /// Clean what the microphone heard; `played` is what went to the loudspeaker at that time, and its echo arrives
  /// `delayMilliseconds` later.
  package func clean(_ captured: [Int16], played: [Int16]?, delayMilliseconds: Int = 0) -> Block {
    precondition(captured.count == Self.blockSamples && played?.count ?? 160 == Self.blockSamples, "not a block")
    if let played { parley_apm_render(processing, played) }
    var result: Int32 = 0
    let cleaned = [Int16](unsafeUninitializedCapacity: Self.blockSamples) { buffer, count in
      result = parley_apm_capture(processing, captured, Int32(delayMilliseconds), buffer.baseAddress)
      count = Self.blockSamples
    }
    precondition(result >= 0, "audio processing refused a block: \(result)")
    return Block(samples: cleaned, hasVoice: result > 0 && Self.isLoudEnough(cleaned))
  }

  /// The library finds voices even in what is left of an echo far below any speech: -52 dBFS is the least believed.
  private static func isLoudEnough(_ samples: [Int16]) -> Bool {
    samples.reduce(0) { $0 + Int($1) * Int($1) } >= samples.count * 80 * 80
  }
}

extension LocalVAD {
  /// The detector that needs no network: noise suppression and the WebRTC voice detector. Good in a quiet room; typing
  /// opens it.
  package static func withoutNetwork(silenceMilliseconds: Int = 600) -> LocalVAD {
    let cleaner = WebRTCCleaner(cancelsEcho: false)
    return LocalVAD(
      windowSamples: WebRTCCleaner.blockSamples, silenceMilliseconds: silenceMilliseconds
    ) { window in
      cleaner.clean(window, played: nil).hasVoice
    }
  }
}
