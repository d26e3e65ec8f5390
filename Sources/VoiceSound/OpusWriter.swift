internal import COpus
import VoiceCore
package import VoiceSystem

/// Writes mono speech to an Ogg Opus file (RFC 7845) as it comes, at about 24 kbit/s. One thread at a time.
///
/// A page is written once a second, so that a crash loses no more. The file is readable by its owner only. The encoder's
/// low-delay mode at its lowest complexity is used: it takes a tenth of the time of the speech mode, and the recording
/// that matters for replay is the lossless one.
package final class OpusWriter: @unchecked Sendable {
  // Whoever holds the writer uses it alone: it is opened on one thread, then handed to the one that writes.

  private static let packetMilliseconds = 20
  private static let packetsOfAPage = 50
  /// An Ogg Opus file counts time in samples of 48 kHz, whatever its input.
  private static let granuleRate = 48_000
  /// The largest packet that the encoder may give (RFC 6716).
  private static let largestPacket = 1_275

  private let file: PrivateFile
  private let encoder: OpaquePointer
  private var stream = ogg_stream_state()
  private let rate: Int
  private let packetSamples: Int
  private let preSkip: Int
  private var pending: [Int16] = []
  private var sampleCount = 0
  private var packetCount = 0
  private var isClosed = false

  /// - Parameters:
  ///   - rate: of the samples: 8, 12, 16, 24 or 48 kHz.
  ///   - links: whether the name may be a link or a device: as for `PlainFile`.
  package init(
    path: String, rate: Int = PCM.microphoneRate, links: PlainFile.Links = .followed
  ) throws(SoundFileError) {
    file = try PrivateFile(path: path, links: links)
    self.rate = rate
    packetSamples = rate / 1000 * Self.packetMilliseconds
    var code: Int32 = 0
    let made = opus_encoder_create(opus_int32(rate), 1, OPUS_APPLICATION_RESTRICTED_LOWDELAY, &code)
    guard let made, code == OPUS_OK else {
      preconditionFailure("no Opus encoder for \(rate) samples a second: \(String(cString: opus_strerror(code)))")
    }
    encoder = made
    var lookahead: opus_int32 = 0
    for (request, value) in [(OPUS_SET_BITRATE_REQUEST, 24_000), (OPUS_SET_COMPLEXITY_REQUEST, 0)] {
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

  /// Encode these behind the others.
  package func append(_ samples: [Int16]) throws(SoundFileError) {
    precondition(!isClosed, "writing to \(file.path) after it was closed")
    sampleCount += samples.count
    pending += samples
    var start = 0
    while pending.count - start >= packetSamples {
      try encode(pending[start..<start + packetSamples])
      start += packetSamples
    }
    pending.removeFirst(start)
  }

  /// Write what is still inside the encoder and close the file; nothing can be written after it.
  package func close() throws(SoundFileError) {
    guard !isClosed else { return }
    isClosed = true
    // The encoder holds back its look-ahead: enough silence follows to push the last sample out.
    let needed = (preSkip * rate / Self.granuleRate) + pending.count
    let packets = max(1, (needed + packetSamples - 1) / packetSamples)
    pending += [Int16](repeating: 0, count: packets * packetSamples - pending.count)
    for index in 0..<packets {
      let part = pending[index * packetSamples..<(index + 1) * packetSamples]
      try encode(part, isLast: index == packets - 1)
    }
    try flushPages()
    file.close()
  }

  private func encode(_ samples: ArraySlice<Int16>, isLast: Bool = false) throws(SoundFileError) {
    var packet = [UInt8](repeating: 0, count: Self.largestPacket)
    let size = opus_encode(encoder, Array(samples), Int32(samples.count), &packet, opus_int32(packet.count))
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
    Array("OpusHead".utf8) + [1, 1] + [UInt8(preSkip & 0xFF), UInt8(preSkip >> 8)]
      + (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) } + [0, 0, 0]
  }

  /// The comment header (RFC 7845, section 5.2): the writer's name and no comments.
  private static let tags: [UInt8] =
    Array("OpusTags".utf8) + [6, 0, 0, 0] + Array("parley".utf8) + [0, 0, 0, 0]
}
