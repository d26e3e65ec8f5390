extension String {
  /// The text with everything removed that could drive a terminal or hide what it says: control characters of both
  /// ranges, marks that turn the direction of writing, and signs that take no room. Line feeds and tabs become blanks, so
  /// that one text is one line. At most `limit` characters.
  package func sanitized(limit: Int = 2_000) -> String {
    var result = UnicodeScalarView()
    var count = 0
    for scalar in unicodeScalars {
      let isBlank = scalar.isLineEnd || scalar == "\t"
      if !isBlank, scalar.isHidden(behind: result.last) { continue }
      if count == limit { return String(result) + "…" }
      result.append(isBlank ? " " : scalar)
      count += 1
    }
    return String(result)
  }

  /// The text without what `sanitized` removes, but for its line ends and tabs: what nobody can see is no part of what somebody
  /// decides about. The same text where nothing is hidden.
  package var withoutHiddenSigns: String {
    var last: Unicode.Scalar?
    guard
      unicodeScalars.contains(where: { scalar in
        defer { last = scalar }
        return !scalar.isLineEnd && scalar != "\t" && scalar.isHidden(behind: last)
      })
    else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars where scalar.isLineEnd || scalar == "\t" || !scalar.isHidden(behind: result.last) {
      result.append(scalar)
    }
    return String(result)
  }

  /// The text on one line with everything in it visible: a line end is `⏎`, and what `sanitized` removes stands there by its
  /// number, as does every blank that is not the plain one. For what somebody decides about: what is hidden may be what matters.
  package func revealed() -> String {
    var result = ""
    var last: Unicode.Scalar?
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\u{2028}", "\u{2029}": result += " ⏎ "
      case "\t": result += " "
      default:
        if scalar.isHidden(behind: last) || scalar.looksLikeABlank {
          result += "<U+\(String(scalar.value, radix: 16, uppercase: true))>"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
      last = scalar
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var isLineEnd: Bool { [0x0A, 0x0D, 0x2028, 0x2029].contains(value) }

  /// Whether this may drive a terminal, turn the direction of writing, or take no room. What joins signs, or chooses between their forms,
  /// does so behind one sign that is not plain ASCII; anywhere else, or in a row, it is there to be overlooked.
  fileprivate func isHidden(behind last: Unicode.Scalar?) -> Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B, 0x200E,
      0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0x1D173...0x1D17A,
      0xFFF0...0xFFF8, 0x1BCA0...0x1BCA3, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
      return true
    case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      guard let last else { return true }
      // A keycap: a digit as a sign of its own.
      if last.isASCII { return value != 0xFE0F || !"0123456789#*".unicodeScalars.contains(last) }
      return last.properties.isDefaultIgnorableCodePoint && !(value == 0x200D && last.value == 0xFE0F)
    default: return false
    }
  }

  /// Whether nothing is seen of this where something hides in a text: what may join signs counts, too.
  var isUnseen: Bool { !isLineEnd && self != "\t" && isHidden(behind: nil) }

  /// Whether what colours, clears or moves in a terminal begins with this.
  var beginsTerminalSequence: Bool { self == "\u{1B}" || self == "\u{9B}" }

  /// Whether it is seen as an empty place, and is no plain blank.
  fileprivate var looksLikeABlank: Bool { value == 0x2800 || self != " " && properties.isWhitespace }
}

extension String {
  /// Without what colours, clears and moves in a terminal, all of it: its parameters are no words. For what an agent answers alone: of
  /// what somebody decides about, nothing is left out that looks like one. The text is the same where it holds no escape.
  package var withoutTerminalSequences: String {
    guard utf8.contains(0x1B) || unicodeScalars.contains("\u{9B}") else { return self }
    let scalars = Array(unicodeScalars)
    var result = UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if let end = Self.endOfTerminalSequence(scalars, from: index) {
        index = end
      } else {
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }

  /// Behind the sequence that begins here; nil if none does, or it has no end.
  static func endOfTerminalSequence(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
    let isShort = scalars[start] == "\u{9B}"
    guard isShort || scalars[start] == "\u{1B}" && start + 1 < scalars.count else { return nil }
    let rest = scalars[(start + (isShort ? 1 : 2))...].prefix(longestTerminalSequence)
    switch isShort ? "[" : scalars[start + 1] {
    case "[":
      guard let end = rest.firstIndex(where: { !(0x20...0x3F).contains($0.value) }),
        (0x40...0x7E).contains(scalars[end].value)
      else { return nil }
      return end + 1
    case "]":
      guard let end = rest.firstIndex(where: { $0.value < 0x20 }) else { return nil }
      if scalars[end] == "\u{7}" { return end + 1 }
      return scalars[end] == "\u{1B}" && end + 1 < scalars.count && scalars[end + 1] == "\\" ? end + 2 : nil
    default: return nil
    }
  }

  /// Whether the sequence that begins here has no end because the text has one: more of it may come.
  static func isTerminalSequenceOpen(_ scalars: [Unicode.Scalar], from start: Int) -> Bool {
    let isShort = scalars[start] == "\u{9B}"
    let rest = scalars[(start + 1)...].dropFirst(isShort ? 0 : 1)
    guard rest.count <= longestTerminalSequence else { return false }
    guard isShort || start + 1 < scalars.count else { return true }
    switch isShort ? "[" : scalars[start + 1] {
    case "[": return rest.allSatisfy { (0x20...0x3F).contains($0.value) }
    // Its end may be of two signs.
    case "]":
      return rest.dropLast().allSatisfy { $0.value >= 0x20 }
        && rest.last.map { $0.value >= 0x20 || $0 == "\u{1B}" } ?? true
    default: return false
    }
  }

  /// An address may stand in one.
  private static var longestTerminalSequence: Int { 2_000 }
}
