import CSpeexDSP

/// The speexdsp echo canceller with its suppressor of the rest: keeps the user's words whole while both speak, but lets
/// more of the echo through than `WebRTCCleaner`. 16 kHz, blocks of 160 samples. One thread at a time.
package final class EchoCanceller {
  package static let blockSamples = 160
  /// The longest echo that is found: 256 ms, latency of the devices included.
  private static let tailSamples: Int32 = 4096

  private let echo: OpaquePointer?
  private let preprocessor: OpaquePointer?

  package init() {
    echo = speex_echo_state_init(Int32(Self.blockSamples), Self.tailSamples)
    preprocessor = speex_preprocess_state_init(Int32(Self.blockSamples), 16_000)
    precondition(echo != nil && preprocessor != nil, "no memory for an echo canceller")
    var rate: Int32 = 16_000
    speex_echo_ctl(echo, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
    speex_preprocess_ctl(preprocessor, SPEEX_PREPROCESS_SET_ECHO_STATE, UnsafeMutableRawPointer(echo))
  }

  deinit {
    speex_preprocess_state_destroy(preprocessor)
    speex_echo_state_destroy(echo)
  }

  /// What the microphone heard, without the echo of what went to the loudspeaker, and what it takes that for; with what its own
  /// high-pass took away, below some 200 Hz, of whatever came in.
  package func clean(_ captured: [Int16], played: [Int16]) -> (samples: [Int16], echo: [Int16]) {
    precondition(captured.count == Self.blockSamples && played.count == Self.blockSamples, "not a block")
    var samples = [Int16](repeating: 0, count: Self.blockSamples)
    speex_echo_cancellation(echo, captured, played, &samples)
    let echo = zip(captured, samples).map { Int16(clamping: Int($0) - Int($1)) }
    speex_preprocess_run(preprocessor, &samples)
    return (samples, echo)
  }
}
