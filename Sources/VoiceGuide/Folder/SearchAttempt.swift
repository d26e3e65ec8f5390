import VoiceSystem

/// A line that was found.
struct SearchPlace: Equatable, Sendable {
  var path: String
  /// Counts from 1.
  var line: Int
  var text: String
}

/// One way to look for what was said; if it finds nothing, the next one is tried.
struct SearchAttempt: Sendable {
  /// What is looked for, as it is spoken.
  var spoken: String
  var focus: SearchQuery.Focus
  /// A line fits if it holds all words of one alternative; lower case.
  private var alternatives: [[[UInt8]]]

  private init(_ words: [String], focus: SearchQuery.Focus, joined: Bool) {
    spoken = words.joined(separator: " ")
    self.focus = focus
    let bytes = { (text: String) in [UInt8](text.lowercased().utf8) }
    // One name can be written in several ways: "dark mode" is darkMode, dark_mode and dark-mode.
    alternatives = joined ? [" ", "", "_", "-"].map { [bytes(words.joined(separator: $0))] } : [words.map(bytes)]
  }

  private static let adjectives: Set<String> = [
    "deprecated", "old", "new", "main", "same", "current", "existing", "obsolete", "public", "private", "static",
    "legacy",
  ]

  /// From the strictest to the loosest.
  static func all(for query: SearchQuery) -> [SearchAttempt] {
    var attempts: [SearchAttempt] = []
    var focuses = [query.focus]
    if query.focus != .mentions { focuses.append(.mentions) }
    let core = query.words.filter { !adjectives.contains($0) }
    for words in core.isEmpty || core == query.words ? [query.words] : [query.words, core] {
      for focus in focuses { attempts.append(SearchAttempt(words, focus: focus, joined: true)) }
      if words.count > 1 { attempts.append(SearchAttempt(words, focus: .mentions, joined: false)) }
    }
    return attempts
  }

  /// The lines of a file that fit.
  func places(in bytes: [UInt8], of path: String) -> [SearchPlace] {
    // Only ASCII letters are folded: the positions stay the same.
    let lower = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    var found: [Int: SearchPlace] = [:]
    for words in alternatives {
      guard let first = words.first, !first.isEmpty else { continue }
      var start = 0
      var line = 1
      var counted = 0
      while let hit = Self.find(first, in: lower, from: start) {
        for byte in lower[counted..<hit] where byte == 0x0A { line += 1 }
        counted = hit
        let begin = lower[..<hit].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = lower[hit...].firstIndex(of: 0x0A) ?? lower.count
        let text = String(decoding: bytes[begin..<min(end, begin + 2_000)], as: UTF8.self)
        let fits = words.allSatisfy { Self.find($0, in: Array(lower[begin..<end]), from: 0) != nil }
        if fits, focus == .mentions || isFocus(text.lowercased(), String(decoding: first, as: UTF8.self), path) {
          found[line] = SearchPlace(path: path, line: line, text: text)
        }
        start = end
      }
    }
    return found.values.sorted { $0.line < $1.line }
  }

  private static let declaring = [
    "func ", "def ", "function ", "fn ", "class ", "struct ", "enum ", "protocol ", "type ", "interface ", "trait ",
    "let ",
    "var ", "const ", "case ", "void ", "actor ",
  ]

  /// Languages in which a call may have a block and no parentheses.
  private static let withBlocks: Set<String> = ["Swift", "Kotlin", "Ruby"]

  private func isFocus(_ line: String, _ name: String, _ path: String) -> Bool {
    // "struct plan" declares no "planet".
    let declares = Self.declaring.contains { sign in
      line.ranges(of: sign + name).contains { range in
        let next = line[range.upperBound...].first
        return next.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
      }
    }
    let takesBlocks = Self.withBlocks.contains(Language.of(path)?.name ?? "")
    return switch focus {
    case .mentions: true
    case .calls: !declares && (line.contains(name + "(") || (takesBlocks && line.contains(name + " {")))
    case .declarations: declares
    }
  }

  /// Where the word begins, at or after `start`.
  private static func find(_ word: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    guard text.count - start >= word.count, let first = word.first else { return nil }
    return text.withUnsafeBytes { text in
      word.withUnsafeBytes { word -> Int? in
        guard let base = text.baseAddress, let sought = word.baseAddress else { return nil }
        var at = start
        while at + word.count <= text.count, let hit = memchr(base + at, Int32(first), text.count - word.count - at + 1)
        {
          let offset = UnsafeRawPointer(hit) - base
          if memcmp(hit, sought, word.count) == 0 { return offset }
          at = offset + 1
        }
        return nil
      }
    }
  }
}
