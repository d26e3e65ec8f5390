package import VoiceVocabulary

extension Instruction {
  /// The text with a mark behind every word that is not certain, for the screen.
  package var markedText: String {
    let tokens = self.tokens
    var marked = tokens.map(\.whole)
    for (note, place) in places(in: tokens) {
      let token = tokens[place]
      let (written, mark): (String, String)
      switch note {
      case .repaired: continue
      case .guessed(let heard, let name): (written, mark) = (name, "heard “\(heard)”")
      case .doubtful(let heard, let perhaps): (written, mark) = (heard, "\(perhaps)?")
      case .unsure(let heard, _): (written, mark) = (heard, "?")
      }
      // Signs behind the word stay behind the mark, unless they are part of a name.
      let ending = Self.words(written).last?.ending ?? ""
      let behind = token.ending.hasPrefix(ending) ? token.ending.dropFirst(ending.count) : token.ending[...]
      marked[place] = "\(token.whole.dropLast(behind.count)) [\(mark)]\(behind)"
    }
    return marked.joined(separator: " ")
  }

  private static func words(_ text: String) -> [HeardToken] {
    text.split(separator: " ", omittingEmptySubsequences: false).map { HeardToken($0) }
  }

  private var tokens: [HeardToken] { Self.words(text) }

  /// Where the words that notes are about stand, the last word of each, in order. What was changed since has no place.
  private func places(in tokens: [HeardToken]) -> [(note: WordNote, place: Int)] {
    var places: [(WordNote, Int)] = []
    var start = 0
    for note in repair?.notes ?? [] {
      let (written, first): (String, Int)
      switch note {
      case .repaired: continue
      case .guessed(_, let name): (written, first) = (name, start)
      case .doubtful(let heard, _): (written, first) = (heard, start)
      // A name of two words before it counts as one.
      case .unsure(let heard, let place): (written, first) = (heard, max(start, place))
      }
      let words = Self.words(written)
      let place = tokens.indices.dropFirst(first).first { place in
        place + words.count <= tokens.count && zip(tokens[place...], words).allSatisfy { $0.isWord($1) }
      }
      guard let place else { continue }
      start = place + words.count
      places.append((note, start - 1))
    }
    return places
  }

  /// The text, what the agent is told of it if it was spoken, and the remark behind that.
  package func prompt(introduction: String?) -> String { introduced(by: introduction) + (bracketedRemark ?? "") }

  /// Whether it is a command of the agent's own, which is one only if it stands at the very beginning.
  /// A path has more than one part.
  private var isCommand: Bool {
    let first = text.prefix { !$0.isWhitespace }
    return first.count > 1 && first.first == "/" && !first.dropFirst().contains("/")
  }

  /// The text, and behind it what the agent is told of a spoken one; for a protocol that has a place of its own for remarks. Agents
  /// name a session after the beginning of its first instruction. A command of the agent's own stays alone, and what only looks like
  /// one does not stand first.
  ///
  /// - Parameter introduction: says that instructions come by voice; nil for an agent that is not to be told.
  package func introduced(by introduction: String?) -> String {
    guard isSpoken, !isCommand, let introduction else { return text }
    let notes = repair?.notes ?? []
    var doubts = notes.compactMap { note -> String? in
      switch note {
      case .repaired, .unsure: nil
      case .guessed(let heard, let written): "“\(written)” was heard as “\(heard)”."
      case .doubtful(let heard, let perhaps): "“\(heard)” may mean “\(perhaps)”."
      }
    }
    let tokens = self.tokens
    let places = places(in: tokens)
    let unsure = notes.compactMap { note -> String? in
      guard case .unsure(let heard, _) = note else { return nil }
      let token = places.first { $0.note == note }.map { tokens[$0.place] }
      return "“\(token.map { $0.core + $0.possessive } ?? heard)”"
    }
    if !unsure.isEmpty { doubts.append("\(unsure.joined(separator: ", ")) may have been misheard.") }
    let note = ([introduction] + doubts).joined(separator: " ")
    return text.first { !$0.isWhitespace } == "/" ? "\(note)\n\n\(text)" : "\(text)\n\n(\(note))"
  }
}

extension HeardToken {
  /// Whether it is this word, whatever stands around it.
  fileprivate func isWord(_ other: HeardToken) -> Bool {
    other.core.isEmpty ? whole == other.whole : core == other.core
  }
}
