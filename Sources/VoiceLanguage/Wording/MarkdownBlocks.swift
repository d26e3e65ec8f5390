import VoiceVocabulary

/// What a line of markdown begins with.
enum MarkdownLine: Equatable, Sendable {
  case blank
  /// A fence: its sign, its length and what stands behind it.
  case fence(sign: Character, length: Int, info: String)
  case tableRow
  case comment
  case ruler
  /// A heading, list item or quotation: the text behind the mark, with what the mark says to the ear.
  case item(text: String)
  case prose(text: String)

  init(_ raw: some StringProtocol) {
    let line = raw.trimmingWhitespace()
    guard let first = line.first else {
      self = .blank
      return
    }
    if first == "`" || first == "~" {
      let length = line.prefix { $0 == first }.count
      if length >= 3 {
        self = .fence(sign: first, length: length, info: line.dropFirst(length).trimmingWhitespace())
        return
      }
    }
    if first == "|" {
      self = .tableRow
    } else if line.hasPrefix("<!--") {
      self = .comment
    } else if line.count > 2, line.allSatisfy({ "-*_= ".contains($0) }) {
      self = .ruler
    } else if let text = Self.marked(line) {
      self = .item(text: text)
    } else {
      self = .prose(text: line)
    }
  }

  /// The text behind the mark of a heading, list item or quotation.
  private static func marked(_ line: String) -> String? {
    let marks = line.prefix { "#>-*+\u{2022} ".contains($0) }
    // The marks end in a blank; "**bold**" and "-v" are text.
    guard let blank = marks.lastIndex(of: " ") else { return numbered(line) }
    let text = String(line[line.index(after: blank)...])
    for (box, said) in [("[ ] ", "To do: "), ("[x] ", "Done: "), ("[X] ", "Done: ")] where text.hasPrefix(box) {
      return said + text.dropFirst(box.count)
    }
    return numbered(text) ?? text
  }

  /// "2. Build" is item two.
  private static func numbered(_ line: String) -> String? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let behind = line.dropFirst(digits.count)
    guard (1...3).contains(digits.count), let mark = behind.first, ".)".contains(mark), behind.dropFirst().first == " "
    else { return nil }
    let words = NumberWords.cardinal(digits: digits).joined(separator: " ")
    return words.capitalised + ": " + behind.dropFirst(2)
  }
}

/// A fenced block of code on its way: it is not read out, but said to be there.
struct CodeBlock: Equatable, Sendable {
  let sign: Character
  let length: Int
  private let info: String
  private var lines = 0
  private var added = 0
  private var removed = 0
  private var firstLine = ""

  init(sign: Character, length: Int, info: String) {
    (self.sign, self.length, self.info) = (sign, length, info)
  }

  /// Add a line; true if it is the fence that closes the block.
  mutating func add(_ line: some StringProtocol) -> Bool {
    let text = line.trimmingWhitespace()
    if text.count >= length, text.allSatisfy({ $0 == sign }) { return true }
    if !text.isEmpty {
      if firstLine.isEmpty { firstLine = text }
      lines += 1
      if line.hasPrefix("+"), !line.hasPrefix("+++") { added += 1 }
      if line.hasPrefix("-"), !line.hasPrefix("---") { removed += 1 }
    }
    return false
  }

  /// What is said instead of the block; nil for an empty one.
  var summary: String? {
    guard lines > 0 else { return nil }
    let tag = info.prefix { !" :{,=\t".contains($0) }.lowercased()
    let place = file.map { " in \($0)" } ?? ""
    if tag == "diff" || tag == "patch" {
      return "A diff that adds \(Self.count(added, "line")) and removes \(Self.count(removed, "line"))\(place)."
    }
    let isShell = Self.languages[tag] == "shell"
    if isShell || tag.isEmpty, lines == 1, firstLine.count <= 60 {
      let command = firstLine.hasPrefix("$ ") ? String(firstLine.dropFirst(2)) : firstLine
      return "\(isShell ? "The command" : "A line"): \(command)"
    }
    let size = NumberWords.cardinal(lines).joined(separator: " ") + "-line"
    let language = Self.languages[tag].map { " \($0)" } ?? (tag.allSatisfy(\.isLetter) && !tag.isEmpty ? " \(tag)" : "")
    let article = size.hasPrefix("eight") || size.hasPrefix("eleven") ? "An" : "A"
    return "\(article) \(size)\(language) block\(place)."
  }

