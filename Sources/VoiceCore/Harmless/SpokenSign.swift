/// A word of a text, or a sign of paths that was said as a word.
struct SpokenSign: Equatable, Sendable {
  /// What it is.
  enum Kind: Equatable, Sendable { case slash, backslash, dot, tilde, dollar, word }

  let kind: Kind
  /// In small letters, without what encloses it; empty for a sign.
  let word: String
  /// Whether a pause was written behind it. A recogniser writes them behind signs as well, where there is none.
  let endsClause: Bool
  /// Whether it parts the names of a path.
  var isSlash: Bool { kind == .slash || kind == .backslash }

  /// Whether it is a single letter, as one is spelled.
  var isLetter: Bool { word.count == 1 && word.first?.isLetter == true }

  /// The words and signs of a text, in its order.
  static func items(of text: String) -> [SpokenSign] {
    var items: [SpokenSign] = []
    for token in text.lowercased().split(whereSeparator: \.isWhitespace) {
      var core = token.drop { "\"'([{<`\u{201C}\u{2018}\u{AB}".contains($0) }
      while let last = core.last, closing.contains(last), !core.allSatisfy({ $0 == "." }) { core.removeLast() }
      let ends = token[core.endIndex...].contains { ",;:.!?".contains($0) }
      if core.isEmpty { continue }
      // "dot-dot-slash", "dot/other"
      let parts = core.split { "-/".contains($0) }
      let isSaid = parts.count > 1 && parts.contains { signs[String($0)] != nil }
      for (index, part) in (isSaid ? parts : [core]).enumerated() {
        if isSaid, index > 0, core[..<part.startIndex].last == "/" { items.append(SpokenSign(.slash)) }
        add(String(part), endsClause: ends && (!isSaid || part.endIndex == core.endIndex), to: &items)
      }
    }
    return items
  }

  private init(_ kind: Kind, word: String = "", endsClause: Bool = false) {
    (self.kind, self.word, self.endsClause) = (kind, word, endsClause)
  }

  private static func add(_ part: String, endsClause: Bool, to items: inout [SpokenSign]) {
    let before = items.last?.word ?? ""
    if part == "slash", ["forward", "forwards", "back"].contains(before) {
      items[items.count - 1] = SpokenSign(before == "back" ? .backslash : .slash)
    } else if part == "cetera", before == "et" {
      items[items.count - 1] = SpokenSign(.word, word: "etc", endsClause: endsClause)
    } else if part == "..", !endsClause {
      items += [SpokenSign(.dot), SpokenSign(.dot)]
    } else if twoDots.contains("\(before) \(part)") {
      items[items.count - 1] = SpokenSign(.dot)
      items.append(SpokenSign(.dot))
    } else if let kind = signs[part] {
      items.append(SpokenSign(kind))
    } else {
      items.append(SpokenSign(.word, word: part, endsClause: endsClause))
    }
  }

  private static let closing = ".,;:!?\"')]}>`\u{201D}\u{2019}\u{BB}\u{2026}"

  private static let twoDots: Set<String> = [
    "double dot", "double dots", "double period", "period period", "point point", "two dots", "two periods",
  ]

  private static let signs: [String: Kind] = [
    "slash": .slash, "backslash": .backslash, "dot": .dot, "tilde": .tilde, "~": .tilde, "dollar": .dollar,
    "$": .dollar,
    "/": .slash,
  ]
}
