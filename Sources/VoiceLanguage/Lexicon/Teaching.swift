package import VoiceVocabulary

/// What an edit of a held instruction teaches about words.
package enum Teaching {
  /// The lessons of an edit: stretches of words that were replaced by others that sound alike. A stretch that was
  /// written anew is a change of mind, and teaches nothing.
  ///
  /// - Parameters:
  ///   - notes: What the repair had done to the text before it was edited: taking that back is a lesson as well.
  ///   - approved: Instructions that were approved before, as they left: a wrong form among them was right there.
  package static func lessons(
    from old: String, to new: String, notes: [WordNote] = [], approved: [String] = []
  ) -> [Correction] {
    let (left, right) = (words(old), words(new))
    guard left.count <= Limits.repairedWords, right.count <= Limits.repairedWords else { return [] }
    var lessons: [Correction] = []
    for change in changes(left, right) {
      let heard = left[change.left].map(\.word).joined(separator: " ")
      let meant = right[change.right].map(\.core).joined(separator: " ")
      guard !heard.isEmpty, !meant.isEmpty, change.left.count <= 5, change.right.count <= 5 else { continue }
      // The repair was wrong: the words are right as they were heard.
      if let undone = notes.first(where: { $0.undoes(heard, meant) }) {
        lessons.append(Correction(heard: undone.heard.lowercased(), meant: undone.heard.lowercased()))
        continue
      }
      // What is typed behind the end of a sentence is a slip of the hand, and no word.
      guard heard != meant, soundAlike(heard, meant), !meant.contains(where: { "?!;,".contains($0) }) else { continue }
      let before = change.left.lowerBound > 0 ? left[change.left.lowerBound - 1].word : ""
      let after = change.left.upperBound < left.count ? left[change.left.upperBound].word : ""
      lessons.append(Correction(heard: heard, meant: meant, before: before, after: after))
      if approved.contains(where: { contains(words($0).map(\.word), heard) }) {
        lessons.append(Correction(heard: heard, meant: heard))
      }
    }
    return lessons
  }

  /// The lessons of an approval: a wrong form that was left as it is was right there.
  package static func lessons(approving text: String, known: [Correction]) -> [Correction] {
    let words = words(text).map(\.word)
    let left = Set(known.filter(\.leavesAlone).map(\.heard))
    var found: Set<String> = []
    return known.compactMap { lesson in
      guard !left.contains(lesson.heard), lesson.meant.lowercased() != lesson.heard, contains(words, lesson.heard),
        found.insert(lesson.heard).inserted
      else { return nil }
      return Correction(heard: lesson.heard, meant: lesson.heard)
    }
  }

  /// Whether the recogniser was sure of each of these words, wherever it heard them; not where it cannot tell.
  package static func isSure(of phrase: String, in text: String, _ hearing: Hearing) -> Bool {
    let tokens = text.split(whereSeparator: \.isWhitespace).map { HeardToken($0).word }
    let wanted = phrase.split(separator: " ").map(String.init)
    guard tokens.count == hearing.sureness.count, !wanted.isEmpty, wanted.count <= tokens.count else { return false }
    let places = (0...tokens.count - wanted.count).filter { tokens[$0..<$0 + wanted.count].elementsEqual(wanted) }
    return !places.isEmpty
      && places.allSatisfy { place in
        hearing.sureness[place..<place + wanted.count].allSatisfy { $0 >= Limits.certainPercent }
      }
  }

  private static func words(_ text: String) -> [HeardToken] {
    text.split(whereSeparator: \.isWhitespace).map { HeardToken($0) }.filter { !$0.word.isEmpty }
  }

  private static func contains(_ words: [String], _ phrase: String) -> Bool {
    let wanted = phrase.split(separator: " ").map(String.init)
    guard !wanted.isEmpty, wanted.count <= words.count else { return false }
    return (0...words.count - wanted.count).contains { words[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }

  /// Whether one may be misheard for the other.
  private static func soundAlike(_ heard: String, _ meant: String) -> Bool {
    let (left, right) = (letters(heard), letters(meant))
    guard !left.isEmpty, !right.isEmpty, max(left.utf8.count, right.utf8.count) <= 5 * Limits.repairedWordBytes else {
      return false
    }
    let longest = max(left.count, right.count)
    if EditDistance.between(Array(left), Array(right)) * 3 <= longest { return true }
    let (leftSound, rightSound) = (SoundKey(left), SoundKey(right))
    return leftSound.distance(to: rightSound) * 3 <= max(leftSound.code.count, rightSound.code.count)
      && !leftSound.code.isEmpty && !rightSound.code.isEmpty
  }

  private static func letters(_ text: String) -> String {
    text.lowercased().replacing(".", with: "dot").filter { $0.isLetter || $0.isNumber }
  }

  /// The stretches that differ, by a longest common subsequence; one may be empty.
  private static func changes(_ left: [HeardToken], _ right: [HeardToken]) -> [(left: Range<Int>, right: Range<Int>)] {
    var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for i in left.indices.reversed() {
      for j in right.indices.reversed() {
        table[i][j] = left[i].core == right[j].core ? table[i + 1][j + 1] + 1 : max(table[i + 1][j], table[i][j + 1])
      }
    }
    var changes: [(left: Range<Int>, right: Range<Int>)] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      let (startLeft, startRight) = (i, j)
      while i < left.count || j < right.count {
        if i < left.count, j < right.count, left[i].core == right[j].core { break }
        if j == right.count || (i < left.count && table[i + 1][j] >= table[i][j + 1]) { i += 1 } else { j += 1 }
      }
      changes.append((startLeft..<i, startRight..<j))
      while i < left.count, j < right.count, left[i].core == right[j].core {
        i += 1
        j += 1
      }
    }
    return changes
  }
}

extension WordNote {
  /// The words as they were heard.
  package var heard: String {
    switch self {
    case .repaired(let heard, _), .guessed(let heard, _), .doubtful(let heard, _),
      .unsure(let heard, _):
      heard
    }
  }

  /// Whether an edit from `old` to `new` takes this repair back.
  fileprivate func undoes(_ old: String, _ new: String) -> Bool {
    switch self {
    case .repaired(let heard, let written), .guessed(let heard, let written):
      written.lowercased() == old && heard.lowercased() == new.lowercased()
    case .doubtful, .unsure: false
    }
  }
}
