import Testing

@testable import VoiceLanguage

struct ExpectedWordsTests {
  private let words = ExpectedWords(
    [
      ExpectedWord("NumPy", heard: ["num pie", "num pi"]), ExpectedWord("regex", heard: ["rej ex"]),
      ExpectedWord("struct"),
    ],
    names: ["InteractionController", "Package.swift", "parley", "session", "aNameThatIsMuchTooLongToBeSaidByAnybody"])

  @Test func aWordIsExpectedInThreeCasesAndANameInItsWords() {
    #expect(words.phrases.starts(with: ["NumPy", "numpy", "num pie", "Num pie", "num pi", "Num pi", "regex", "Regex"]))
    for phrase in [
      "struct", "Struct", "InteractionController", "interaction controller", "Interaction controller",
      "Interaction Controller", "Package.swift", "package dot swift", "package.swift", "parley", "Parley",
    ] {
      #expect(words.phrases.contains(phrase), "\(phrase)")
    }
    #expect(Set(words.phrases).count == words.phrases.count)
  }

  @Test func anOrdinaryWordAndANameThatNobodySaysNeedNoHelp() {
    #expect(!words.phrases.contains("session"))
    #expect(!words.phrases.contains { $0.lowercased().contains("much") })
  }

  @Test(arguments: [
    ("Convert the num pie array.", "Convert the NumPy array."),
    ("the Num Pi's shape, the rej ex", "the NumPy's shape, the regex"),
    ("Rej ex does not match.", "Regex does not match."),
    // Nothing was said that is one of them.
    ("num, pie and ex", "num, pie and ex"), ("the number pie", "the number pie"), ("", ""), ("num", "num"),
  ])
  func whatIsHeardForAWordIsWrittenAsTheWord(heard: String, written: String) {
    #expect(words.rewritten(heard) == written)
  }

  /// Of seven words a name is not said, and of two words that are heard alike the first is written.
  @Test func whatIsSaidAndWhatIsHeardAlike() {
    let names = ExpectedWords(names: ["oneTwoThreeFourFiveSix", "oneTwoThreeFourFiveSixSeven"])
    #expect(names.phrases.contains("one two three four five six"))
    #expect(!names.phrases.contains { $0.hasSuffix("seven") || $0.hasSuffix("Seven") })
    let words = ExpectedWords([
      ExpectedWord("Qt", heard: ["cute tea"]), ExpectedWord("QT", heard: ["cute tea", "cute"]),
    ])
    #expect(words.rewritten("a cute tea or a cute one") == "a Qt or a QT one")
  }

  @Test func withoutWordsNothingIsExpectedOrRewritten() {
    #expect(ExpectedWords().phrases.isEmpty)
    #expect(ExpectedWords().rewritten("the num pie") == "the num pie")
    // Nothing is written as a decision that was not heard as one.
    let deciding = ExpectedWords([ExpectedWord("send", heard: ["sand"]), ExpectedWord("ahead", heard: ["a head"])])
    #expect(deciding.rewritten("yes sand it") == "yes sand it")
    #expect(deciding.rewritten("Go a head.") == "Go a head.")
    let changing = ExpectedWords([ExpectedWord("change", heard: ["chain"])])
    #expect(changing.rewritten("chain pool to queue") == "chain pool to queue")
    #expect(deciding.rewritten("sand the file") == "Send the file")
  }
}
