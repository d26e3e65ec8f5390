/// What people say for a letter, a digit or a sign, and how recognisers write it.
enum LetterNames {
  /// The alphabet of NATO, and what recognisers make of its words. Unmistakable behind "spell".
  static let alphabet: [String: Character] = [
    "alpha": "a", "alfa": "a", "bravo": "b", "charlie": "c", "delta": "d", "echo": "e", "foxtrot": "f", "golf": "g",
    "gulf": "g", "hotel": "h", "india": "i", "indy": "i", "juliet": "j", "juliett": "j", "juliette": "j", "kilo": "k",
    "lima": "l",
    "mike": "m", "mic": "m", "november": "n", "oscar": "o", "papa": "p", "poppa": "p", "quebec": "q", "romeo": "r",
    "sierra": "s",
    "cierra": "s", "tango": "t", "uniform": "u", "victor": "v", "whiskey": "w", "whisky": "w", "xray": "x",
    "x-ray": "x",
    "yankee": "y", "yankey": "y", "zulu": "z",
  ]

  /// Names of letters that hardly mean anything else.
  static let clear: [String: Character] = [
    "cee": "c", "dee": "d", "ef": "f", "eff": "f", "aitch": "h", "haitch": "h", "jay": "j", "kay": "k", "ell": "l",
    "em": "m", "en": "n", "ess": "s", "vee": "v", "double-u": "w", "zee": "z", "zed": "z",
  ]

  /// Names of letters that are words, which count beside other letters.
  static let doubtful: [String: Character] = [
    "a": "a", "eh": "a", "be": "b", "bee": "b", "see": "c", "sea": "c", "gee": "g", "i": "i", "eye": "i", "el": "l",
    "oh": "o", "pea": "p", "pee": "p", "cue": "q", "queue": "q", "are": "r", "ar": "r", "es": "s", "tea": "t",
    "tee": "t",
    "you": "u", "ewe": "u", "ex": "x", "why": "y",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9",
  ]

  static let signs: [String: Character] = [
    "dash": "-", "tash": "-", "hyphen": "-", "minus": "-", "underscore": "_", "dot": ".", "point": ".", "slash": "/",
    "space": " ",
  ]
  static let pairedSigns: [[String]: Character] = [["under", "score"]: "_", ["forward", "slash"]: "/"]

  /// What is said in front of a letter.
  static let modifiers: [[String]: Spelling.Modifier] = [
    ["all", "caps"]: .allCapitals, ["all", "capitals"]: .allCapitals, ["all", "uppercase"]: .allCapitals,
    ["in", "capitals"]: .allCapitals, ["upper", "case"]: .capital, ["capital", "letter"]: .capital,
    ["lower", "case"]: .small, ["capital"]: .capital, ["capitol"]: .capital, ["cap"]: .capital, ["uppercase"]: .capital,
    ["upper-case"]: .capital, ["lowercase"]: .small, ["lower-case"]: .small, ["small"]: .small, ["double"]: .double,
  ]

  /// Sounds of somebody who looks for the next letter.
  static let hesitations: Set<String> = ["uh", "um", "uhm", "er", "erm", "hm", "hmm"]

  /// Letters whose names rhyme, so that one is heard for the other.
  private static let rhymes: [Set<Character>] = [
    ["b", "c", "d", "e", "g", "p", "t", "v", "z"], ["a", "h", "j", "k"], ["m", "n"], ["f", "s", "x"], ["i", "y"],
    ["q", "u", "w"],
  ]

  /// Whether one letter may be heard for the other: their names rhyme.
  static func canBeHeard(_ letter: Character, for other: Character) -> Bool {
    letter == other || rhymes.contains { $0.contains(letter) && $0.contains(other) }
  }

  /// What a recogniser nearly wrote as a word of the alphabet: "Romino" between two others is "romeo".
  static func nearest(to word: String) -> (word: String, letter: Character)? {
    guard word.utf8.count >= 4, word.utf8.count <= 12 else { return nil }
    let near = alphabet.map { ($0.key, $0.value, EditDistance.between(Array($0.key.utf8), Array(word.utf8))) }
      .filter { $0.2 * 3 <= max($0.0.utf8.count, word.utf8.count) }
    guard let best = near.min(by: { ($0.2, $0.0) < ($1.2, $1.0) }) else { return nil }
    return (best.0, best.1)
  }
}
