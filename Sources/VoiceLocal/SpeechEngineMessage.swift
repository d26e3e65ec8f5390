package import VoiceLanguage
package import VoiceVocabulary

/// One message between the program and its speech engine, a child process.
///
/// On the wire: the length of the rest (4 bytes), a kind (1), the request's number (4), then the content. Numbers are
/// little-endian; sound is 16-bit samples; text is UTF-8.
package enum SpeechEngineMessage: Equatable, Sendable {
  /// What for a stretch of speech is to be understood.
  package enum Purpose: UInt8, Sendable {
    /// For its text.
    case text = 0
    /// For its text, and to know whether it sounds like a whole turn.
    case pause = 1
    /// To be shown while it goes on: nobody waits for it, and it may be given up.
    case interim = 2
    /// To know whether it is the wake phrase: of anything else, no text comes back.
    case wake = 3
  }

  // To the engine.

  /// Sound at 16 kHz.
  case recognise(request: UInt32, purpose: Purpose, samples: [Int16])
  /// `rate` 1 is the voice's own; 1.5 is half as fast again.
  case synthesise(request: UInt32, rate: Float, text: String)
  case cancel(request: UInt32)
  /// Words of the trade and names of the project that will be said; instead of those before.
  case expect(words: [ExpectedWord], names: [String])

  // From the engine.

  /// A part is loaded. Requests may come before.
  case ready(part: SpeechPart)
  /// A part cannot be used; every request for it fails with the same reason.
  case unavailable(part: SpeechPart, reason: String)
  case recognised(request: UInt32, heard: HeardSpeech)
  /// Sound at 24 kHz.
  case audio(request: UInt32, samples: [Int16])
  case finished(request: UInt32)
  case failed(request: UInt32, reason: String)
  /// Sent every second while there is something to load or to do: the processor time of the child so far.
  case progress(processorMilliseconds: UInt32)

  /// A longer message is a defect: 28 s of sound are 0.9 MB.
  static let longestBytes = 4 << 20

  /// The message as it goes over the pipe.
  package var encoded: [UInt8] {
    var content: [UInt8] = []
    let kind: UInt8
    let number: UInt32
    switch self {
    case .recognise(let request, let purpose, let samples):
      (kind, number, content) = (1, request, [purpose.rawValue] + Self.bytes(samples))
    case .synthesise(let request, let rate, let text):
      (kind, number, content) = (2, request, Self.bytes(rate.bitPattern) + Array(text.utf8))
    case .cancel(let request): (kind, number) = (3, request)
    case .ready(let part): (kind, number, content) = (4, 0, [part.code])
    case .unavailable(let part, let reason): (kind, number, content) = (5, 0, [part.code] + Array(reason.utf8))
    case .recognised(let request, let heard):
      // No number stands for none.
      let completeness = Self.bytes((heard.completeness ?? .nan).bitPattern)
      let sureness = heard.hearing.sureness.map { UInt8(min(100, max(0, $0))) }
      let texts = ([heard.text] + heard.hearing.alternatives).joined(separator: "\0")
      (kind, number) = (6, request)
      content = completeness + Self.bytes(UInt32(sureness.count)) + sureness + Array(texts.utf8)
    case .audio(let request, let samples): (kind, number, content) = (7, request, Self.bytes(samples))
    case .finished(let request): (kind, number) = (8, request)
    case .failed(let request, let reason): (kind, number, content) = (9, request, Array(reason.utf8))
    case .progress(let milliseconds): (kind, number) = (10, milliseconds)
    case .expect(let words, let names):
      let lines = words.map { ([$0.written] + $0.heard).joined(separator: "\t") } + [""] + names
      (kind, number, content) = (11, 0, Array(lines.joined(separator: "\n").utf8))
    }
    return Self.bytes(UInt32(content.count + 5)) + [kind] + Self.bytes(number) + content
  }

  /// Decode what follows the length; nil when it is not a message.
  package init?(body: ArraySlice<UInt8>) {
    guard body.count >= 5 else { return nil }
    let kind = body[body.startIndex]
    let request = Self.number(body.dropFirst().prefix(4))
    let content = body.dropFirst(5)
    let text = String(decoding: content, as: UTF8.self)
    switch kind {
    case 1:
      guard let purpose = content.first.flatMap(Purpose.init), content.count % 2 == 1 else { return nil }
      self = .recognise(request: request, purpose: purpose, samples: PCM.samples(of: content.dropFirst()))
    case 2:
      guard content.count >= 4 else { return nil }
      let rate = Float(bitPattern: Self.number(content.prefix(4)))
      self = .synthesise(request: request, rate: rate, text: String(decoding: content.dropFirst(4), as: UTF8.self))
    case 3: self = .cancel(request: request)
    case 4:
      guard let part = content.first.flatMap(SpeechPart.init(code:)) else { return nil }
      self = .ready(part: part)
    case 5:
      guard let part = content.first.flatMap(SpeechPart.init(code:)) else { return nil }
      self = .unavailable(part: part, reason: String(decoding: content.dropFirst(), as: UTF8.self))
    case 6:
      guard content.count >= 8 else { return nil }
      let completeness = Float(bitPattern: Self.number(content.prefix(4)))
      let count = Int(Self.number(content.dropFirst(4).prefix(4)))
      guard content.count - 8 >= count else { return nil }
      let texts = String(decoding: content.dropFirst(8 + count), as: UTF8.self)
        .split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
      let hearing = Hearing(
        sureness: content.dropFirst(8).prefix(count).map { Int($0) }, alternatives: Array(texts.dropFirst()))
      self = .recognised(
        request: request,
        heard: HeardSpeech(texts[0], completeness: completeness.isNaN ? nil : completeness, hearing: hearing))
    case 7:
      guard content.count % 2 == 0 else { return nil }
      self = .audio(request: request, samples: PCM.samples(of: content))
    case 8: self = .finished(request: request)
    case 9: self = .failed(request: request, reason: text)
    case 10: self = .progress(processorMilliseconds: request)
    case 11:
      let lines = text.lines
      guard let end = lines.firstIndex(of: "") else { return nil }
      let words = lines[..<end].map { line in
        let parts = line.split(separator: "\t").map(String.init)
        return ExpectedWord(parts.first ?? "", heard: Array(parts.dropFirst()))
      }
      self = .expect(words: words, names: lines[(end + 1)...].filter { !$0.isEmpty }.map(String.init))
    default: return nil
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func bytes(_ samples: [Int16]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return bytes
  }
}

extension SpeechPart {
  /// What stands for it on the wire.
  fileprivate var code: UInt8 { self == .recogniser ? 0 : 1 }

  fileprivate init?(code: UInt8) {
    guard let part = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = part
  }
}

/// Cuts a stream of bytes into messages.
package struct SpeechEngineReader {
  /// The bytes are not messages: the two sides no longer understand each other.
  package struct Malformed: Error, Equatable {}

  private var pending: [UInt8] = []

  /// Take the next bytes; the whole messages so far, in order.
  package mutating func read(_ bytes: some Collection<UInt8>) throws(Malformed) -> [SpeechEngineMessage] {
    pending.append(contentsOf: bytes)
    var messages: [SpeechEngineMessage] = []
    var start = 0
    while pending.count - start >= 4 {
      let length = pending[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard length <= SpeechEngineMessage.longestBytes else { throw Malformed() }
      guard pending.count - start >= 4 + length else { break }
      guard let message = SpeechEngineMessage(body: pending[start + 4..<start + 4 + length]) else { throw Malformed() }
      messages.append(message)
      start += 4 + length
    }
    pending.removeFirst(start)
    return messages
  }
}
