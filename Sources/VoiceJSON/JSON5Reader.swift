/// Reads JSON5 (json5.org) as people write it in a configuration or a fixture, and knows the line and column of everything in it.
package struct JSON5Reader {
  /// Where something stands; both count from 1.
  package struct Place: Equatable, Sendable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package var description: String { "line \(line), column \(column)" }
  }

  /// A value of the format; what it is made of has places of its own.
  package indirect enum Value: Equatable, Sendable {
    /// What is neither a list nor an object.
    case scalar(JSON)
    case list([Node])
    case object([Member])
  }

  /// A value and the place where it begins.
  package struct Node: Equatable, Sendable {
    package var value: Value
    package var place: Place

    /// The value without its places.
    package var json: JSON {
      switch value {
      case .scalar(let json): json
      case .list(let nodes): .array(nodes.map(\.json))
      case .object(let members): .object(Dictionary(members.map { ($0.name, $0.node.json) }) { $1 })
      }
    }
  }

  /// A member of an object, in the order of the file.
  package struct Member: Equatable, Sendable {
    package var name: String
    package var place: Place
    package var node: Node
  }

  /// What is wrong, as a clause for people, and where.
  package struct Failure: Error, Equatable {
    package var place: Place
    package var reason: String
  }

  /// Deeper than any file of a person; what goes deeper would end the stack.
  private static let deepest = 100

  private let characters: [Character]
  private var index = 0
  private var place = Place(line: 1, column: 1)

  /// One by one: what combines with a quotation mark does not change it.
  private init(_ text: String) {
    characters = text.replacing("\r\n", with: "\n").unicodeScalars.map(Character.init)
  }

  /// The value that a text holds; nil if there is nothing in it but blanks and comments.
  package static func read(_ text: String) throws(Failure) -> Node? {
    var reader = JSON5Reader(text)
    try reader.skipBlanks()
    guard reader.next != nil else { return nil }
    let node = try reader.node(depth: 0)
    try reader.skipBlanks()
    if let next = reader.next {
      throw reader.failure("there is \(name(next)) after the end")
    }
    return node
  }

  // MARK: Characters

  private var next: Character? { index < characters.count ? characters[index] : nil }

  private mutating func advance() {
    guard let character = next else { return }
    index += 1
    if character.isNewline {
      place = Place(line: place.line + 1, column: 1)
    } else {
      place.column += 1
    }
  }

  /// Take the character if it is next.
  private mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    advance()
    return true
  }

  private func starts(with text: String) -> Bool { characters[index...].starts(with: text) }

  private mutating func skipBlanks() throws(Failure) {
    while let character = next {
      if character.isWhitespace || character == "\u{FEFF}" {
        advance()
      } else if starts(with: "//") {
        while let character = next, !character.isNewline { advance() }
      } else if starts(with: "/*") {
        let start = place
        advance()
        advance()
        while next != nil, !starts(with: "*/") { advance() }
        guard next != nil else { throw Failure(place: start, reason: "the comment that begins here has no end (*/)") }
        advance()
        advance()
      } else {
        return
      }
    }
  }

  private func failure(_ reason: String) -> Failure { Failure(place: place, reason: reason) }

  private static func name(_ character: Character) -> String {
    let scalar = character.unicodeScalars.first?.value ?? 0
    guard scalar < 0x20 || scalar == 0x7F else { return "“\(character)”" }
    return character.isNewline ? "the end of the line" : "a control character"
  }

  private func unexpected(_ wanted: String) -> Failure {
    let found = next.map { "there is \(Self.name($0))" } ?? "the file ends"
    return failure("\(found) where \(wanted) is expected")
  }

  // MARK: Values

  private mutating func node(depth: Int) throws(Failure) -> Node {
    guard depth < Self.deepest else { throw failure("this is nested too deeply") }
    let start = place
    switch next {
    case "{": return Node(value: .object(try object(depth)), place: start)
    case "[": return Node(value: .list(try list(depth)), place: start)
    case "\"", "'": return Node(value: .scalar(.string(try text())), place: start)
    case let character? where Self.isOfWord(character): return Node(value: .scalar(try word()), place: start)
    default: throw unexpected("a value")
    }
  }

  private mutating func object(_ depth: Int) throws(Failure) -> [Member] {
    var members: [Member] = []
    try items(until: "}") { (reader) throws(Failure) in
      let place = reader.place
      let name = try reader.key()
      try reader.skipBlanks()
      guard reader.take(":") else { throw reader.unexpected("a “:” behind “\(name)”") }
      try reader.skipBlanks()
      members.append(Member(name: name, place: place, node: try reader.node(depth: depth + 1)))
    }
    return members
  }

  private mutating func list(_ depth: Int) throws(Failure) -> [Node] {
    var nodes: [Node] = []
    try items(until: "]") { (reader) throws(Failure) in nodes.append(try reader.node(depth: depth + 1)) }
    return nodes
  }

  /// What stands in brackets, with commas between, and one behind the last or not.
  private mutating func items(
    until end: Character, _ read: (inout JSON5Reader) throws(Failure) -> Void
  ) throws(Failure) {
    let (start, opening) = (place, end == "}" ? "{" : "[")
    advance()
    while true {
      try skipBlanks()
      if take(end) { return }
      guard next != nil else { throw Failure(place: start, reason: "the “\(opening)” here is never closed") }
      try read(&self)
      try skipBlanks()
      if !take(","), next != nil, next != end { throw unexpected("a comma or “\(end)”") }
    }
  }

  private mutating func key() throws(Failure) -> String {
    if next == "\"" || next == "'" { return try text() }
    var name = ""
    while let character = next, character.isLetter || character.isNumber || "_$".contains(character) {
      name.append(character)
      advance()
    }
    guard !name.isEmpty else { throw unexpected("a key") }
    return name
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+-._".contains(character))
  }

  /// true, false, null, or a number.
  private mutating func word() throws(Failure) -> JSON {
    let start = place
    var word = ""
    while let character = next, Self.isOfWord(character) {
      word.append(character)
      advance()
    }
    switch word {
    case "true": return true
    case "false": return false
    case "null": return .null
    default: break
    }
    let isNegative = word.hasPrefix("-")
    let digits = word.first.map { "+-".contains($0) } == true ? String(word.dropFirst()) : word
    // One sign, or the greatest number below zero would be taken for its opposite, which there is not.
    guard !digits.hasPrefix("-"), !digits.hasPrefix("+") else {
      throw Failure(place: start, reason: "“\(word)” is not a value; text needs quotes")
    }
    if digits.lowercased().hasPrefix("0x"), digits.dropFirst(2).first?.isHexDigit == true,
      let number = Int(digits.dropFirst(2), radix: 16)
    {
      return .integer(isNegative ? -number : number)
    }
    if digits.first?.isNumber == true, let number = Int(digits) { return .integer(isNegative ? -number : number) }
    guard let number = Double(digits) else {
      throw Failure(place: start, reason: "“\(word)” is not a value; text needs quotes")
    }
    // 1e3 and 5.0 are whole numbers as well.
    guard let whole = Int(exactly: number) else { return .number(isNegative ? -number : number) }
    return .integer(isNegative ? -whole : whole)
  }

  private mutating func text() throws(Failure) -> String {
    let start = place
    let quote = next
    advance()
    var text = ""
    while let character = next {
      if character == quote {
        advance()
        return text
      }
      if character.isNewline { break }
      advance()
      if character == "\\" { try escape(into: &text) } else { text.append(character) }
    }
    throw Failure(place: start, reason: "the text that begins here has no closing quote")
  }

  /// What stands behind a backslash.
  private mutating func escape(into text: inout String) throws(Failure) {
    guard let character = next else { return }
    let start = place
    advance()
    switch character {
    case "n": text.append("\n")
    case "t": text.append("\t")
    case "r": text.append("\r")
    case "b": text.append("\u{8}")
    case "f": text.append("\u{C}")
    case "v": text.append("\u{B}")
    case "0": text.append("\0")
    case "x": text.unicodeScalars.append(try scalar(digits: 2, start))
    case "u": text.unicodeScalars.append(try scalar(digits: 4, start))
    case _ where character.isNewline: break  // The text goes on in the next line.
    default: text.append(character)
    }
  }

  private mutating func scalar(digits count: Int, _ start: Place) throws(Failure) -> Unicode.Scalar {
    var value = try hexadecimal(digits: count, start)
    // The second half of a pair comes as an escape of its own.
    if (0xD800..<0xDC00).contains(value), starts(with: "\\u") {
      advance()
      advance()
      let low = try hexadecimal(digits: 4, start)
      guard (0xDC00..<0xE000).contains(low) else { throw Failure(place: start, reason: "this is not a character") }
      value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw Failure(place: start, reason: "this is not a character") }
    return scalar
  }

  private mutating func hexadecimal(digits count: Int, _ start: Place) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = next?.hexDigitValue else {
        throw Failure(place: start, reason: "this needs \(count) hexadecimal digits")
      }
      value = (value << 4) + UInt32(digit)
      advance()
    }
    return value
  }
}
