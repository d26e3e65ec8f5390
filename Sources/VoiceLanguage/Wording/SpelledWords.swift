extension String {
  /// The words as they are said: in small letters, without punctuation, and with whole numbers spelled out.
  package var spelledWords: [String] {
    var words: [String] = []
    var word = ""
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    for character in lowercased() where character != "'" && character != "\u{2019}" {
      if isPart(character), word.last.map({ $0.isNumber == character.isNumber }) ?? true {
        word.append(character)
      } else {
        if !word.isEmpty { words.append(word) }
        word = isPart(character) ? String(character) : ""
      }
    }
    if !word.isEmpty { words.append(word) }
    return words.flatMap { word in Int(word).map { NumberWords.cardinal($0) } ?? [word] }
  }
}
