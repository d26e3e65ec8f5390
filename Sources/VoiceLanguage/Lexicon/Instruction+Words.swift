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

  /// What the agent is told before the text of a spoken instruction, and the text; for a protocol that has a place of its
  /// own for remarks.
  ///
  /// - Parameter introduction: says that instructions come by voice; nil for an agent that is not to be told.
  package func introduced(by introduction: String?) -> String {
    // What is put before one of the agent's own commands would make plain words of it.
    guard source == .voice, !text.hasPrefix("/"), let introduction else { return text }
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
