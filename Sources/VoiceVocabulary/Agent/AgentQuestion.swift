/// The agent wants to know something before it goes on. One question at a time: a back end that gets several together
/// asks them one after the other and answers when all are answered.
package struct AgentQuestion: Equatable, Sendable, Codable {
  /// How many of the options an answer may hold.
  package enum Selection: String, Sendable, Codable { case one, several }

  /// One answer to choose.
  package struct Option: Equatable, Sendable, Codable {
    /// A few words.
    package var label: String
    /// What choosing it means; empty if the agent does not say.
    package var explanation: String

    package init(label: String, explanation: String = "") {
      self.label = label
      self.explanation = explanation
    }
  }

  package var id: QuestionID
  /// The question, as one or more sentences.
  package var text: String
  /// Empty if any words may answer.
  package var options: [Option]
  package var selection: Selection

  package init(id: QuestionID, text: String, options: [Option] = [], selection: Selection = .one) {
    self.id = id
    self.text = text
    self.options = options
    self.selection = selection
  }

  /// What is wrong with an answer to this question; nil if nothing is.
  package func refusal(of answer: Answer) -> String? {
    switch answer {
    case .options(let indices):
      guard !options.isEmpty else { return "This question has no options; answer it in words." }
      guard !indices.isEmpty, indices.allSatisfy(options.indices.contains) else {
        return "This question has the options 1 to \(options.count)."
      }
      return selection == .one && indices.count > 1 ? "This question takes one option." : nil
    case .text(let text): return text.trimmingWhitespace().isEmpty ? "An answer needs words." : nil
    case .declined: return nil
    }
  }

  /// The words of an answer: the labels of the chosen options, or what was said; nil if it was declined.
  package func words(of answer: Answer) -> String? {
    switch answer {
    case .options(let indices): indices.map { options[$0].label }.joined(separator: ", ")
    case .text(let text): text
    case .declined: nil
    }
  }

  /// What the user answered.
  package enum Answer: Equatable, Sendable, Codable {
    /// These options, by their index from 0.
    case options(indices: [Int])
    /// The user's own words.
    case text(text: String)
    /// The user does not want to answer.
    case declined
  }
}
