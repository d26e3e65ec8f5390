import Testing
import VoiceLanguage
import VoiceVocabulary

struct PartedSentenceTests {
  @Test(arguments: [
    ("Take another look at the.", "Configuration before you go on."), ("Run all the tests.", "And then the slow ones."),
    ("Copy the folder.", "To the other machine."), ("Make the text", "A little larger."),
    ("check the log for errors", "in the first hour"), ("Can you open the settings?", "Page."),
    ("Delete all the files.", "That we created today."), ("I do not like.", "The name of this class"),
    ("I want you to", "delete the old branch"),
  ])
  func whoGoesOnSaysOneThing(first: String, second: String) { #expect(PartedSentence.isOne(first, second)) }

  @Test(arguments: [
    ("Run the tests.", "What changed?"), ("run the tests", "which files did you change"),
    ("check the log for errors", "run the tests"),
    ("undo that", "Show me the list."),
    ("Is it done?", "The second one looks wrong."), ("Copy the folder.", ""), ("Copy the folder.", "I want to see it."),
    ("Undo that.", "Bump the version number."), ("Run the tests.", "That is all."), ("Run the tests.", "That."),
  ])
  func whoBeginsAnewSaysAnother(first: String, second: String) { #expect(!PartedSentence.isOne(first, second)) }

  @Test func whatThePauseBroughtInIsTakenOut() {
    #expect(
      PartedSentence.joined("Take another look at the.", "Configuration now.")
        == "Take another look at the configuration now.")
    #expect(PartedSentence.joined("Rename it and", "I will look") == "Rename it and I will look")
    #expect(PartedSentence.joined("Add a test for ", "EventInbox, please.") == "Add a test for EventInbox, please.")
    #expect(PartedSentence.joined("Is it done?", "And tested?") == "Is it done? and tested?")
    #expect(PartedSentence.joined("Make it\u{2026} ", "A little larger.") == "Make it A little larger.")
    #expect(PartedSentence.joined("Look into", "JSON files") == "Look into JSON files")
    #expect(PartedSentence.joined("Rename it to", "Kubectl") == "Rename it to Kubectl", "a name keeps its capital")
  }

  /// Words behind an article are a sentence if something is said of them.
  @Test(arguments: [
    ("The second test in the list", true), ("The second test fails", false), ("Every file in there", true),
    ("Every file must go", false), ("Faster than before", true), ("Maybe faster", false), ("Approve the change", false),
    ("Write a test", false), ("Larger", true),
  ])
  func aPieceIsASentenceOfItsOwnOrBelongsToTheOneBefore(_ second: String, _ isOne: Bool) {
    #expect(PartedSentence.isOne("Run the tests.", second) == isOne)
  }

  @Test func whatCannotHaveBeenTheEndIsGoneOnWith() {
    #expect(PartedSentence.isOne("Open the", "Show me the list."))
    #expect(!PartedSentence.isOne("Open the", " … "), "nothing was said")
  }

  /// The wait begins when the piece before was taken, and nobody goes on who was not heard to begin.
  @Test(arguments: [
    (0, "To the other machine.", true), (Limits.latePieceMilliseconds, "To the other machine.", true),
    (Limits.latePieceMilliseconds + 1, "To the other machine.", false), (0, "I want to see it.", false),
    (nil, "To the other machine.", false),
  ])
  func whoGoesOnDoesSoSoon(begunAfter milliseconds: Int?, _ piece: String, _ goesOn: Bool) {
    let taken = SessionTime.milliseconds(7_000)
    let begun = milliseconds.map { taken.advanced(byMilliseconds: $0) }
    #expect(
      PartedSentence.goesOn(with: piece, begunAt: begun, after: "Copy the folder.", takenAt: taken) == goesOn)
  }

  /// Whatever a sentence is about, these hold it together; they are kept where names are taken out.
  @Test(arguments: [
    "and", "instead", "actually", "somebody", "seems", "cannot", "every", "the", "whose", "whenever", "um",
  ])
  func aFunctionWordTellsNothingOfWhatItIsAbout(_ word: String) { #expect(PartedSentence.isFunctionWord(word)) }

  @Test(arguments: ["parser", "delete", "and so", "", "The"])
  func anyOtherWordMayTell(_ word: String) { #expect(!PartedSentence.isFunctionWord(word)) }

  @Test func commandsAreListedOnceAndInOrder() {
    let commands = CommandVerbs.all
    #expect(commands == Set(commands).sorted())
    for word in ["accept", "run", "what", "wrap"] { #expect(commands.contains(word), "\(word)") }
  }
}
