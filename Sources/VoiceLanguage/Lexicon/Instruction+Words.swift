package import VoiceVocabulary

extension Instruction {
  /// The text with a mark behind every word that is not certain, for the screen.
  package var markedText: String {
    var marked = ""
    var rest = text[...]
    for note in repair?.notes ?? [] {
      let (words, mark): (String, String)
      switch note {
      case .repaired: continue
      case .guessed(let heard, let written): (words, mark) = (written, "heard “\(heard)”")
      case .doubtful(let heard, let perhaps): (words, mark) = (heard, "\(perhaps)?")
      }
      guard let range = rest.firstRange(of: words) else { continue }
      marked += rest[..<range.upperBound] + " [\(mark)]"
      rest = rest[range.upperBound...]
    }
    return marked + rest
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
    guard source == .voice, !isCommand, let introduction else { return text }
    let doubts = (repair?.notes ?? []).compactMap { note -> String? in
      switch note {
      case .repaired: nil
      case .guessed(let heard, let written): "“\(written)” was heard as “\(heard)”."
      case .doubtful(let heard, let perhaps): "“\(heard)” may mean “\(perhaps)”."
      }
    }
    return ([introduction] + doubts).joined(separator: " ") + "\n\n" + text
  }
}
