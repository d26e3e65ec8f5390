import VoiceVocabulary

/// Takes secrets out of words that somebody else wrote: whole or in part, as they are, escaped as in JSON, as in an address, or in
/// Base64, as in a header for a user and a password.
struct TokenRedaction {
  /// So many bytes of a secret in a row are no chance.
  private static let piece = 8
  /// What a cookie has with fewer bytes, such as the name of a theme, is none.
  private static let cookieBytes = 6

  private let secrets: [[UInt8]]

  /// The secrets in a token.
  /// - Parameter isCookie: whether it is a list of cookies, each value of which is a secret of its own.
  init(_ token: [UInt8], isCookie: Bool) {
    var values = [token]
    if isCookie {
      let found = token.split(separator: UInt8(ascii: ";")).map { cookie in
        let name = cookie.firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? cookie.startIndex
        return Array(cookie[name...].drop { $0 == 0x20 })
      }.filter { $0.count >= Self.cookieBytes }
      if !found.isEmpty { values = found }
    }
    secrets = values.flatMap { [$0, Self.unescaped($0).map(\.byte)] + SecretText.base64(of: $0) }.filter { !$0.isEmpty }
  }

  /// The words, with a mark in the place of what is secret in them.
  func callAsFunction(_ words: String) -> String {
    let bytes = Array(words.utf8)
    var isHidden = [Bool](repeating: false, count: bytes.count)
    let plain = bytes.indices.map { (byte: bytes[$0], place: $0..<($0 + 1)) }
    for read in [plain, Self.unescaped(bytes)] {
      for secret in secrets { Self.mark(secret, in: read, &isHidden) }
    }
    guard isHidden.contains(true) else { return words }
    var result: [UInt8] = []
    for index in bytes.indices {
      if !isHidden[index] {
        result.append(bytes[index])
      } else if index == 0 || !isHidden[index - 1] {
        result += "(the token)".utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Mark every place that a piece of the secret takes.
  private static func mark(_ secret: [UInt8], in read: [(byte: UInt8, place: Range<Int>)], _ isHidden: inout [Bool]) {
    let size = min(piece, secret.count)
    guard read.count >= size else { return }
    let pieces = Set((0...(secret.count - size)).map { secret[$0..<($0 + size)] })
    let bytes = read.map(\.byte)
    for start in 0...(bytes.count - size) where pieces.contains(bytes[start..<(start + size)]) {
      for index in read[start].place.lowerBound..<read[start + size - 1].place.upperBound { isHidden[index] = true }
    }
  }

  /// What stands behind escapes, and where: `\/`, `\u002f`, `%2F`.
  private static func unescaped(_ bytes: [UInt8]) -> [(byte: UInt8, place: Range<Int>)] {
    var result: [(byte: UInt8, place: Range<Int>)] = []
    var index = 0
    func number(_ start: Int, _ count: Int) -> UInt8? {
      guard start + count <= bytes.count else { return nil }
      return UInt8(String(decoding: bytes[start..<(start + count)], as: UTF8.self), radix: 16)
    }
    while index < bytes.count {
      var (byte, size) = (bytes[index], 1)
      if byte == UInt8(ascii: "%"), let value = number(index + 1, 2) {
        (byte, size) = (value, 3)
      } else if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        (byte, size) = (bytes[index + 1], 2)
        if byte == UInt8(ascii: "u"), let value = number(index + 2, 4) { (byte, size) = (value, 6) }
      }
      result.append((byte, index..<(index + size)))
      index += size
    }
    return result
  }
}
