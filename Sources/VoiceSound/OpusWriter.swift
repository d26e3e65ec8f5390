import COpus
package import VoiceSystem
import VoiceVocabulary

/// Writes speech to an Ogg Opus file (RFC 7845) as it comes, at about 32 kbit/s a channel. One thread at a time.
///
/// A page is written once a second, so that a crash loses no more. The file is readable by its owner only. The encoder's
/// low-delay mode is used: a recogniser hears its sound better than that of the speech mode, and it takes half the time.
package final class OpusWriter: @unchecked Sendable {
  // Whoever holds the writer uses it alone: it is opened on one thread, then handed to the one that writes.

  private static let packetMilliseconds = 20
  private static let packetsOfAPage = 50
  /// An Ogg Opus file counts time in samples of 48 kHz, whatever its input.
  private static let granuleRate = 48_000
  /// The largest packet that the encoder may give (RFC 6716).
  private static let largestPacket = 1_275
  private static let bitsPerSecond = 32_000
  private static let complexity = 5

  private let file: PrivateFile
  private let encoder: OpaquePointer
  private var stream = ogg_stream_state()
  private let rate: Int
  private let channels: Int
  /// Of each channel.
  private let packetSamples: Int
  private let preSkip: Int
  private var pending: [Int16] = []
  private var sampleCount = 0
  private var packetCount = 0
  private var isClosed = false

  /// - Parameters:
  ///   - rate: of the samples: 8, 12, 16, 24 or 48 kHz.
  ///   - channels: 1, or 2 with a left and a right sample in turn.
  ///   - links: whether the name may be a link or a device: as for `PlainFile`.
  package init(
    path: String, rate: Int = PCM.microphoneRate, channels: Int = 1, links: PlainFile.Links = .followed
  ) throws(SoundFileError) {
    file = try PrivateFile(path: path, links: links)
    self.rate = rate
    self.channels = channels
    packetSamples = rate / 1000 * Self.packetMilliseconds
    var code: Int32 = 0
    let made = opus_encoder_create(opus_int32(rate), Int32(channels), OPUS_APPLICATION_RESTRICTED_LOWDELAY, &code)
    guard let made, code == OPUS_OK else {
      preconditionFailure("no Opus encoder for \(rate) samples a second: \(String(cString: opus_strerror(code)))")
    }
    encoder = made
    var lookahead: opus_int32 = 0
    for (request, value) in [
      (OPUS_SET_BITRATE_REQUEST, Self.bitsPerSecond * channels), (OPUS_SET_COMPLEXITY_REQUEST, Self.complexity),
    ] {
      let code = parley_opus_set(made, request, opus_int32(value))
      precondition(code == OPUS_OK, "the Opus encoder refused request \(request)")
    }
    precondition(
      parley_opus_get(made, OPUS_GET_LOOKAHEAD_REQUEST, &lookahead) == OPUS_OK, "the Opus encoder has no look-ahead")
    preSkip = Int(lookahead) * Self.granuleRate / rate
    precondition(ogg_stream_init(&stream, 1) == 0, "an Ogg stream could not be made")
    try write(packet: head(preSkip), granule: 0, isFirst: true)
    try flushPages()
    try write(packet: Self.tags, granule: 0)
    try flushPages()
  }

  deinit {
    opus_encoder_destroy(encoder)
    ogg_stream_clear(&stream)
  }

  /// Encode these behind the others; as many of each channel.
  package func append(_ samples: [Int16]) throws(SoundFileError) {
    precondition(!isClosed, "writing to \(file.path) after it was closed")
    sampleCount += samples.count / channels
    pending += samples
    let step = packetSamples * channels
    var start = 0
    while pending.count - start >= step {
      try encode(pending[start..<start + step])
      start += step
    }
    pending.removeFirst(start)
  }

  /// Write what is still inside the encoder and close the file; nothing can be written after it.
  package func close() throws(SoundFileError) {
    guard !isClosed else { return }
    isClosed = true
    // The encoder holds back its look-ahead: enough silence follows to push the last sample out.
    let needed = (preSkip * rate / Self.granuleRate) + pending.count / channels
    let packets = max(1, (needed + packetSamples - 1) / packetSamples)
    let step = packetSamples * channels
    pending += [Int16](repeating: 0, count: packets * step - pending.count)
    for index in 0..<packets {
      let part = pending[index * step..<(index + 1) * step]
      try encode(part, isLast: index == packets - 1)
    }
    try flushPages()
    file.close()
  }

  private func encode(_ samples: ArraySlice<Int16>, isLast: Bool = false) throws(SoundFileError) {
    var packet = [UInt8](repeating: 0, count: Self.largestPacket)
    let size = opus_encode(encoder, Array(samples), Int32(packetSamples), &packet, opus_int32(packet.count))
    precondition(size > 0, "the Opus encoder failed: \(String(cString: opus_strerror(size)))")
    packetCount += 1
    // The last granule position tells the true length, so that a player drops what pads the last packet.
    let decoded = packetCount * packetSamples * Self.granuleRate / rate
    let granule = isLast ? preSkip + sampleCount * Self.granuleRate / rate : decoded
    try write(packet: Array(packet[..<Int(size)]), granule: granule, isLast: isLast)
    if packetCount % Self.packetsOfAPage == 0 { try flushPages() }
  }

  private func write(
    packet: [UInt8], granule: Int, isFirst: Bool = false, isLast: Bool = false
  ) throws(SoundFileError) {
    var bytes = packet
    let code = bytes.withUnsafeMutableBufferPointer { buffer in
      var packet = ogg_packet(
        packet: buffer.baseAddress, bytes: buffer.count, b_o_s: isFirst ? 1 : 0, e_o_s: isLast ? 1 : 0,
        granulepos: ogg_int64_t(granule), packetno: 0)
      return ogg_stream_packetin(&stream, &packet)
    }
    precondition(code == 0, "an Ogg stream refused a packet")
  }

  private func flushPages() throws(SoundFileError) {
    var page = ogg_page()
    while ogg_stream_flush(&stream, &page) != 0 {
      try file.write(UnsafeRawBufferPointer(start: page.header, count: page.header_len))
      try file.write(UnsafeRawBufferPointer(start: page.body, count: page.body_len))
    }
  }

  /// The identification header (RFC 7845, section 5.1).
  private func head(_ preSkip: Int) -> [UInt8] {
    Array("OpusHead".utf8) + [1, UInt8(channels)] + [UInt8(preSkip & 0xFF), UInt8(preSkip >> 8)]
      + (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) } + [0, 0, 0]
  }

  /// The comment header (RFC 7845, section 5.2): the writer's name and no comments.
  private static let tags: [UInt8] =
    Array("OpusTags".utf8) + [6, 0, 0, 0] + Array("parley".utf8) + [0, 0, 0, 0]
}
