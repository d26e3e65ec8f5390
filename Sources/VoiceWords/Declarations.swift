/// Finds what source text declares, in any language that puts a keyword before the name.
enum Declarations {
  enum Kind: Equatable, Sendable { case type, function, value }

  /// Whether a file holds source text, by its ending.
  static func isSource(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: "."), !path.contains(".min.") else { return false }
    return endings.contains(String(path[path.index(after: dot)...]).lowercased())
  }

  /// The declared names, as often as they are declared.
  static func names(in text: [UInt8]) -> [(String, Kind)] {
    var names: [(String, Kind)] = []
    var keyword: Kind?
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard isLetter(byte) else {
        // A name stands behind its keyword and blanks, on the same line.
        if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "*") { keyword = nil }
        index += 1
        continue
      }
      var end = index
      while end < text.count, isLetter(text[end]) || isDigit(text[end]) { end += 1 }
      let word = text[index..<end]
      if let kind = keyword {
        keyword = keywords[Array(word)]
        if keyword == nil, end - index > 2 {
          let name = String(decoding: word, as: UTF8.self)
          if isTelling(name, kind) { names.append((name, kind)) }
        }
      } else {
        keyword = end - index < 10 ? keywords[Array(word)] : nil
      }
      index = end
    }
    return names
  }

  /// Whether a name says more than the word that it is made of.
  private static func isTelling(_ name: String, _ kind: Kind) -> Bool {
    let isJoined = name.dropFirst().contains { $0.isUppercase || $0 == "_" }
    return switch kind {
    case .type: name.first?.isUppercase == true || isJoined
    case .function: isJoined || name.count > 4
    case .value: isJoined && name.count > 5
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private static let keywords: [[UInt8]: Kind] = {
    var keywords: [[UInt8]: Kind] = [:]
    for (kind, words) in [
      (
        Kind.type,
        "class struct enum protocol actor interface trait type typealias record module namespace union object"
      ),
      (.function, "func function fn def fun sub macro"), (.value, "let var const val static case"),
    ] {
      for word in words.split(separator: " ") { keywords[Array(word.utf8)] = kind }
    }
    return keywords
  }()

  private static let endings: Set<String> = [
    "swift", "py", "js", "ts", "jsx", "tsx", "mjs", "rs", "go", "java", "kt", "kts", "scala", "rb", "php", "cs", "c",
    "h",
    "cc", "cpp", "hpp", "m", "mm", "dart", "lua", "ex", "exs", "hs", "ml", "zig", "vue", "svelte", "proto", "sh",
  ]
}
