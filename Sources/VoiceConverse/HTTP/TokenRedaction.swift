import VoiceVocabulary

/// Takes secrets out of words that somebody else wrote: whole or in part, as they are, escaped as in JSON, as in an address, or in
/// Base64, as in a header for a user and a password.
struct TokenRedaction: Sendable {
  /// How much of a secret has to stand in a row to be hidden.
  enum Extent: Sendable {
    /// Eight bytes of it are no chance in a sentence about a failure.
    case part
    /// An answer may be about the words that a weak token is made of: only all of one that is no word.
    case whole
  }

  private static let partBytes = 8
  private static let wholeBytes = 16
  /// What a cookie has with fewer bytes, such as the name of a theme, is none.
  private static let cookieBytes = 6

  /// What is hidden, by its first byte.
  private let pieces: [[[UInt8]]]
  /// Bytes of the longest of it.
  private let longest: Int

  /// The secrets in a token.
  /// - Parameter isCookie: whether it is a list of cookies, each value of which is a secret of its own.
  init(_ token: [UInt8], isCookie: Bool, extent: Extent = .part) {
    let values = Self.values(of: token, isCookie: isCookie, extent)
    let secrets = values.flatMap { [$0, Self.unescaped($0).bytes] + SecretText.base64(of: $0) }.filter { !$0.isEmpty }
    var pieces = [Set<[UInt8]>](repeating: [], count: 256)
    for secret in secrets {
      let size = extent == .whole ? secret.count : min(Self.partBytes, secret.count)
      for start in 0...(secret.count - size) {
        pieces[Int(secret[start])].insert(Array(secret[start..<(start + size)]))
      }
    }
    self.pieces = pieces.map(Array.init)
    longest = pieces.joined().map(\.count).max() ?? 0
  }

  /// What is secret in a token: each value of a list of cookies, or all of it.
  static func values(of token: [UInt8], isCookie: Bool, _ extent: Extent) -> [[UInt8]] {
    var values = [token]
    if isCookie {
      let found = token.split(separator: UInt8(ascii: ";")).map { cookie in
        let name = cookie.firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? cookie.startIndex
        return Array(cookie[name...].drop { $0 == 0x20 })
      }.filter { $0.count >= cookieBytes }
      if !found.isEmpty { values = found }
    }
    if case .whole = extent { values.removeAll { $0.count < wholeBytes } }
    return values
  }

  /// The words, with a mark in the place of what is secret in them.
  func callAsFunction(_ words: String) -> String {
    redacted(Array(words.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? words
  }

  /// The same for bytes; nil where nothing in them is secret.
  func redacted(_ bytes: [UInt8]) -> [UInt8]? {
    var places = places(in: bytes)
    if bytes.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }) {
      let (plain, starts) = Self.unescaped(bytes)
      places += self.places(in: plain).map { starts[$0.lowerBound]..<starts[$0.upperBound] }
      places.sort { $0.lowerBound < $1.lowerBound }
    }
    guard let first = places.first else { return nil }
    var hidden = first
    var result = bytes[..<first.lowerBound]
    for place in places {
      if place.lowerBound > hidden.upperBound {
        result += Self.mark + bytes[hidden.upperBound..<place.lowerBound]
        hidden = place
      } else {
        hidden = hidden.lowerBound..<max(hidden.upperBound, place.upperBound)
      }
    }
    return result + Self.mark + bytes[hidden.upperBound...]
  }

  private static let mark = Array("(the token)".utf8)

  /// How many of the last bytes may be the beginning of a secret.
  func beginning(atEndOf bytes: some BidirectionalCollection<UInt8>) -> Int {
    let end = Array(bytes.suffix(longest))
    let start = end.indices.first { start in
      pieces[Int(end[start])].contains { $0.count > end.count - start && $0.starts(with: end[start...]) }
    }
    return end.count - (start ?? end.count)
  }

  /// Where a piece of a secret stands.
  private func places(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for (start, byte) in bytes.enumerated() where !pieces[Int(byte)].isEmpty {
      for piece in pieces[Int(byte)] where bytes[start...].starts(with: piece) {
        found.append(start..<(start + piece.count))
      }
    }
    return found
  }

  /// What stands behind escapes, such as `\/`, `\u002f`, `%2F`, and where each byte of it begins; the end of the last one, too.
  private static func unescaped(_ bytes: [UInt8]) -> (bytes: [UInt8], starts: [Int]) {
    var (result, starts): ([UInt8], [Int]) = ([], [])
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
      result.append(byte)
      starts.append(index)
      index += size
    }
    return (result, starts + [bytes.count])
  }
}
