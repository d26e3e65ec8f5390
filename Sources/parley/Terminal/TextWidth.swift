extension Character {
  /// How many columns of a terminal this character takes: 2 for wide ones (East Asian scripts, emoji), 0 for marks
  /// without a letter, 1 for all others. After Unicode's East Asian Width (UAX 11), in whole blocks.
  var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if unicodeScalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiPresentation }) { return 2 }
    switch first.value {
    case 0x20..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      switch first.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: return 0
      default: return 1
      }
    }
  }
}

extension StringProtocol {
  /// How many columns of a terminal the text takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The beginning of the text that fits into this many columns, with an ellipsis if something is left out.
  func fitting(columns: Int) -> String {
    var result = ""
    var used = 0
    for character in self {
      used += character.columns
      // Only what is too long for all is cut; the last column is for the ellipsis.
      if used > columns { return result.dropLastColumn(from: columns) + "…" }
      result.append(character)
    }
    return result
  }
}

extension String {
  /// With blanks behind it, up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// As `fitting`, in any terminal: in none is the row broken, even if its signs are wider there than elsewhere.
  func fittingAnywhere(columns: Int) -> String {
    var used = 0
    for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
      used += scalar.mostColumns
      // Only what is too long for all is cut; the last column is for the ellipsis.
      guard used > columns else { continue }
      used -= scalar.mostColumns
      var end = index
      while end > unicodeScalars.startIndex, used >= columns {
        end = unicodeScalars.index(before: end)
        used -= unicodeScalars[end].mostColumns
      }
      return String(unicodeScalars[..<end]) + "…"
    }
    return self
  }

  /// Without as many characters at its end as it takes to leave one of the columns free.
  fileprivate func dropLastColumn(from columns: Int) -> String {
    var text = self
    while !text.isEmpty, text.columns >= columns { text.removeLast() }
    return text
  }
}
