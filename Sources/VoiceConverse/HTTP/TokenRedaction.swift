import VoiceJSON
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
  private var pieces: [[[UInt8]]]
  /// Bytes of the longest of it.
  private var longest: Int

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

  /// What takes out the secrets of both.
  func joined(with other: TokenRedaction) -> TokenRedaction {
    var both = self
    for (byte, pieces) in other.pieces.enumerated() {
      both.pieces[byte] += pieces.filter { !both.pieces[byte].contains($0) }
    }
    both.longest = max(longest, other.longest)
    return both
  }

  /// The words, with a mark in the place of what is secret in them.
  func callAsFunction(_ words: String) -> String {
    redacted(Array(words.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? words
  }

  /// The same for bytes; nil where nothing in them is secret.
  func redacted(_ bytes: [UInt8]) -> [UInt8]? {
    let places = places(in: bytes)
    return places.isEmpty ? nil : Self.marked(bytes, places, from: 0, to: bytes.count)
  }

  /// The same for all texts in a value; nil where nothing in them is secret.
  func redacted(_ value: JSON) -> JSON? {
    let clean = value.mapStrings { self($0) }
    return clean == value ? nil : clean
  }

  /// What stands in the place of a secret.
  static let mark = Array("(the token)".utf8)

  /// A part of the bytes, with a mark in each of these places, which lie in their order and apart, whole or in part.
  static func marked(_ bytes: [UInt8], _ places: [Range<Int>], from start: Int, to end: Int) -> [UInt8] {
    var (result, told) = ([UInt8](), start)
    for place in places where place.upperBound > told {
      result += bytes[told..<max(told, place.lowerBound)] + mark
      told = place.upperBound
    }
    return result + bytes[told..<max(told, end)]
  }

  /// How many of the last bytes may be the beginning of a secret, or of an escape in front of which one begins; with what is not seen
  /// among them.
  func beginning(atEndOf bytes: [UInt8]) -> Int {
    let ways = ShownText.ways(of: bytes[...]).map { shown in
      // What may be a sequence is no letter behind which a secret cannot go on.
      let whole = Array(shown.bytes[..<shown.count(before: shown.openEnd)])
      let length = writtenBeginning(atEndOf: whole)
      return length == 0 ? 0 : bytes.count - shown.places[whole.count - length]
    }
    return max(writtenBeginning(atEndOf: bytes), ways.max() ?? 0)
  }

  private func writtenBeginning(atEndOf bytes: [UInt8]) -> Int {
    let end = Array(bytes.suffix(Self.longestEscape * longest))
    guard Self.mayBeEscaped(end) else { return plainBeginning(atEndOf: end) }
    let whole = end.dropLast(Self.openEscape(atEndOf: end))
    let (plain, starts) = Self.unescaped(Array(whole))
    return max(plainBeginning(atEndOf: end), end.count - starts[plain.count - plainBeginning(atEndOf: plain)])
  }

  private func plainBeginning(atEndOf bytes: [UInt8]) -> Int {
    let end = bytes.suffix(longest)
    let start = end.indices.first { start in
      pieces[Int(end[start])].contains { $0.count > end.endIndex - start && $0.starts(with: end[start...]) }
    }
    return end.endIndex - (start ?? end.endIndex)
  }

  /// Where secrets stand, as they are, escaped, or parted by what is not seen when they are shown; in their order and apart.
  func places(in bytes: [UInt8]) -> [Range<Int>] {
    var found = writtenPlaces(in: bytes)
    for shown in ShownText.ways(of: bytes[...]) { found += writtenPlaces(in: shown.bytes).map(shown.whole) }
    found.sort { $0.lowerBound < $1.lowerBound }
    return found.reduce(into: []) { places, next in
      guard let last = places.last, next.lowerBound <= last.upperBound else { return places.append(next) }
      places[places.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
    }
  }

  private func writtenPlaces(in bytes: [UInt8]) -> [Range<Int>] {
    let found = plainPlaces(in: bytes)
    guard Self.mayBeEscaped(bytes) else { return found }
    let (plain, starts) = Self.unescaped(bytes)
    return found + plainPlaces(in: plain).map { starts[$0.lowerBound]..<starts[$0.upperBound] }
  }

  /// Where a piece of a secret stands.
  private func plainPlaces(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for (start, byte) in bytes.enumerated() where !pieces[Int(byte)].isEmpty {
      for piece in pieces[Int(byte)] where bytes[start...].starts(with: piece) {
        found.append(start..<(start + piece.count))
      }
    }
    return found
  }

  private static func mayBeEscaped(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }
  }

  /// Bytes of `\u002f`.
  private static let longestEscape = 6

  /// How many of the last bytes begin an escape that is not complete.
  private static func openEscape(atEndOf bytes: [UInt8]) -> Int {
    let end = bytes.suffix(longestEscape - 1)
    guard let start = end.lastIndex(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") }) else { return 0 }
    let rest = end[(start + 1)...]
    let isOpen =
      if end[start] == UInt8(ascii: "%") { rest.count < 2 } else { rest.isEmpty || rest.first == UInt8(ascii: "u") }
    return isOpen ? 1 + rest.count : 0
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
