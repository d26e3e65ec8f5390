import VoiceVocabulary

/// A change to a held instruction, as it is said.
package enum SpokenAmendment: Equatable, Sendable {
  /// "Change X to Y", "replace X with Y". The words as they were said.
  case replace(old: String, new: String)
  /// "Add and Y": without such a word, "add" begins an instruction of its own, as in "add logging to the pool".
  case add(String)

  private static let joining: Set<String> = ["and", "then", "also", "but", "or", "plus"]

  /// Nil if the utterance is no such phrase.
  package init?(utterance: String) {
    var words = utterance.split(whereSeparator: \.isWhitespace).map(String.init)
    while let first = words.first, SpokenWords(first).withoutFillers.isEmpty { words.removeFirst() }
    guard words.count > 2 else { return nil }
    let plain = words.map { SpokenWords($0).words.joined() }
    let separators: [String: String] = ["change": "to", "replace": "with"]
    if plain[0] == "add", Self.joining.contains(plain[1]) {
      self = .add(Self.join(words[1...]))
    } else if let separator = separators[plain[0]],
      // The last one: "change to do to done" changes "to do".
      let place = plain.lastIndex(of: separator)
    {
      let (old, new) = (Self.withoutFillers(words[1..<place]), Self.withoutFillers(words[(place + 1)...]))
      guard !old.isEmpty, !new.isEmpty else { return nil }
      self = .replace(old: Self.join(old), new: Self.join(new))
    } else {
      return nil
    }
  }

  /// The text with this change, and all else in it as it was; nil if it does not hold what is to be replaced, or it cannot be told
  /// where. Of several places the last one is changed, because it was heard last.
  ///
  /// - Parameter repair: knows the names of the project, which are written as what they are in either part of the phrase.
  package func applied(to text: String, with repair: WordRepair = WordRepair()) -> String? {
    switch self {
    case .add(let more): return text.trimmingSentenceEnd() + " " + MeantText(said: more).text
    case .replace(let old, let new):
      guard let place = Self.place(of: old, in: text, with: repair) else { return nil }
      let meant = MeantText(said: new)
      let written = repair.repair(meant)
      let isCertain = written.notes.allSatisfy { if case .repaired = $0 { true } else { false } }
      return text.replacingCharacters(in: place, with: isCertain ? written.text : meant.text)
    }
  }

  /// Whether both ask for the same, however it is written.
  package func isSame(as other: SpokenAmendment) -> Bool {
    switch (self, other) {
    case (.replace(let old, let new), .replace(let otherOld, let otherNew)):
      SaidPlace.areSame(old, otherOld) && SaidPlace.areSame(new, otherNew)
    case (.add(let more), .add(let other)): SaidPlace.areSame(more, other)
    case (.replace, .add), (.add, .replace): false
    }
  }

  /// Where the text holds what was said: as it was understood, with the project's names in it, or else with those of the text.
  private static func place(of old: String, in text: String, with repair: WordRepair) -> Range<String.Index>? {
    if let place = SaidPlace.range(of: old, in: text) { return place }
    let meant = MeantText(said: old)
    let names = text.split(whereSeparator: \.isWhitespace).suffix(Limits.repairedWords).map { HeardToken($0).core }
    for repair in [repair, WordRepair(ProjectWords(names: names))] {
      let written = repair.repair(meant).text
      if written != old, let place = SaidPlace.range(of: written, in: text) { return place }
    }
    return nil
  }

  private static func join(_ words: ArraySlice<String>) -> String {
    words.joined(separator: " ").trimmingSentenceEnd()
  }

  private static func withoutFillers(_ words: ArraySlice<String>) -> ArraySlice<String> {
    var words = words
    func isFiller(_ word: String?) -> Bool {
      word.map { !SpokenWords($0).isEmpty && SpokenWords($0).withoutFillers.isEmpty } ?? false
    }
    while isFiller(words.first) { words.removeFirst() }
    while isFiller(words.last) { words.removeLast() }
    return words
  }
}

extension String {
  /// Without the full stop, or whatever else ends a sentence.
  fileprivate func trimmingSentenceEnd() -> String {
    var text = trimmingWhitespace()
    while let last = text.last, ",;:.!".contains(last) { text.removeLast() }
    return text
  }

  fileprivate func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}
