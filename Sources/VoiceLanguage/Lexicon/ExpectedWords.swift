import VoiceVocabulary

/// A word, or a few, that a recogniser should expect.
package struct ExpectedWord: Hashable, Sendable {
  /// As it is to be written.
  package let written: String
  /// What a recogniser makes of it that does not know it: lower case, single blanks. It is written as it should be instead,
  /// so it must be nothing that anybody says.
  package let heard: [String]

  package init(_ written: String, heard: [String] = []) {
    self.written = written
    self.heard = heard
  }
}

/// All that a recogniser should expect: words of the trade, the names of the project, and what the user added.
///
/// A recogniser that searches leans towards `phrases`; whatever it heard goes through `rewritten`.
package struct ExpectedWords: Equatable, Sendable {
  /// What a recogniser may write, and should rather write than what sounds like it.
  package let phrases: [String]
  /// What is heard, by its first word; the longest first.
  private let rewritings: [String: [Rewriting]]

  private struct Rewriting: Equatable, Sendable {
    let heard: [String]
    let written: String
  }

  /// - Parameter names: of the project, as they are written, the most telling first.
  package init(_ words: [ExpectedWord] = [], names: [String] = []) {
    var phrases: [String] = []
    for word in words {
      phrases += Self.cases(of: word.written)
      for heard in word.heard { phrases += Self.cases(of: heard) }
    }
    for name in names { phrases += Self.forms(of: name) }
    var seen: Set<String> = []
    self.phrases = phrases.filter { seen.insert($0).inserted }
    let all = words.flatMap { word in
      word.heard.map { Rewriting(heard: $0.split(separator: " ").map(String.init), written: word.written) }
    }.filter { !$0.heard.isEmpty }
    rewritings = Dictionary(grouping: all) { $0.heard[0] }
      .mapValues { $0.sorted { $0.heard.count > $1.heard.count } }
  }

  /// As it is written, in small letters, and at the beginning of a sentence.
  private static func cases(of written: String) -> [String] {
    [written, written.lowercased(), written.capitalised]
  }

  /// How a recogniser may write a name of the project: as it is, or in its words. A name that is one ordinary word needs no
  /// help, and one of more than six words is not said.
  private static func forms(of name: String) -> [String] {
    guard let entry = Lexicon.Entry(name), entry.words.count <= 6 else { return [] }
    let words = entry.words
    guard words.count > 1 else { return OrdinaryWords.contains(name) ? [] : cases(of: name) }
    let spoken = words.joined(separator: " ")
    let titled = words.map { $0.capitalised }.joined(separator: " ")
    var forms = [name, spoken, spoken.capitalised, titled]
    if words.contains("dot") { forms.append(spoken.replacing(" dot ", with: ".")) }
    return forms
  }

  /// The text with what was heard for a word written as the word; as it was heard where that would decide about what is held, and the
  /// words themselves do not.
  package func rewritten(_ text: String) -> String {
    guard !rewritings.isEmpty else { return text }
    let result = replaced(in: text)
    guard result != text, let decision = SpokenDecision(utterance: result) else { return result }
    let heard = SpokenDecision(utterance: text)
    if case .amend = decision, case .amend = heard { return result }
    return decision == heard ? result : text
  }

  private func replaced(in text: String) -> String {
    let tokens = text.split(separator: " ", omittingEmptySubsequences: false).map { HeardToken($0) }
    var parts: [String] = []
    var index = 0
    while index < tokens.count {
      if let rewriting = rewritings[tokens[index].word]?.first(where: { matches($0, tokens[index...]) }) {
        let end = index + rewriting.heard.count
        let capital = index == 0 && rewriting.written.allSatisfy(\.isLowercase)
        let written =
          capital ? rewriting.written.capitalised : rewriting.written
        parts.append(tokens[index].opening + written + tokens[end - 1].suffix)
        index = end
      } else {
        parts.append(tokens[index].whole)
        index += 1
      }
    }
    return parts.joined(separator: " ")
  }

  /// Whether these words are the heard ones, with nothing between them.
  private func matches(_ rewriting: Rewriting, _ tokens: ArraySlice<HeardToken>) -> Bool {
    guard tokens.count >= rewriting.heard.count else { return false }
    let window = tokens.prefix(rewriting.heard.count)
    return zip(window, rewriting.heard).allSatisfy { $0.word == $1 }
      && window.dropLast().allSatisfy { $0.ending.isEmpty } && window.dropFirst().allSatisfy { $0.opening.isEmpty }
  }
}
