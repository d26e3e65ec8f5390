/// Finds what source text declares: what has a keyword before its name, and in the languages of C's family, where functions have none,
/// what has parameters and a body behind it.
enum Declarations {
  /// What a name stands for.
  enum Kind: Equatable, Sendable { case type, function, value }

  /// Whether a file holds source text, by its ending.
  static func isSource(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: "."), !path.contains(".min.") else { return false }
    return endings.contains(String(path[path.index(after: dot)...]).lowercased())
  }

  /// The declared names of a file, as often as they are declared.
  static func names(in text: [UInt8], of path: String) -> [(String, Kind)] {
    let findsBodies = path.split(separator: ".").last.map { withoutKeyword.contains($0.lowercased()) } ?? false
    var names: [(String, Kind)] = []
    // A few mebibytes are read at the start of a session, so words are looked at as bytes where they lie.
    text.withUnsafeBufferPointer { text in
      var keyword: Kind?
      var index = 0
      while index < text.count {
        let byte = text[index]
        guard isLetter(byte) else {
          // "func (list *List) Append(": Go puts what a method is of between them.
          if keyword == .function, byte == UInt8(ascii: "("), let end = parenthesised(text, from: index) {
            index = end
            continue
          }
          // A name stands behind its keyword and blanks, on the same line.
          if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "*") { keyword = nil }
          index += 1
          continue
        }
        var end = index
        while end < text.count, isLetter(text[end]) || text[end].isDigit { end += 1 }
        let word = UnsafeBufferPointer(rebasing: text[index..<end])
        var kind = keyword
        keyword = Self.keyword(word)
        if findsBodies, kind == nil, keyword == nil, hasBody(text, behind: end), !isControl(word) { kind = .function }
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

  /// Behind the parenthesis that closes the one at this place; nil if that is too far away.
  private static func parenthesised(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var depth = 0
    for index in start..<min(text.count, start + 1_000) {
      switch text[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }

  /// Whether parameters and a body follow: "(int count) {", "(id: string): Promise<User> {", "() throws IOException {".
  private static func hasBody(_ text: UnsafeBufferPointer<UInt8>, behind end: Int) -> Bool {
    guard end < text.count, text[end] == UInt8(ascii: "("), let start = parenthesised(text, from: end) else {
      return false
    }
    let between = text[start..<min(text.count, start + 120)].prefix { byte in
      isLetter(byte) || byte.isDigit || " \t\r\n.,:<>[]|&*?".utf8.contains(byte)
    }
    return between.endIndex < text.count && text[between.endIndex] == UInt8(ascii: "{")
  }

  private static func isControl(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    controls.contains { word.elementsEqual($0) }
  }

  /// What has parentheses and a body, and declares nothing.
  private static let controls = [
    "if", "for", "while", "switch", "catch", "with", "foreach", "using", "lock", "synchronized",
  ].map {
    Array($0.utf8)
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

  /// Endings of languages in which a function or a method has no keyword.
  private static let withoutKeyword: Set<String> = [
    "js", "ts", "jsx", "tsx", "mjs", "java", "cs", "c", "h", "cc", "cpp", "hpp", "dart", "vue", "svelte",
  ]

  private static let endings: Set<String> = [
    "swift", "py", "js", "ts", "jsx", "tsx", "mjs", "rs", "go", "java", "kt", "kts", "scala", "rb", "php", "cs", "c",
    "h",
    "cc", "cpp", "hpp", "m", "mm", "dart", "lua", "ex", "exs", "hs", "ml", "zig", "vue", "svelte", "proto", "sh",
  ]
}
