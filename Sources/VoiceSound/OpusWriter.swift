internal import COpus
internal import VoiceCore

/// Writes mono speech to an Ogg Opus file as it comes, at about 24 kbit/s. One thread at a time.
///
/// A page is written about once a second, so that a crash loses no more. The file is readable by its owner only.
package final class OpusWriter: @unchecked Sendable {
  // Whoever holds the writer uses it alone: it is opened on one thread, then handed to the one that writes. The library
  // calls back on that same thread, inside its own calls.

  private let output: OpusOutput
  private var encoder: OpaquePointer?

  package init(path: String, rate: Int = PCM.microphoneRate) throws(SoundFileError) {
    output = OpusOutput(file: try PrivateFile(path: path))
    let comments = ope_comments_create()
    defer { ope_comments_destroy(comments) }
    var callbacks = OpusEncCallbacks(write: writeOpus, close: closeOpus)
    var code: Int32 = 0
    // `output` lives as long as the encoder: both are members, and the encoder is destroyed first.
    encoder = ope_encoder_create_callbacks(
      &callbacks, Unmanaged.passUnretained(output).toOpaque(), comments, opus_int32(rate), 1, 0, &code)
    guard let encoder, code == OPE_OK else {
      throw SoundFileError.unwritable(path: output.file.path, reason: String(cString: ope_strerror(code)))
    }
    let settings: [(Int32, Int32)] = [
      (OPUS_SET_BITRATE_REQUEST, 24_000), (OPUS_SET_SIGNAL_REQUEST, OPUS_SIGNAL_VOICE),
      (OPUS_SET_COMPLEXITY_REQUEST, 5), (OPE_SET_DECISION_DELAY_REQUEST, 0),
    ]
    for (request, value) in settings {
      let code = parley_opus_set(encoder, request, value)
      precondition(
        code == OPE_OK, "the Opus encoder refused request \(request): \(String(cString: ope_strerror(code)))")
    }
  }

  deinit {
    if let encoder { ope_encoder_destroy(encoder) }
  }

  package func append(_ samples: [Int16]) throws(SoundFileError) {
    guard let encoder else { preconditionFailure("writing to \(output.file.path) after it was closed") }
    guard !samples.isEmpty else { return }
    let code = ope_encoder_write(encoder, samples, Int32(samples.count))
    try check(code)
  }

  /// Write what is still inside the encoder and close the file; nothing can be written after it.
  package func close() throws(SoundFileError) {
    guard let encoder else { return }
    self.encoder = nil
    let code = ope_encoder_drain(encoder)
    ope_encoder_destroy(encoder)
    try check(code)
  }

  private func check(_ code: Int32) throws(SoundFileError) {
    if let failure = output.failure { throw failure }
    guard code == OPE_OK else {
      throw SoundFileError.unwritable(path: output.file.path, reason: String(cString: ope_strerror(code)))
    }
  }
}

/// What the encoder's callbacks see.
private final class OpusOutput {
  let file: PrivateFile
  var failure: SoundFileError?

  init(file: PrivateFile) { self.file = file }
}

private func writeOpus(
  _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: opus_int32
) -> Int32 {
  guard let context else { return 1 }
  let output = Unmanaged<OpusOutput>.fromOpaque(context).takeUnretainedValue()
  do throws(SoundFileError) {
    try output.file.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    return 0
  } catch {
    output.failure = error
    return 1
  }
}

private func closeOpus(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 1 }
  Unmanaged<OpusOutput>.fromOpaque(context).takeUnretainedValue().file.close()
  return 0
}
