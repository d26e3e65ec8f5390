/// Takes out the inline marks of markdown and HTML: a link becomes its text, emphasis and code become plain.
struct InlineMarks {
  private var plain = ""
  private var rest: Substring
  private var previous: Character = " "
  private var isCode = false

  private init(_ text: String) { rest = text[...] }

  /// The text without its marks.
  static func removed(from text: String) -> String {
    var marks = InlineMarks(text)
    while let character = marks.rest.first {
      guard !marks.takeMark(character) else { continue }
      marks.rest.removeFirst()
      marks.append(isControl(character) ? " " : String(character))
    }
    return marks.plain
  }

  private mutating func append(_ text: some StringProtocol) {
    plain += text
    previous = text.last ?? previous
  }

  /// Take the mark that begins with this character; false where it is none.
  private mutating func takeMark(_ character: Character) -> Bool {
    let next = rest.dropFirst().first
    switch character {
    case "`":
      isCode.toggle()
      rest.removeFirst()
    case _ where isCode: return false
    case "!" where next == "[":
      guard let link = Link(rest.dropFirst()) else { return false }
      append(link.text.allSatisfy(\.isWhitespace) ? "an image" : "an image: " + Self.removed(from: String(link.text)))
      rest = link.rest
    case "[" where Self.isEdge(previous):
      if rest.hasPrefix("[^"), let end = rest.firstIndex(of: "]") {
        rest = rest[rest.index(after: end)...]
      } else {
        guard let link = Link(rest) else { return false }
        append(Self.removed(from: String(link.text)))
        rest = link.rest
      }
    case "<":
      guard let (address, end) = Self.tag(rest) else { return false }
      append(address)
      rest = rest[end...]
    case "*", "_", "~":
      // Marks of emphasis stand at the edge of a word; a star or underscore between two letters or blanks does not.
      let marks = rest.prefix { $0 == character }
      let behind = rest[marks.endIndex...]
      if Self.isEdge(previous) == Self.isEdge(behind.first) || character == "~" && marks.count != 2 { append(marks) }
      rest = behind
    case "\\" where next.map { "\\`*_{}[]()#+-.!|<>~".contains($0) } ?? false:
      rest.removeFirst()
      append(String(rest.removeFirst()))
    case "\u{2014}":
      append(" \u{2014} ")
      rest.removeFirst()
    case "\u{2026}":
      append(next?.isWhitespace ?? true ? "." : " ")
      rest.removeFirst()
    default: return false
    }
    return true
  }

  /// Whether a word may begin or end beside this character.
  private static func isEdge(_ character: Character?) -> Bool {
    guard let character else { return true }
    return character.isWhitespace || "([{.,;:!?)]}/\"'*_~\u{2014}".contains(character)
  }

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .privateUse, .surrogate, .unassigned: true
      default: false
      }
    }
  }

  /// `[text](address)` or `[text][name]` at the start of a text.
  private struct Link {
    let text: Substring
    let rest: Substring

    init?(_ start: Substring) {
      guard start.first == "[", let close = start.prefix(400).firstIndex(of: "]") else { return nil }
      let behind = start[start.index(after: close)...]
      guard let opening = behind.first, let closing = ["(": ")", "[": "]"][String(opening)],
        let end = behind.prefix(2_000).firstIndex(of: Character(closing))
      else { return nil }
      text = start[start.index(after: start.startIndex)..<close]
      rest = behind[behind.index(after: end)...]
    }
  }

  /// The text that stands for a tag or an address in angle brackets, and its end; nil if it is neither.
  private static func tag(_ text: Substring) -> (Substring, Substring.Index)? {
    guard let end = text.prefix(2_000).firstIndex(of: ">") else { return nil }
    let inner = text[text.index(after: text.startIndex)..<end]
    let behind = text.index(after: end)
    if inner.hasPrefix("http://") || inner.hasPrefix("https://") { return (inner, behind) }
    let name = inner.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
    return tags.contains(name) ? (" ", behind) : nil
  }

  private static let tags: Set<String> = [
    "a", "b", "br", "code", "details", "div", "em", "h1", "h2", "h3", "hr", "i", "img", "kbd", "li", "ol", "p", "pre",
    "span",
    "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul",
  ]
}