  /// The file that the fence or a comment in its first line names.
  private var file: String? {
    let isDiff = info.hasPrefix("diff") || info.hasPrefix("patch")
    let comment = firstLine.drop { "/#-*<!;%+ ".contains($0) }
    let candidates =
      info.split { " :=\"'{},".contains($0) }.dropFirst()
      + (firstLine.first.map { "/#-*<;%+".contains($0) } ?? false ? [comment.split(separator: " ").first ?? ""] : [])
    guard let named = candidates.first(where: { SpokenNames.isFile($0) }) else { return nil }
    return isDiff && (named.hasPrefix("a/") || named.hasPrefix("b/")) ? String(named.dropFirst(2)) : String(named)
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    Counted(number, noun).spelled
  }

  private static let languages = [
    "swift": "Swift", "js": "JavaScript", "javascript": "JavaScript", "ts": "TypeScript", "typescript": "TypeScript",
    "tsx": "TypeScript", "jsx": "JavaScript", "py": "Python", "python": "Python", "sh": "shell", "bash": "shell",
    "zsh": "shell", "shell": "shell", "console": "shell", "json": "JSON", "json5": "JSON", "jsonc": "JSON",
    "jsonl": "JSON", "yaml": "YAML", "yml": "YAML", "toml": "TOML", "xml": "XML", "html": "HTML", "css": "CSS",
    "sql": "SQL", "rs": "Rust", "rust": "Rust", "go": "Go", "c": "C", "cpp": "C++", "c++": "C++", "cs": "C#",
    "csharp": "C#", "rb": "Ruby", "ruby": "Ruby", "java": "Java", "kt": "Kotlin", "kotlin": "Kotlin", "php": "PHP",
    "md": "markdown", "markdown": "markdown", "text": "text", "txt": "text", "plaintext": "text",
    "ini": "configuration",
    "dockerfile": "Docker", "makefile": "make", "objc": "Objective C", "lua": "Lua", "r": "R", "scala": "Scala",
    "mermaid": "diagram", "dot": "diagram", "log": "log", "http": "HTTP", "graphql": "GraphQL",
  ]
}

/// A table on its way: a small one is read out row by row, of a large one only its shape.
struct TableBlock: Equatable, Sendable {
  /// A table with more rows than this is only described: nobody follows it by ear.
  private static let rowsReadOut = 5
  private static let columnsReadOut = 4

  private var header: [String]?
  private var rows: [[String]] = []
  private var rowCount = 0

  /// Add a row; the line of dashes is none.
  mutating func add(_ line: some StringProtocol) {
    var cells = Self.cells(line)
    if cells.allSatisfy({ $0.allSatisfy { "-: ".contains($0) } }) { return }
    if header == nil {
      header = cells
    } else {
      rowCount += 1
      if cells.count > Self.columnsReadOut { cells = [] }
      if rows.count < Self.rowsReadOut { rows.append(cells) }
    }
  }

  /// The cells of a row; a bar behind a backslash or inside code belongs to the text.
  private static func cells(_ line: some StringProtocol) -> [String] {
    var cells = [""]
    var previous: Character = " "
    var isCode = false
    for character in line.trimmingWhitespace() {
      if character == "`" { isCode.toggle() }
      if character == "|", previous != "\\", !isCode {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      previous = character
    }
    if cells.last?.allSatisfy(\.isWhitespace) == true { cells.removeLast() }
    return cells.dropFirst().map { $0.trimmingWhitespace() }
  }

  /// What is said, sentence by sentence.
  var sentences: [String] {
    guard let header else { return [] }
    guard rowCount > 0 else { return [header.filter { !$0.isEmpty }.joined(separator: ", ") + "."] }
    guard rowCount <= Self.rowsReadOut, header.count <= Self.columnsReadOut else {
      let (rows, columns) = (Counted(rowCount, "row").spelled, Counted(header.count, "column").spelled)
      let names = header.filter { !$0.isEmpty }
      return ["A table of \(rows) and \(columns): \(names.prefix(6).joined(separator: ", "))."]
    }
    return rows.map { row in
      let values = row.enumerated().compactMap { index, cell -> String? in
        if cell.isEmpty { return nil }
        let name = index < header.count ? header[index] : ""
        return index == 0 || name.isEmpty ? cell : "\(name) \(cell)"
      }
      return (values.count > 1 ? values[0] + ": " + values.dropFirst().joined(separator: ", ") : values.joined()) + "."
    }.filter { $0 != "." }
  }
}

extension CodeBlock: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(String(sign), length, info, lines, added, removed, firstLine)
  }
}

extension TableBlock: DigestedState {
  /// The rows by their number: those before the last are not looked at again before the end.
  package func fold(into digest: inout StateDigest) {
    digest.fold(header?.joined(separator: "|"), rows.last?.joined(separator: "|"), rowCount)
  }
}
