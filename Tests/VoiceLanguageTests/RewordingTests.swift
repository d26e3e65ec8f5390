import Testing
import VoiceLanguage

/// What a live model makes of what was heard.
struct RewordingTests {
  @Test(arguments: [
    ("don't push the branch", "push the branch"),
    ("never ever touch the production database", "touch the production database"),
    ("merge staging into main", "merge main into staging"), ("set the limit to 15", "set the limit to 150"),
    ("set the limit to fifteen", "set the limit to fifty"),
    ("run the linter and fix any warnings", "run the linter and fix no warnings"),
    ("commit only the tests", "commit the tests"),
  ])
  func anotherSenseInMuchTheSameWordsIsFound(heard: String, meant: String) throws {
    #expect(try #require(Rewording(heard: heard, meant: meant)).mayDifferInSense(takesKey: false))
  }

  @Test(arguments: [
    ("um, could you run the the tests please", "Run the tests."),
    ("don't touch the parser", "Do not touch the parser."),
    ("set the limit to fifteen", "Set the limit to 15."), ("open the jason file", "Open the JSON file."),
    ("fix this one", "Fix this."), ("what does it do", "What does it do?"),
    ("again with the linter", "run the tests again with the linter"),
    ("why is the build fail", "why is the build failing on the main branch"),
  ])
  func whatIsTidiedUpIsNotHeld(heard: String, meant: String) throws {
    #expect(try !#require(Rewording(heard: heard, meant: meant)).mayDifferInSense(takesKey: false))
  }

  /// What is not to be done by mistake is to be said in these words.
  @Test(arguments: [
    ("explain how to delete the database", "delete the database", true), ("what would git push do", "git push", true),
    ("run the tests", "rm -rf the tests", true),
    ("could you delete the branch please", "Delete the branch.", false),
  ])
  func whatTakesAKeyIsSaidAsItIs(heard: String, meant: String, mayDiffer: Bool) throws {
    #expect(try #require(Rewording(heard: heard, meant: meant)).mayDifferInSense(takesKey: true) == mayDiffer)
  }

  @Test func theOrderOfAVeryLongTextIsNotKnown() throws {
    let long = Array(repeating: "word", count: 401).joined(separator: " ")
    #expect(try #require(Rewording(heard: long + " this", meant: "this " + long)).mayDifferInSense(takesKey: false))
  }

  @Test func aDamagedTranscriptTellsNothing() {
    #expect(Rewording(heard: "push it\u{1B}[2J", meant: "push it") == nil)
  }
}
