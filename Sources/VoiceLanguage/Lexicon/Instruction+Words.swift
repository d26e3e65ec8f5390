package import VoiceVocabulary

extension Instruction {
  /// The text with a mark behind every word that is not certain, for the screen.
  package var markedText: String {
    var marked = ""
    var rest = text[...]
    for note in repair?.notes ?? [] {
      let (words, mark, start): (String, String, String.Index)
      switch note {
      case .repaired: continue
      case .guessed(let heard, let written): (words, mark, start) = (written, "heard “\(heard)”", rest.startIndex)
      case .doubtful(let heard, let perhaps): (words, mark, start) = (heard, "\(perhaps)?", rest.startIndex)
      case .unsure(let heard, let place): (words, mark, start) = (heard, "?", self.start(ofWord: place))
      }
      guard let range = rest[max(start, rest.startIndex)...].firstRange(of: words) else { continue }
      marked += rest[..<range.upperBound] + " [\(mark)]"
      rest = rest[range.upperBound...]
    }
    return marked + rest
  }

  /// Where one of the words begins that blanks part; the end where there are fewer.
  private func start(ofWord place: Int) -> String.Index {
    let words = text.split(separator: " ", maxSplits: place, omittingEmptySubsequences: false)
    return words.count > place ? words[place].startIndex : text.endIndex
  }

  /// What the agent is told before the text of a spoken instruction, the text, and the remark behind it.
  package func prompt(introduction: String?) -> String { introduced(by: introduction) + (bracketedRemark ?? "") }

  /// Whether it is a command of the agent's own, which is one only if it stands at the very beginning.
  /// A path has more than one part.
  private var isCommand: Bool {
    let first = text.prefix { !$0.isWhitespace }
    return first.count > 1 && first.first == "/" && !first.dropFirst().contains("/")
  }

  /// What the agent is told before the text of a spoken instruction, and the text; for a protocol that has a place of its
  /// own for remarks. A command of the agent's own stays alone.
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
    let unsure = notes.compactMap { if case .unsure(let heard, _) = $0 { "“\(heard)”" } else { nil } }
    if !unsure.isEmpty { doubts.append("\(unsure.joined(separator: ", ")) may have been misheard.") }
    return ([introduction] + doubts).joined(separator: " ") + "\n\n" + text
  }
}
