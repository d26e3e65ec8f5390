/// Finds what source text declares, in any language that puts a keyword before the name.
enum Declarations {
  /// What a name stands for.
  enum Kind: Equatable, Sendable { case type, function, value }

  /// Whether a file holds source text, by its ending.
  static func isSource(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: "."), !path.contains(".min.") else { return false }
    return endings.contains(String(path[path.index(after: dot)...]).lowercased())
  }

  /// The declared names, as often as they are declared.
  static func names(in text: [UInt8]) -> [(String, Kind)] {
    var names: [(String, Kind)] = []
    // A few mebibytes are read at the start of a session, so words are looked at as bytes where they lie.
    text.withUnsafeBufferPointer { text in
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
        while end < text.count, isLetter(text[end]) || text[end].isDigit { end += 1 }
        let word = UnsafeBufferPointer(rebasing: text[index..<end])
        let kind = keyword
        keyword = Self.keyword(word)
        if let kind, keyword == nil, word.count > 2, isDescriptive(word, kind) {
          names.append((String(decoding: word, as: UTF8.self), kind))
        }
        index = end
      }
    }
    return names
  }

  /// Whether a name says more than the word that it is made of.
  private static func isDescriptive(_ name: UnsafeBufferPointer<UInt8>, _ kind: Kind) -> Bool {
    let isJoined = name.dropFirst().contains { $0.isCapital || $0 == UInt8(ascii: "_") }
    return switch kind {
    case .type: name[0].isCapital || isJoined
    case .function: isJoined || name.count > 4
    case .value: isJoined && name.count > 5
    }
  }

  /// What a name is written with, but for digits.
  private static func isLetter(_ byte: UInt8) -> Bool { byte.isLetter || byte == UInt8(ascii: "_") }

  private static func keyword(_ word: UnsafeBufferPointer<UInt8>) -> Kind? {
    guard word.count < keywords.count else { return nil }
    return keywords[word.count].first { word.elementsEqual($0.word) }?.kind
  }

  /// By their lengths.
  private static let keywords: [[(word: [UInt8], kind: Kind)]] = {
    var keywords: [[(word: [UInt8], kind: Kind)]] = Array(repeating: [], count: 10)
    for (kind, words) in [
      (
        Kind.type,
        "class struct enum protocol actor interface trait type typealias record module namespace union object"
      ),
      (.function, "func function fn def fun sub macro"), (.value, "let var const val static case"),
    ] {
      for word in words.split(separator: " ") { keywords[word.utf8.count].append((Array(word.utf8), kind)) }
    }
    return keywords
  }()

  private static let endings: Set<String> = [
    "swift", "py", "js", "ts", "jsx", "tsx", "mjs", "rs", "go", "java", "kt", "kts", "scala", "rb", "php", "cs", "c",
    "h",
    "cc", "cpp", "hpp", "m", "mm", "dart", "lua", "ex", "exs", "hs", "ml", "zig", "vue", "svelte", "proto", "sh",
  ]
}
