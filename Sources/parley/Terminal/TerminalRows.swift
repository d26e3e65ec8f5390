import CTerminal
import VoiceHistory
import VoiceSystem
import VoiceVocabulary

/// One line of words as rows of a terminal, so broken that no row of it can be taken for another line: whoever pads his text
/// to the terminal's width would otherwise write rows that look like the program's own.
///
/// Every row but the first is indented and begins with a mark. A terminal that becomes narrower later breaks rows by
/// itself, where nothing can be marked any more: so words from outside hold no stretches of blanks either, as the columns
/// of the program's own rows have them.
enum TerminalRows {
  /// In front of what goes on from the row above, under the column of labels.
  static let mark = "        … "
  /// The same where there is little room.
  private static let shortMark = "… "
  private static let roomyColumns = 30

  /// - Parameters:
  ///   - head: the program's own part of the line, such as a label with the blanks behind it.
  ///   - text: what stands behind it; of one line, and harmless.
  ///   - columns: how wide the terminal is.
  static func rows(_ head: String, _ text: String, columns: Int) -> [String] {
    let limit = max(1, columns - 1)
    let indent = limit < roomyColumns ? shortMark : mark
    var rows: [String] = []
    var row = Row(head)
    var spacing = Spacing()
    for scalar in text.unicodeScalars {
      let shown = spacing.shown(scalar)
      let width = shown.mostColumns
      if row.columns + width > limit, row.columns > row.start {
        let rest = row.breakOff()
        rows.append(row.text)
        row = Row(indent)
        // No more than fits: a row of one very long word is broken in its middle.
        for scalar in rest { row.append(scalar) }
      }
      row.append(shown)
    }
    return rows + [row.text]
  }

  /// A row that is being filled.
  private struct Row {
    private var scalars: [Unicode.Scalar]
    private(set) var columns: Int
    /// Where its own words begin.
    let start: Int
    /// How many scalars there are up to the last blank between words, and how many columns.
    private var lastBlank: (scalars: Int, columns: Int)?

    var text: String { String(String.UnicodeScalarView(scalars)) }

    init(_ head: String) {
      scalars = Array(head.unicodeScalars)
      columns = head.unicodeScalars.reduce(0) { $0 + $1.mostColumns }
      start = columns
    }

    mutating func append(_ scalar: Unicode.Scalar) {
      scalars.append(scalar)
      columns += scalar.mostColumns
      if scalar == " ", columns > start + 1 { lastBlank = (scalars.count, columns) }
    }

    /// Take off what belongs to the next row: the word that does not fit, if it is not most of the row.
    mutating func breakOff() -> [Unicode.Scalar] {
      guard let lastBlank, lastBlank.columns > start + (columns - start) / 2 else { return [] }
      let rest = Array(scalars.dropFirst(lastBlank.scalars))
      scalars.removeLast(rest.count + 1)
      return rest
    }
  }

  /// What is shown of blanks: the third of a stretch and those behind it can be seen.
  struct Spacing {
    private var blanks = 0

    /// The sign that is shown for this one: more than two blanks in a row are shown as dots.
    mutating func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      blanks = scalar.isBlank ? blanks + 1 : 0
      return blanks > 2 ? "·" : scalar
    }
  }

  /// How wide the terminal at a descriptor is; nil if there is none that breaks lines.
  static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    return Int(parley_terminal_columns(descriptor))
  }
}

extension NoticeText {
  /// The rows of the line in a terminal.
  func rows(columns: Int) -> [String] { TerminalRows.rows(head, text, columns: columns) }
}

/// Print one line on standard output, harmless, and in a terminal in rows that cannot be taken for others.
///
/// - Parameters:
///   - text: may come from outside.
///   - head: what the program itself puts in front of it.
func printRow(_ text: String, head: String = "") {
  let (head, text) = (head.sanitized(limit: .max), text.sanitized(limit: .max))
  guard let columns = TerminalRows.columns(of: STDOUT_FILENO) else { return print(head + text) }
  for row in TerminalRows.rows(head, text, columns: columns) { print(row) }
}

/// An agent's answer as it comes, in rows of a terminal that all begin with two blanks: the program's own rows do not.
struct AnswerRows {
  private static let indent = "  "

  private var used = 0
  private var spacing = TerminalRows.Spacing()

  /// The next piece; its line ends are its own, everything else in it is harmless.
  mutating func append(_ text: String, columns: Int) -> String {
    let limit = max(Self.indent.count + 1, columns - 1)
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        result.append(scalar)
        (used, spacing) = (0, TerminalRows.Spacing())
        continue
      }
      let shown = spacing.shown(scalar)
      if used > 0, used + shown.mostColumns > limit {
        result.append("\n")
        used = 0
      }
      if used == 0 {
        result += Self.indent.unicodeScalars
        used = Self.indent.count
      }
      result.append(shown)
      used += shown.mostColumns
    }
    return String(result)
  }

  /// The line was ended by somebody else.
  mutating func startLine() { used = 0 }
}

extension Unicode.Scalar {
  /// Whether it looks like nothing, and takes room.
  fileprivate var isBlank: Bool {
    switch value {
    case 0x20, 0xA0, 0x115F, 0x1160, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x2800, 0x3000, 0x3164, 0xFFA0: true
    default: false
    }
  }

  /// The most columns that any terminal gives it. Terminals do not agree, and a row that is thought to be shorter than it is
  /// would be broken by the terminal, where nothing marks that it goes on.
  var mostColumns: Int {
    switch value {
    case ..<0x300: return 1
    // Makes of what stands before it a picture, which may be wider.
    case 0xFE0F: return 1
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: return 0
      case _ where value < 0x1100: return 1
      case _ where (0x1E00...0x1FFF).contains(value) || (0x2010...0x2027).contains(value): return 1
      default: return 2
      }
    }
  }
}
