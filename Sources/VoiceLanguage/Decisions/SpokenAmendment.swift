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
      let place = plain.lastIndex(of: separator), place > 1, place < words.count - 1
    {
      self = .replace(old: Self.join(words[1..<place]), new: Self.join(words[(place + 1)...]))
    } else {
      return nil
    }
  }

  /// The text with this change; nil if it does not hold what is to be replaced. Of several places the last one is
  /// changed, because it was heard last.
  package func applied(to text: String) -> String? {
    switch self {
    case .add(let more): return text.trimmingSentenceEnd() + " " + MeantText(said: more).text
    case .replace(let old, let new):
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      let wanted = SpokenWords(old).words
      guard !wanted.isEmpty, wanted.count <= words.count else { return nil }
      let plain = words.map { SpokenWords($0).words.joined() }
      guard
        let start = (0...(words.count - wanted.count)).last(where: {
          plain[$0..<($0 + wanted.count)].elementsEqual(wanted)
        })
      else { return nil }
      let end = start + wanted.count
      let meant = MeantText(said: new).text
      let tail = words[end - 1].reversed().prefix { ",;:.!?".contains($0) }.reversed()
      return (words[..<start] + [meant + String(tail)] + words[end...]).joined(separator: " ")
    }
  }

  private static func join(_ words: ArraySlice<String>) -> String {
    words.joined(separator: " ").trimmingSentenceEnd()
  }
}

extension String {
  /// Without the full stop, or whatever else ends a sentence.
  fileprivate func trimmingSentenceEnd() -> String {
    var text = trimmingWhitespace()
    while let last = text.last, ",;:.!".contains(last) { text.removeLast() }
    return text
  }
}
