/// The signs of names that are said: "underscore", "slash". Whoever says one means it, so no name without it is what he said.
enum SaidSigns {
  /// Whether a name has every sign that was said, in the same order.
  ///
  /// - Parameters:
  ///   - words: as they were heard, in lower case.
  ///   - isSpelled: whether the name has exactly the letters of the words: then each sign has its place, too. Otherwise one at either
  ///     end is one of the name's only if it stands at that end.
  static func areKept(_ words: [String], in name: String, isSpelled: Bool) -> Bool {
    let said = places(said: words)
    guard !said.isEmpty else { return true }
    var rest = places(written: name)[...]
    return said.allSatisfy { sign in
      let place = rest.firstIndex { other in
        other.sign == sign.sign && (isSpelled ? other.letters == sign.letters : other.end == sign.end)
      }
      guard let place else { return false }
      rest = rest[(place + 1)...]
      return true
    }
  }

  /// Whether a word is a sign of names.
  static func isSign(_ word: String) -> Bool { signs[word] != nil }

  /// Where a sign stands.
  private struct Place {
    enum End { case first, last }

    let sign: Character
    /// How many letters stand before it.
    let letters: Int
    var end: End?
  }

  /// Signs of their own word, and those that the recogniser wrote. It writes hyphens, apostrophes and full stops where nobody said any.
  private static func places(said words: [String]) -> [Place] {
    var places: [Place] = []
    var letters = 0
    for word in words {
      if let sign = signs[word] {
        places.append(Place(sign: sign, letters: letters))
      } else {
        places += Self.places(in: word, after: &letters).filter { !"-'\u{2019}".contains($0.sign) }
      }
    }
    return withEnds(places, letters)
  }

  private static func places(written name: String) -> [Place] {
    var letters = 0
    return withEnds(places(in: name, after: &letters), letters)
  }

  private static func withEnds(_ places: [Place], _ letters: Int) -> [Place] {
    places.map { place in
      var place = place
      place.end = place.letters == 0 ? .first : place.letters == letters ? .last : nil
      return place
    }
  }

  /// - Parameter letters: of everything before the text, and then of the text, too; as `Lexicon` counts them.
  private static func places(in text: String, after letters: inout Int) -> [Place] {
    var places: [Place] = []
    var part = ""
    func end() {
      for piece in SpokenNames.parts(of: part) {
        letters += piece.first?.isNumber == true ? NumberWords.label(piece).joined().count : piece.count
      }
      part = ""
    }
    for character in text {
      if character.isLetter || character.isNumber {
        part.append(character)
      } else {
        end()
        // A full stop is compared as the word.
        if character == "." { letters += 3 } else { places.append(Place(sign: character, letters: letters)) }
      }
    }
    end()
    return places
  }

  private static let signs: [String: Character] = ["underscore": "_", "slash": "/", "hyphen": "-", "dash": "-"]
}
