import Testing
import VoiceLanguage

struct TextCompletenessTests {
  @Test(arguments: [
    "Run the tests and show me the result.", "What changed?", "Stop it!", "go on", "the other file", "Undo that.",
    "Turn it on.", "Is that what it is for?", "When did it break?", "If it is empty, delete it.",
    "When the tests are green merge it.", "Once more.", "I think so.", "Yes. ", "",
    "Check how often it is called.", "Explain what causes that.", "Is it called?", "Remove this after that.",
    "Fix that.",
  ])
  func aSentenceOrAFewWordsMayBeAll(text: String) { #expect(TextCompleteness(of: text) == .complete) }

  @Test(arguments: ["take another look at the configuration", "check the log for errors"])
  func moreWordsWithoutAnEndMayBeAll(text: String) { #expect(TextCompleteness(of: text) == .open) }

  @Test(arguments: [
    "Add a test for the", "Open the.", "Rename it and", "I think, um", "check the log for errors,", "I want you to",
    "The second one is slow because.", "The build is green, so.", "I wonder whether.", "If the file is missing.",
    "When the server is down", "Before you begin.", "rename it and ", "Delete all of them excluding.",
    "Delete everything in the folder called.", "delete everything named", "Remove all the files that.",
    "Deploy it after.",
    "Delete it, but first",
  ])
  func nobodyStopsInTheMiddle(text: String) { #expect(TextCompleteness(of: text) == .unfinished) }

  /// What is not to be done is still to come.
  @Test(arguments: [
    ("Do not.", true), ("Please, don't.", true), ("Never.", true), ("Don't ever", true), ("Do not, please.", true),
    ("Do not do that.", false), ("I do not.", false), ("Never mind.", false), ("No.", false), ("Please.", false),
  ])
  func nobodyDeniesNothing(text: String, isUnfinished: Bool) {
    #expect((TextCompleteness(of: text) == .unfinished) == isUnfinished)
  }
}
