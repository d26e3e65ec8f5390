import Testing
import VoiceLanguage
import VoiceVocabulary

/// How the user and the agent are told which words of a spoken instruction are uncertain.
struct MarkedInstructionTests {
  private func spoken(_ text: String, _ notes: WordNote...) -> Instruction {
    Instruction(
      id: .init(rawValue: 1), text: text, heard: text, source: .voice, repair: .init(raw: text, notes: notes))
  }

  @Test func anUncertainWordIsMarkedWhereItStands() {
    #expect(spoken("open Lexicon", .repaired(heard: "lexicon", written: "Lexicon")).markedText == "open Lexicon")
    #expect(
      spoken("open Lexicon now", .guessed(heard: "lexi con", written: "Lexicon")).markedText
        == "open Lexicon [heard “lexi con”] now")
    #expect(
      spoken("clear the cash", .doubtful(heard: "cash", perhaps: "cache")).markedText == "clear the cash [cache?]")
    #expect(spoken("it is it", .unsure(heard: "it", place: 2)).markedText == "it is it [?]")
    #expect(spoken("it is it", .unsure(heard: "it", place: 0)).markedText == "it [?] is it")
  }

  @Test func severalMarksStandInTheOrderOfTheWords() {
    let text = "clear the cash of Lexicon and the cash"
    #expect(
      spoken(
        text, .doubtful(heard: "cash", perhaps: "cache"), .guessed(heard: "lexi con", written: "Lexicon"),
        .unsure(heard: "cash", place: 7)
      ).markedText == "clear the cash [cache?] of Lexicon [heard “lexi con”] and the cash [?]")
  }

  /// What is uncertain may be part of another word, which is none; and a word is one with what belongs to it.
  @Test func onlyWholeWordsAreMarked() {
    #expect(
      spoken("it's a test", .unsure(heard: "it", place: 0), .unsure(heard: "test", place: 2)).markedText
        == "it's [?] a test [?]")
    #expect(spoken("quit it, then", .unsure(heard: "it", place: 0)).markedText == "quit it [?], then")
    #expect(
      spoken("the cashier counts (cash).", .doubtful(heard: "cash", perhaps: "cache")).markedText
        == "the cashier counts (cash [cache?]).")
    #expect(
      spoken("use a retrial looping and a retrial loop.", .doubtful(heard: "retrial loop", perhaps: "RetryLoop"))
        .markedText == "use a retrial looping and a retrial loop [RetryLoop?].")
    #expect(
      spoken("call run(), then stop", .guessed(heard: "ran", written: "run()")).markedText
        == "call run() [heard “ran”], then stop")
    #expect(
      spoken("in /etc now", .guessed(heard: "etcetera", written: "/etc")).markedText
        == "in /etc [heard “etcetera”] now")
  }

  /// A name of two words counts as one.
  @Test func whatStandsBehindALongNameIsMarkedWhereItIs() {
    #expect(
      spoken(
        "Open pool.rs and it is it", .guessed(heard: "Openpool.rs", written: "Open pool.rs"),
        .unsure(heard: "it", place: 2)
      ).markedText == "Open pool.rs [heard “Openpool.rs”] and it [?] is it")
  }

  @Test func theAgentIsToldWholeWords() {
    #expect(
      spoken("it's a test", .unsure(heard: "it", place: 0), .unsure(heard: "gone", place: 2)).introduced(
        by: "By voice.")
        == "it's a test\n\n(By voice. “it's”, “gone” may have been misheard.)")
  }

  /// The text was changed since.
  @Test func aWordThatIsNotThereIsNotMarked() {
    for place in [3, 4, 40] {
      #expect(spoken("run it now", .unsure(heard: "now", place: place)).markedText == "run it now")
    }
    #expect(spoken("run it now", .doubtful(heard: "cash", perhaps: "cache")).markedText == "run it now")
  }

  @Test func theAgentIsToldOfDoubtsBehindTheText() {
    #expect(
      spoken(
        "clear the cash of Lexicon now", .repaired(heard: "a", written: "b"),
        .doubtful(heard: "cash", perhaps: "cache"),
        .guessed(heard: "lexi con", written: "Lexicon"), .unsure(heard: "clear", place: 0),
        .unsure(heard: "now", place: 5)
      ).introduced(by: "By voice.")
        == "clear the cash of Lexicon now\n\n"
        + "(By voice. “cash” may mean “cache”. “Lexicon” was heard as “lexi con”. “clear”, “now” may have been misheard.)"
    )
    #expect(spoken("run it").introduced(by: "By voice.") == "run it\n\n(By voice.)")
    #expect(spoken("run it").introduced(by: nil) == "run it")
  }

  @Test func whatWasTypedNeedsNoIntroduction() {
    let typed = Instruction(id: .init(rawValue: 1), text: "run it", heard: nil, source: .keyboard)
    #expect(typed.introduced(by: "By voice.") == "run it" && typed.markedText == "run it")
  }
}
