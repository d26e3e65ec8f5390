package import VoiceVocabulary

/// When what the user said is a whole instruction, and not only the beginning of one.
///
/// The live model finds the pauses and proposes what was said before each. Usually a pause is the end; here the user may
/// say otherwise.
package struct TurnEnding: Equatable, Sendable {
  /// The word, or the few words, that end an instruction; empty if a pause does.
  package let word: SpokenWords
  /// Whether only the word or the key ends an instruction, however long the user thinks.
  package let isLongThought: Bool

  package init(word: String, isLongThought: Bool) {
    self.word = SpokenWords(word)
    self.isLongThought = isLongThought
  }

  /// The same with long thought switched on or off.
  package func thinking(long isLongThought: Bool) -> TurnEnding {
    TurnEnding(word: word.words.joined(separator: " "), isLongThought: isLongThought)
  }

  /// Whether an instruction may be said in pieces, with pauses between them.
  package var gathers: Bool { isLongThought || !word.isEmpty }

  /// Whether a long silence is taken for an end that the user forgot to say.
  package var watchesSilence: Bool { !isLongThought && !word.isEmpty }

  /// Whether what was proposed, or heard, ends the instruction. A live model may leave the word out of what it proposes, as being
  /// no part of it.
  package func isEnd(_ text: String, heard: String) -> Bool {
    !gathers || withoutWord(text) != nil || withoutWord(heard) != nil
  }

  /// The text without the end word behind it; nil if it does not end with that.
  package func withoutWord(_ text: String) -> String? {
    guard !word.isEmpty else { return nil }
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber || "'’".contains(character) }
    var rest = text[...]
    for word in word.words.reversed() {
      while let last = rest.last, !isPart(last) { rest.removeLast() }
      let start = rest.lastIndex { !isPart($0) }.map(rest.index(after:)) ?? rest.startIndex
      guard SpokenWords(String(rest[start...])).words == [word] else { return nil }
      rest = rest[..<start]
    }
    while let last = rest.last, last.isWhitespace || ",;:-–—".contains(last) { rest.removeLast() }
    return String(rest)
  }

  /// Why a text cannot be the end word, as the rest of a sentence; nil if it can.
  package static func refusal(of text: String) -> String? {
    if text.isEmpty { return nil }
    let words = SpokenWords(text).words
    guard (1...3).contains(words.count) else { return "must be one to three words that can be spoken, such as “over”." }
    guard SpokenDecision(utterance: text) == nil, !["stop", "halt", "please"].contains(words[0]) else {
      return "is “\(text)”, which means something of its own; choose a word such as “over”."
    }
    return nil
  }
}

extension InteractionSettings {
  /// When what the user said is a whole instruction.
  package var turnEnding: TurnEnding { TurnEnding(word: endWord, isLongThought: longThought) }
}
