extension SpokenWords {
  /// Whether these words sound as part of what was said: an echo comes back misheard, in other words of nearly the same
  /// sounds ("a small guide" as "a small guy").
  ///
  /// The consonants of the words, in a row without the gaps between them, which a recogniser sets as it likes, are laid
  /// against those of what was said where they fit best (Sellers 1980), as a whole. The fewer there are, the fewer may
  /// differ: any few sounds are found somewhere in ten seconds of speech.
  ///
  /// - Parameter isSure: whether the recogniser is sure of these words: then two thirds as many may differ.
  package func soundAsPart(of said: SpokenWords, isSure: Bool = false) -> Bool {
    if said.contains(self) { return true }
    let heard = sounds
    guard heard.count >= 4 else { return false }
    let (said, allowed) = (said.sounds, Self.allowedPercent(heard.count) * heard.count * (isSure ? 2 : 3) / 3)
    // What is longer than all that was said differs by so much at least.
    guard (heard.count - said.count) * 100 <= allowed else { return false }
    return EditDistance.least(of: heard, within: said) * 100 <= allowed
  }

  /// Measured over the echoes of replies and the answers of users in the tests.
  private static func allowedPercent(_ sounds: Int) -> Int {
    switch sounds {
    case ..<6: 0
    case ..<9: 15
    case ..<14: 30
    default: 42
    }
  }

  /// The consonants in a row; a vowel tells nothing after a loudspeaker and a room.
  var sounds: [UInt8] { words.flatMap { SoundKey($0).code.utf8.filter { $0 != UInt8(ascii: "A") } } }
}

extension EditDistance {
  /// The least number of single changes between a sequence and any part of another.
  static func least<Element: Equatable>(of pattern: [Element], within text: [Element]) -> Int {
    // As `between`, but a part may begin anywhere and end anywhere.
    var column = Array(0...pattern.count)
    var best = pattern.count
    for element in text {
      var diagonal = 0
      for row in pattern.indices {
        let replaced = diagonal + (element == pattern[row] ? 0 : 1)
        diagonal = column[row + 1]
        column[row + 1] = min(replaced, column[row] + 1, diagonal + 1)
      }
      best = min(best, column[pattern.count])
    }
    return best
  }
}
