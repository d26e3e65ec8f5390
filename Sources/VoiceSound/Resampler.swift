import CSpeexDSP

/// Changes the rate of one continuous stream of mono sound. One thread at a time.
///
/// speexdsp at quality 5: aliases below -120 dB and 2.5 ms of delay, which is taken off at the start.
package final class Resampler {
  package let inputRate: Int
  package let outputRate: Int
  // Nil when both rates are the same: samples then pass untouched.
  private let state: OpaquePointer?

  /// Rates in samples a second, each between 1 and 1,000,000.
  package init(from inputRate: Int, to outputRate: Int) {
    precondition(
      (1...1_000_000).contains(inputRate) && (1...1_000_000).contains(outputRate),
      "no resampling from \(inputRate) to \(outputRate)")
    self.inputRate = inputRate
    self.outputRate = outputRate
    guard inputRate != outputRate else {
      state = nil
      return
    }
    state = speex_resampler_init(1, UInt32(inputRate), UInt32(outputRate), 5, nil)
    precondition(state != nil, "no memory for a resampler")
    speex_resampler_skip_zeros(state)
  }

  deinit {
    if let state { speex_resampler_destroy(state) }
  }

  /// What these samples give; what a filter still holds back comes with the next ones.
  package func process(_ samples: [Int16]) -> [Int16] {
    guard let state else { return samples }
    let capacity = samples.count * outputRate / inputRate + 64
    return [Int16](unsafeUninitializedCapacity: capacity) { output, produced in
      samples.withUnsafeBufferPointer { input in
        var consumed = 0
        while consumed < input.count && produced < capacity {
          var inputCount = UInt32(input.count - consumed)
          var outputCount = UInt32(capacity - produced)
          speex_resampler_process_int(
            state, 0, input.baseAddress.map { $0 + consumed }, &inputCount,
            output.baseAddress.map { $0 + produced }, &outputCount)
          consumed += Int(inputCount)
          produced += Int(outputCount)
          if inputCount == 0 && outputCount == 0 { break }
        }
      }
    }
  }

  /// Forget what the filter holds back: another stream begins.
  package func reset() {
    if let state { speex_resampler_reset_mem(state) }
  }

  /// The end of the stream: what the filter still holds back.
  package func drain() -> [Int16] {
    guard let state else { return [] }
    return process([Int16](repeating: 0, count: Int(speex_resampler_get_input_latency(state))))
  }
}
