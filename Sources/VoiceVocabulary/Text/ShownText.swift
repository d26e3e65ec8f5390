/// A text as it is shown: without what drives a terminal, and without the signs that nobody sees. What these part is read as one word
/// there, so that a secret is looked for in this.
package struct ShownText: Equatable, Sendable {
  /// What is left of the text.
  package private(set) var bytes: [UInt8] = []
  /// Where each of these bytes stands in the text.
  package private(set) var places: [Int] = []
  /// Where a sequence for a terminal begins that may go on behind the text; the end of the text if none does.
  package private(set) var openEnd: Int

  /// In each way in which it may be shown: without what colours and clears in a terminal, and with the parameters of that. None where
  /// nothing in the text is hidden. Hidden is also what JSON writes as an escape.
  package static func ways(of text: ArraySlice<UInt8>) -> [ShownText] {
    guard mayDiffer(text) else { return [] }
    let signs = Sign.all(in: text)
    guard signs.contains(where: \.scalar.isUnseen) else { return [] }
    let plain = ShownText(signs, end: text.endIndex, hasParameters: true)
    if !signs.contains(where: \.scalar.beginsTerminalSequence) { return [plain] }
    return [ShownText(signs, end: text.endIndex, hasParameters: false), plain]
  }

  /// In one of these ways, by its number: the first is that without sequences, the second that with their parameters. Nil where nothing
  /// is hidden.
  package static func way(_ number: Int, of text: [UInt8]) -> ShownText? {
    let ways = ways(of: text[...])
    return ways.isEmpty ? nil : ways[min(number, ways.count - 1)]
  }

  /// Whether anything in the text may be hidden. What looks like that alone, such as an umlaut, is told from it later.
  package static func mayDiffer(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { index in
      switch text[index] {
      case 0x09, 0x0A, 0x0D: false
      case 0..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: true
      case UInt8(ascii: "\\"): index + 1 < text.endIndex && "\\ubf".utf8.contains(text[index + 1])
      default: false
      }
    }
  }

  /// Where in the text these of its shown bytes stand, with all that is hidden between them.
  package func whole(_ range: Range<Int>) -> Range<Int> {
    range.isEmpty ? openEnd..<openEnd : places[range.lowerBound]..<(places[range.upperBound - 1] + 1)
  }

  /// How many of the shown bytes stand before a place in the text.
  package func count(before place: Int) -> Int { places.prefix { $0 < place }.count }

  /// Ranges in their order and apart, where they may overlap.
  package static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, next in
      guard let last = joined.last, next.lowerBound < last.upperBound else { return joined.append(next) }
      joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
    }
  }

  private init(_ signs: [Sign], end: Int, hasParameters: Bool) {
    let scalars = signs.map(\.scalar)
    openEnd = end
    var index = 0
    while index < signs.count {
      let sign = signs[index]
      if !hasParameters, sign.scalar.beginsTerminalSequence {
        if let end = String.endOfTerminalSequence(scalars, from: index) {
          index = end
          continue
        }
        if openEnd == end, String.isTerminalSequenceOpen(scalars, from: index) { openEnd = sign.range.lowerBound }
      }
      if !sign.scalar.isUnseen {
        bytes += sign.bytes
        places += sign.range
      }
      index += 1
    }
  }
}

/// What one sign of a text is, and how it is written there.
private struct Sign {
  var scalar: Unicode.Scalar
  var bytes: ArraySlice<UInt8>
  var range: Range<Int> { bytes.startIndex..<bytes.endIndex }

  static func all(in text: ArraySlice<UInt8>) -> [Sign] {
    var signs: [Sign] = []
    signs.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let (scalar, length) = end(behind: signs.last, text[index...]) ?? escaped(text[index...]) ?? plain(text[index...])
      signs.append(Sign(scalar: scalar, bytes: text[index..<(index + length)]))
      index += length
    }
    return signs
  }

  /// The backslash behind an escape, with which a sequence may end; JSON writes it with twice as many as it does the escape.
  private static func end(behind last: Sign?, _ text: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    guard let last, last.scalar == "\u{1B}" else { return nil }
    let length = max(1, 2 * last.bytes.prefix { $0 == UInt8(ascii: "\\") }.count)
    let run = text.prefix(length)
    return run.count == length && run.allSatisfy { $0 == UInt8(ascii: "\\") } ? ("\\", length) : nil
  }

  /// As UTF-8 has it. Bytes that are none are signs of their own.
  private static func plain(_ text: ArraySlice<UInt8>) -> (Unicode.Scalar, Int) {
    guard let first = text.first, first >= 0x80 else { return (Unicode.Scalar(text[text.startIndex]), 1) }
    let unknown = (Unicode.Scalar(0xFFFD as UInt16) ?? " ", 1)
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let rest = text.prefix(length).dropFirst()
    guard first >= 0xC2, rest.count == length - 1, rest.allSatisfy({ $0 & 0xC0 == 0x80 }) else { return unknown }
    let value = rest.reduce(UInt32(first) & (0x7F >> UInt32(length))) { $0 << 6 | UInt32($1 & 0x3F) }
    return Unicode.Scalar(value).map { ($0, length) } ?? unknown
  }

  /// JSON in JSON doubles them each time; a longer run of them is none.
  private static let mostBackslashes = 16

  /// As JSON writes a control, or anything by its number; nil if this is nothing of that. JSON in JSON has more backslashes.
  private static func escaped(_ text: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    guard text.first == UInt8(ascii: "\\") else { return nil }
    let run = text.prefix(mostBackslashes + 1).prefix { $0 == UInt8(ascii: "\\") }
    guard run.endIndex < text.endIndex, run.count <= mostBackslashes else { return nil }
    if "bf".utf8.contains(text[run.endIndex]) { return ("\u{8}", run.count + 1) }
    guard let value = number(text[run.endIndex...]) else { return nil }
    let length = run.count + 5
    if let scalar = Unicode.Scalar(value) { return (scalar, length) }
    // The two halves of a sign with a large number.
    let second = text.dropFirst(length)
    guard second.starts(with: run), let low = number(second.dropFirst(run.count)), (0xD800..<0xDC00).contains(value),
      (0xDC00..<0xE000).contains(low), let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    return (scalar, 2 * length)
  }

  /// Of `u200b`.
  private static func number(_ text: ArraySlice<UInt8>) -> UInt32? {
    guard text.first == UInt8(ascii: "u"), text.count >= 5 else { return nil }
    return UInt32(String(decoding: text.dropFirst().prefix(4), as: UTF8.self), radix: 16)
  }
}
