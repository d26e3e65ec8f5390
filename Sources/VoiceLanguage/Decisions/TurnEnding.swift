package import VoiceVocabulary

/// When what the user said is a whole instruction, and not only the beginning of one.
///
/// The live model finds the pauses and proposes what was said before each. Usually a pause is the end; here the user may
/// say otherwise. One small place for it: what else may end a turn one day, such as the meaning of the words, is one more
/// fact.
package struct TurnEnding: Equatable, Sendable {
  /// Something that may be the end of a turn.
  package enum Fact: Equatable, Sendable {
    /// Words, and the pause behind them.
    case said(text: String, heard: String)
    /// The user pressed the key for it.
    case key
    /// Nothing more was said for a long time.
    case silence
  }

  /// What a pause, or a word, says of the instruction.
  package enum Verdict: Equatable, Sendable {
    /// More may come: nothing of it leaves.
    case goesOn
    case ends
    /// It may be the end, but the user did not say so: it is held, whatever the mode.
    case isHeld
  }

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

  /// Whether what was said is all of the instruction.
  package func verdict(on fact: Fact) -> Verdict {
    guard gathers else { return .ends }
    switch fact {
    // A live model may leave the word out of what it proposes, as being no part of it.
    case .said(let text, let heard): return withoutWord(text) != nil || withoutWord(heard) != nil ? .ends : .goesOn
    case .key: return .ends
    case .silence: return watchesSilence ? .isHeld : .goesOn
    }
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
