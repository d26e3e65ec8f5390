import Testing

@testable import VoiceLocal

struct SpokenTextTests {
  @Test(arguments: [
    ("Okay, working on it.", "okay, working on it."),
    ("See Sources/VoiceCore/PCM.swift:42", "see pee see em dot swift in voice core, line forty two"),
    ("use -v", "use dash vee"),
    ("It took 1,250 ms.", "it took one thousand two hundred fifty milliseconds."),
    ("JSON and YAML over HTTP", "json and yaml over aitch tee tee pee"),
    ("parseHTTPResponse() fails", "parse aitch tee tee pee response fails"),
    ("commit 3ea553d is bad", "commit three ee ay five is bad"),
    ("a -> b", "a to bee"),
    ("issue #12 isn't fixed", "issue twelve isn't fixed"),
    ("two APIs and a cached README", "two ay pee eyes and a cashed read me"),
    ("a well-known GUI", "a well known gui"),
    ("- first\n- second", "first, second"),
    ("", ""), ("   \n ", ""), ("***", ""), ("???", ""), ("\u{1F600} ok", "okay"),
  ])
  func developerTextBecomesWordsThatCanBeSaid(text: String, spoken: String) {
    #expect(SpokenText.words(for: text) == spoken)
  }

  @Test func anyTextIsTaken() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("aB1._-/:#()[]{}<>'\"`*~=+%,;!? \n\u{2014}\u{1F600}é日\0")
    for _ in 0..<300 {
      let text = String((0..<40).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      let words = SpokenText.words(for: text)
      #expect(!words.contains("\n"), "\(text.debugDescription)")
    }
  }

  @Test func aTextIsCutIntoSentencesAndTheFirstEarlier() {
    #expect(
      SpokenPieces.of("Okay, I will look at it now. Then I will run all the tests. Done!")
        == ["Okay,", "I will look at it now.", "Then I will run all the tests.", "Done!"])
    #expect(
      SpokenPieces.of("I changed three files in the parser so that all the tests pass.")
        == ["I changed three files in the parser,", "so that all the tests pass."])
    #expect(
      SpokenPieces.of("I changed three files in the main parser.") == ["I changed three files in the main parser."])
    #expect(SpokenPieces.of("  ") == [])
  }

  @Test func noPieceIsEndlessAndNoWordIsLost() {
    let text = (0..<200).map { "word\($0)" }.joined(separator: " ")
    let pieces = SpokenPieces.of(text)
    #expect(pieces.allSatisfy { $0.count <= SpokenPieces.longestLength })
    #expect(pieces.joined(separator: " ").split(separator: " ").count == 200)
  }

  /// What the voice takes of memory grows with the sound of a piece: few long words took more than many short ones.
  @Test(arguments: [
    String(repeating: "internationalisation", count: 30),
    Array(repeating: "internationalisation-configuration", count: 20).joined(separator: " "),
  ])
  func noPieceIsLongHoweverLongItsWordsAre(_ text: String) {
    let pieces = SpokenPieces.of(text)
    #expect(pieces.allSatisfy { $0.count <= SpokenPieces.longestLength })
    func letters(_ text: String) -> String { text.filter { $0.isLetter || $0 == "-" } }
    #expect(letters(pieces.joined()) == letters(text))
  }

  @Test func aLaterPieceIsCutWhereAPhraseBegins() {
    #expect(
      SpokenPieces.of(
        "Yes. You could put the check of the whole batch of messages back into take, which is called for "
          + "every single event that comes from anywhere outside.")
        == [
          "Yes.", "You could put the check of the whole batch of messages back into take,",
          "which is called for every single event that comes from anywhere outside.",
        ])
  }

  @Test func pronunciationPutsTheStressMarkBeforeTheVowelAndNoneOnFunctionWords() {
    let transcription = """
      w the\tdet\t
      s 0
      p dh
      p ax
      w parser\tcontent\t
      s 1
      p p
      p aa
      p r
      s 0
      p s
      p er
      w better\tcontent\t.
      s 1
      p b
      p eh
      s 0
      p t
      p er
      """
    #expect(Phonemes.ipa(transcription) == "ðə pˈɑːɹsɚ bˈɛɾɚ.")
    #expect(Phonemes.ipa("") == "")
    #expect(Phonemes.ipa("nonsense\nw only two\tfields\np lost") == "")
  }
}

struct WordErrorRateTests {
  @Test(arguments: [
    ("Run the tests.", "run the tests", 0),
    ("It takes 30 seconds", "it takes thirty seconds", 0),
    ("the README file", "the read me file", 0),
    ("it's done", "its done", 0),
    ("run tests", "run the tests", 1),
    ("run all the tests", "run the tests", 1),
    ("walk the tests", "run the tests", 1),
    ("", "run the tests", 3),
    ("you", "", 1),
    ("", "", 0),
  ])
  func wordsAreComparedAsTheySound(recognised: String, spoken: String, errors: Int) {
    #expect(WordErrorRate(recognised: recognised, spoken: spoken).errors == errors)
  }

  @Test func theRateIsThatOfTheWordsSaid() {
    #expect(WordErrorRate(recognised: "run all the", spoken: "run all the tests").rate == 0.25)
    #expect(WordErrorRate(recognised: "you", spoken: "").rate == 1)
  }
}

extension WordErrorRate {
  /// The rate over both.
  static func + (left: Self, right: Self) -> Self {
    var sum = left
    (sum.errors, sum.words) = (left.errors + right.errors, left.words + right.words)
    return sum
  }
}
