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

  /// Whether there is room for the column of labels beside the words.
  static func isRoomy(_ columns: Int) -> Bool { columns > 30 }

  /// - Parameters:
  ///   - head: the program's own part of the line, such as a label with the blanks behind it.
  ///   - text: what stands behind it; of one line, and sanitized.
  ///   - indent: with how many blanks it begins that are to be seen as such. Where there is room for them, they belong to the head.
  ///   - columns: how wide the terminal is.
  static func rows(_ head: String, _ text: String, indent: Int = 0, columns: Int) -> [String] {
    let limit = max(1, columns - 1)
    let indent = isRoomy(columns) ? max(0, min(indent, deepest, limit - head.columns - 10)) : 0
    let margin = text.prefix(indent).prefix { $0 == " " }
    let (head, text) = (head + margin, text.dropFirst(margin.count))
    let next = Row(isRoomy(columns) ? mark : shortMark)
    var rows: [String] = []
    var row = Row(head)
    var spacing = Spacing()
    let scalars = text.unicodeScalars.map { spacing.shown($0) }
    for (index, scalar) in scalars.enumerated() {
      if row.columns + scalar.mostColumns > limit, row.columns > row.start {
        let rest = row.breakOff(before: scalars[index...], ifItFits: limit - next.columns)
        rows.append(row.text)
        row = next
        for scalar in rest { row.append(scalar) }
        // The rows are apart already.
        if scalar == " ", rest.isEmpty { continue }
      }
      row.append(scalar)
    }
    return rows + [row.text]
  }

  /// The program's own pieces, as many in a row as fit, under the words beside the labels.
  ///
  /// - Parameter gap: how many blanks stand between two of them.
  static func rows(of pieces: [String], apart gap: Int, columns: Int) -> [String] {
    let indent = String(repeating: " ", count: isRoomy(columns) ? mark.count : shortMark.count)
    let room = min(widestRow, columns - 1 - indent.count)
    let packed = pieces.reduce(into: [String]()) { rows, piece in
      let longer = rows.last.map { $0 + String(repeating: " ", count: gap) + piece }
      if let longer, longer.columns <= room { rows[rows.count - 1] = longer } else { rows.append(piece) }
    }
    // A piece that is too long alone goes on in the next row.
    return packed.flatMap { $0.columns <= room ? [indent + $0] : rows(indent, $0, columns: columns) }
  }

  /// Further from the edge, blanks are shown as of any other words.
  private static let deepest = 20

  /// Longer rows are hard to read.
  private static let widestRow = 68

  /// A row that is being filled.
  private struct Row {
    private var scalars: [Unicode.Scalar]
    private(set) var columns: Int
    /// Where its own words begin.
    let start: Int
    /// How many scalars there are before those, and before the last of them.
    private let headCount: Int
    private var wordStart: Int

    var text: String { String(String.UnicodeScalarView(scalars)) }

    init(_ head: String) {
      scalars = Array(head.unicodeScalars)
      headCount = scalars.count
      wordStart = headCount
      columns = scalars.mostColumns
      start = columns
    }

    mutating func append(_ scalar: Unicode.Scalar) {
      scalars.append(scalar)
      columns += scalar.mostColumns
      if scalar == " " { wordStart = scalars.count }
    }

    /// Take off the beginning of a word that ends behind the row, if all of it has room in the next one; else it is broken
    /// where the row is full.
    mutating func breakOff(before following: ArraySlice<Unicode.Scalar>, ifItFits room: Int) -> [Unicode.Scalar] {
      let word = Array(scalars[wordStart...])
      // No more is looked at than there could be room for.
      let end = following.prefix(room + 1).prefix { $0 != " " }
      guard !end.isEmpty, word.mostColumns + end.mostColumns <= room else { return [] }
      // Nor does a blank stand at the end.
      scalars.removeLast(wordStart > headCount ? word.count + 1 : word.count)
      return word
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
  func rows(columns: Int) -> [String] { TerminalRows.rows(head, text, indent: indent, columns: columns) }
}

/// Print one line on standard output, sanitized, and in a terminal in rows that cannot be taken for others.
///
/// - Parameters:
///   - text: may come from outside.
///   - head: what the program itself puts in front of it.
///   - indent: with how many blanks the text begins that are to be seen as such.
func printRow(_ text: String, head: String = "", indent: Int = 0) {
  let (head, text) = (head.sanitized(limit: .max), text.sanitized(limit: .max))
  guard let columns = TerminalRows.columns(of: STDOUT_FILENO) else { return print(head + text) }
  for row in TerminalRows.rows(head, text, indent: indent, columns: columns) { print(row) }
}

/// An agent's answer as it comes, in rows of a terminal that all begin with two blanks: the program's own rows do not. A word is
/// kept back until all of it has come, or until it is longer than a row.
struct AnswerRows {
  private static let indent = "  "

  private var used = 0
  private var spacing = TerminalRows.Spacing()
  private var word: [Unicode.Scalar] = []

  /// The next piece; its line ends are its own, everything else in it is sanitized.
  mutating func append(_ text: String, columns: Int) -> String {
    let limit = max(Self.indent.count + 1, columns - 1)
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        place(&result, limit)
        result.append(scalar)
        (used, spacing) = (0, TerminalRows.Spacing())
        continue
      }
      word.append(spacing.shown(scalar))
      if word.last == " " || word.mostColumns > limit - Self.indent.count { place(&result, limit) }
    }
    return String(result)
  }

  /// What was kept back. The line is ended by somebody else.
  mutating func endLine(columns: Int) -> String {
    var result = String.UnicodeScalarView()
    place(&result, max(Self.indent.count + 1, columns - 1))
    used = 0
    return String(result)
  }

  /// Put the word into the row if there is room for it, or else into the next; one that is longer than a row is broken.
  private mutating func place(_ result: inout String.UnicodeScalarView, _ limit: Int) {
    let columns = word.prefix { $0 != " " }.mostColumns
    if used + columns > limit, columns <= limit - Self.indent.count { startRow(&result) }
    for scalar in word {
      if used + scalar.mostColumns > limit {
        // The rows are apart already.
        if scalar == " " { continue }
        startRow(&result)
      }
      if used == 0 {
        result += Self.indent.unicodeScalars
        used = Self.indent.count
      }
      result.append(scalar)
      used += scalar.mostColumns
    }
    word = []
  }

  private mutating func startRow(_ result: inout String.UnicodeScalarView) {
    if used > 0 { result.append("\n") }
    used = 0
  }
}

extension Sequence where Element == Unicode.Scalar {
  /// The most columns that they take together.
  fileprivate var mostColumns: Int { reduce(0) { $0 + $1.mostColumns } }
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
