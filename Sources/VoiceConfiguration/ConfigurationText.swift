/// Where things stand in the text of a configuration file: the first mistake of spelling, and the line of each key.
///
/// The values are decoded by `JSONDecoder`, which does not say where it stopped. This reads only as much of JSON5 as
/// is needed to tell the place.
struct ConfigurationText {
  /// A mistake, at a place that counts from 1.
  struct Mistake: Error, Equatable {
    var line: Int
    var column: Int
    var message: String
  }

  /// The line of each key, by its path: "live", "live.endpoint".
  private(set) var lines: [String: Int] = [:]

  private let text: [Unicode.Scalar]
  private var at = 0
  private var depth = 0

  /// More braces and brackets than any plan needs.
  private static let deepest = 32

  init(_ text: String) throws(Mistake) {
    self.text = Array(text.unicodeScalars)
    try value(path: "")
    try space()
    if at < self.text.count { throw mistake("nothing may follow the closing brace") }
  }

  // What stands next.

  private var next: Unicode.Scalar? { at < text.count ? text[at] : nil }

  private var place: (line: Int, column: Int) {
    let before = text[..<min(at, text.count)]
    let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
    return (before.reduce(1) { $1 == "\n" ? $0 + 1 : $0 }, at - start + 1)
  }

  private func mistake(_ message: String) -> Mistake {
    Mistake(line: place.line, column: place.column, message: message)
  }

  /// Skip blanks, line ends and comments.
  private mutating func space() throws(Mistake) {
    while let scalar = next {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        at += 1
      } else if scalar == "/", at + 1 < text.count, text[at + 1] == "/" {
        while let scalar = next, scalar != "\n" { _ = scalar; at += 1 }
      } else if scalar == "/", at + 1 < text.count, text[at + 1] == "*" {
        let start = self
        at += 2
        while at + 1 < text.count, !(text[at] == "*" && text[at + 1] == "/") { at += 1 }
        if at + 1 >= text.count { throw start.mistake("the comment that begins here has no end") }
        at += 2
      } else {
        return
      }
    }
  }

  private mutating func value(path: String) throws(Mistake) {
    try space()
    guard let scalar = next else { throw mistake("a value is missing") }
    switch scalar {
    case "{":
      try list(closedBy: "}", path: path) { (here: inout ConfigurationText) throws(Mistake) in try here.member(of: path)
      }
    case "[":
      try list(closedBy: "]", path: path) { (here: inout ConfigurationText) throws(Mistake) in
        try here.value(path: path + "[]")
      }
    case "\"", "'": _ = try quoted(by: scalar)
    default:
      if try word().isEmpty { throw mistake("a value is missing before \"\(scalar)\"") }
    }
  }

  private mutating func list(
    closedBy close: Unicode.Scalar, path: String, _ element: (inout ConfigurationText) throws(Mistake) -> Void
  ) throws(Mistake) {
    let start = self
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { throw mistake("there are too many braces and brackets") }
    at += 1
    try space()
    while next != close {
      if next == nil { throw start.mistake("the \"\(start.text[start.at])\" that begins here is not closed") }
      try element(&self)
      try space()
      if next == "," {
        at += 1
        try space()
      } else if next != close, next != nil {
        throw mistake("a comma or \"\(close)\" is missing")
      }
    }
    at += 1
  }

  private mutating func member(of path: String) throws(Mistake) {
    let here = mistake("")
    guard let scalar = next else { return }
    let name = scalar == "\"" || scalar == "'" ? try quoted(by: scalar) : try word()
    if name.isEmpty { throw mistake("a key is missing before \"\(scalar)\"") }
    let full = path.isEmpty ? name : path + "." + name
    if let line = lines[full] {
      throw Mistake(line: here.line, column: here.column, message: "\(full) was said before, in line \(line)")
    }
    lines[full] = here.line
    try space()
    guard next == ":" else { throw mistake("a colon is missing after \(name)") }
    at += 1
    try value(path: full)
  }

  private mutating func quoted(by quote: Unicode.Scalar) throws(Mistake) -> String {
    let start = self
    var found = String.UnicodeScalarView()
    at += 1
    while let scalar = next, scalar != quote {
      if scalar == "\n" { break }
      if scalar == "\\" { at += 1 }
      if let scalar = next { found.append(scalar) }
      at += 1
    }
    if next != quote { throw start.mistake("the text that begins here has no closing quote") }
    at += 1
    return String(found)
  }

  /// A word without quotes: a key, a number, true, false or null.
  private mutating func word() throws(Mistake) -> String {
    let start = at
    while let scalar = next, scalar.properties.isAlphabetic || "0123456789_$+-.".unicodeScalars.contains(scalar) {
      at += 1
    }
    return String(String.UnicodeScalarView(text[start..<at]))
  }
}
