import VoiceVocabulary

/// What a file is about, read off its text without understanding it.
struct Outline: Equatable, Sendable {
  /// The first heading, in prose.
  var title: String?
  /// The first paragraph of prose, or the comment that code begins with.
  var opening: String?
  /// Types and functions that code declares, in order.
  var types: [String] = []
  var functions: [String] = []

  /// Of prose, such as a readme.
  init(prose text: String) {
    var paragraph: [String] = []
    var isFenced = false
    for line in text.lines {
      let line = line.trimmingWhitespace()
      if line.hasPrefix("```") || line.hasPrefix("~~~") { isFenced.toggle() }
      if isFenced || line.hasPrefix("```") || line.hasPrefix("~~~") { continue }
      if line.hasPrefix("#") {
        if !paragraph.isEmpty { break }
        let heading = line.drop { $0 == "#" }.trimmingWhitespace()
        if title == nil, !heading.isEmpty { title = heading }
      } else if line.isEmpty || line.allSatisfy({ "=-*_".contains($0) }) {
        if !paragraph.isEmpty { break }
      } else if isProse(line) {
        paragraph.append(line)
        // More than is ever read out.
        if paragraph.count >= 100 { break }
      }
    }
    if !paragraph.isEmpty { opening = paragraph.joined(separator: " ") }
  }

  /// Of code in one of the usual languages.
  init(code text: String) {
    var comment: [String] = []
    var isInComment = true
    for line in text.lines {
      let line = line.trimmingWhitespace()
      if isInComment {
        if line.hasPrefix("#!") || line.hasPrefix("// swift-tools-version") { continue }
        if let words = commentWords(line) {
          if !words.isEmpty { comment.append(words) }
          continue
        }
        // An import may stand before the comment that matters.
        if line.isEmpty || line.hasPrefix("import ") || line.hasPrefix("#") { if comment.isEmpty { continue } }
        isInComment = false
      }
      declare(line)
    }
    if !comment.isEmpty { opening = comment.joined(separator: " ") }
  }

  private mutating func declare(_ line: String) {
    let words = line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
    let modifiers: Set<Substring> = [
      "public", "package", "private", "fileprivate", "internal", "open", "static", "final", "export", "default",
      "async",
      "pub", "indirect", "mutating", "override", "abstract", "nonisolated", "main",
    ]
    guard let index = words.firstIndex(where: { !modifiers.contains($0) }), index + 1 < words.count else { return }
    let name = String(words[index + 1])
    switch words[index] {
    case "struct", "class", "enum", "protocol", "actor", "interface", "trait", "type": types.append(name)
    case "func", "def", "function", "fn": functions.append(name)
    default: break
    }
  }

  /// The words of a comment line; nil if it is none.
  private func commentWords(_ line: String) -> String? {
    for sign in ["///", "//!", "//", "/**", "/*", "*/", "\"\"\"", "--"] where line.hasPrefix(sign) {
      return line.dropFirst(sign.count).filter { $0 != "=" }.trimmingWhitespace()
    }
    if line.hasPrefix("# ") { return line.dropFirst(2).trimmingWhitespace() }
    return line.hasPrefix("* ") ? line.dropFirst(2).trimmingWhitespace() : nil
  }

  /// Not a badge, a tag, a table or a lone link.
  private func isProse(_ line: String) -> Bool {
    !line.hasPrefix("[![") && !line.hasPrefix("![") && !line.hasPrefix("<") && !line.hasPrefix("|")
      && line.contains(where: \.isLetter)
  }
}
