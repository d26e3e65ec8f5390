import VoiceLanguage
package import VoiceVocabulary

/// A phrase that is not left to the search: how likely its spellings are in the sound tells whether it was said.
struct ScoredPhrase: Equatable, Sendable {
  /// As it may be written; the first is what is written once it was heard.
  var texts: [String]
  /// From which log-probability on it was said.
  var least: Float
  /// How much likelier than it what is found freely may be, which in noise is often something else, and is the very words
  /// where they only sound alike ("okay, stock").
  var mostBehind: Float

  /// "Parley, stop" always stops, besides the user's own phrase.
  static let parleyStop = ScoredPhrase(SpokenPhrases.alwaysStops)

  /// Nil for no words.
  static func named(_ phrase: String) -> ScoredPhrase? {
    SpokenWords(phrase).isEmpty ? nil : ScoredPhrase(phrase)
  }

  /// The thresholds were measured for the phrases that Parley has itself (`Benchmarks/stop_phrase.py --development`); any other
  /// is heard as strictly as the strictest of these.
  init(_ phrase: String) {
    let words = SpokenWords(phrase).words
    let known = Self.measured[words.joined(separator: " ")]
    texts = Self.spellings(of: words, comma: phrase.contains(",")) + (known?.also ?? [])
    (least, mostBehind) = known.map { ($0.least, $0.mostBehind) } ?? (-8, 3.5)
  }

  /// The likeliest of 649 clips of other speech had -11.6 for the first and -21.7 for the second; of 498 others, none over
  /// -20.1 for the third.
  private static let measured: [String: (also: [String], least: Float, mostBehind: Float)] = [
    "okay stop": (["OK, stop."], -8, 3.5),
    "parley stop": (["Parlay, stop."], -14, 8),
    "hey parley": (["Hey Parley!", "Hey, Parley!", "Hey Parlay.", "Hey, Parlay."], -18, 14),
    "stop listening": ([], -8, 3.5),
  ]

  /// With and without what stands between its words and behind them; as the user wrote it first.
  private static func spellings(of words: [String], comma: Bool) -> [String] {
    guard let first = words.first.map({ $0.capitalised }) else { return [] }
    let rest = words.dropFirst().map { $0 == "parley" ? "Parley" : $0 }.joined(separator: " ")
    if rest.isEmpty { return ["\(first).", first] }
    let joins = comma ? [", ", " "] : [" ", ", "]
    return joins.map { "\(first)\($0)\(rest)." } + joins.map { "\(first)\($0)\(rest)" }
      + ["\(first). \(rest.capitalised)."]
  }
}

/// What the speech engine's process is told on its command line.
extension SpokenPhrases {
  /// As flags of `parley speech-engine`.
  package var arguments: [String] {
    [("--stop-phrase", stop), ("--sleep-phrase", sleep), ("--wake-phrase", wake)].flatMap {
      $1.isEmpty ? [] : [$0, $1]
    }
  }
}
