import Testing
import VoiceLanguage
import VoiceTesting
import VoiceVocabulary

/// What an utterance must not be taken for.
private enum Meaning { case approves, rejects, other }

private func meaning(_ utterance: String) -> Meaning {
  switch SpokenDecision(utterance: utterance) {
  case .approve: .approves
  case .reject: .rejects
  default: .other
  }
}

struct SpokenDecisionTests {
  @Test(arguments: [
    ("approve", true), ("no", true), ("repeat", false), ("explain", false), ("wait", false), ("the next item", false),
  ])
  func onlyADecisionChangesWhatIsHeld(_ utterance: String, _ decides: Bool) throws {
    #expect(try #require(SpokenDecision(utterance: utterance)).decides == decides)
  }

  static let approving = [
    "approve", "Approve.", "Approved.", "APPROVE!", "Approve it.", "approve that", "I approve.", "accept", "Accepted.",
    "Accept it.", "Yes.", "yes", "Yes, please.", "Yes, approve.", "Yes, send it.", "yes send it please",
    "Yes, go ahead.",
    "Yes, do it.", "Go ahead.", "go ahead please", "Uh, go ahead.", "Um, approve.", "Okay, approve.", "OK, send it.",
    "Okay, go ahead.", "Send it.", "send that", "Do it.", "Allow.", "Allow it.", "Allow it once.", "Please approve.",
  ]

  static let rejecting = [
    "reject", "Reject it.", "Rejected.", "No.", "no, no", "Nope.", "No, thanks.", "No, thank you.", "Cancel.",
    "Cancel that.", "cancel it please", "No, cancel that.", "Drop it.", "Discard that.", "Deny.", "Deny it.",
    "Forget it.", "Never mind.", "Don't.", "Don’t send it.", "Do not send that.", "Don't run that.", "Um, no.",
    "Okay, cancel that.", "No, don't.", "Cancelled that.", "Canceled it.",
  ]

  @Test(arguments: approving) func approves(_ utterance: String) { #expect(meaning(utterance) == .approves) }

  @Test(arguments: rejecting) func rejects(_ utterance: String) { #expect(meaning(utterance) == .rejects) }

  @Test func nothingElseEverApproves() {
    let wrong = (UndecidedSentences.all + Self.rejecting).filter { meaning($0) == .approves }
    #expect(wrong.isEmpty)
    #expect(UndecidedSentences.all.filter { meaning($0) != .other }.isEmpty)
    let count = Self.approving.count + Self.rejecting.count + UndecidedSentences.all.count
    #expect(count >= 120)
    print("\(count) phrases: \(wrong.count) false approvals")
  }

  /// Whatever word is put before, behind or into an approving phrase, it approves no more; but for politeness.
  @Test func oneMoreWordNeverApproves() {
    let words = [
      "not", "don't", "never", "wait", "but", "maybe", "if", "no", "later", "almost", "hardly", "stop", "cancel",
      "unless",
      "without", "isn't", "can't", "won't", "actually", "nothing", "all", "delete", "the",
    ]
    var tried = 0
    for phrase in Self.approving {
      let parts = phrase.split(separator: " ")
      for word in words {
        for place in 0...parts.count {
          let utterance = (parts[..<place] + [Substring(word)] + parts[place...]).joined(separator: " ")
          #expect(meaning(utterance) != .approves, "\(utterance)")
          tried += 1
        }
      }
    }
    print("\(tried) phrases with one word more: 0 false approvals")
  }

  @Test(arguments: [
    ("repeat that", SpokenDecision.again), ("Say it again, please.", .again), ("Explain.", .explain),
    ("What will happen?", .explain), ("hold on", .wait),
    ("change unit to integration", .amend(.replace(old: "unit", new: "integration"))),
    ("Change “to do” to done.", .amend(.replace(old: "“to do”", new: "done"))),
    ("Replace main with the release branch.", .amend(.replace(old: "main", new: "the release branch"))),
    ("add and then push", .amend(.add("and then push"))), ("add, also push", .amend(.add("also push"))),
  ])
  func theOtherDecisions(_ utterance: String, _ decision: SpokenDecision) {
    #expect(SpokenDecision(utterance: utterance) == decision)
  }

  @Test(
    arguments: [
      "change", "change it", "change to", "change to done", "replace with x", "change x to", "replace x to y", "add",
      "add and",
      "add also",
    ]
      // An instruction of its own, as most begin.
      + ["add logging to the database connection pool", "Add that file to git.", "add a test"])
  func anAmendmentNeedsAllItsParts(_ utterance: String) {
    #expect(SpokenDecision(utterance: utterance) == nil)
  }

  @Test func anAmendmentIsMadeWhereItsWordsAre() {
    let text = "Run the unit tests, then show the unit summary."
    #expect(
      SpokenAmendment.replace(old: "Unit summary", new: "coverage").applied(to: text)
        == "Run the unit tests, then show the coverage.")
    #expect(
      SpokenAmendment.replace(old: "unit tests", new: "linter").applied(to: text)
        == "Run the linter, then show the unit summary.")
    #expect(SpokenAmendment.replace(old: "nightly", new: "x").applied(to: text) == nil)
    #expect(SpokenAmendment.add("quickly").applied(to: "Run it.") == "Run it quickly")
    #expect(SpokenAmendment.replace(old: "run it", new: "build it").applied(to: "Run it.") == "build it.")
    #expect(SpokenAmendment.replace(old: "run it now", new: "build it").applied(to: "Run it.") == nil)
    #expect(SpokenAmendment.replace(old: "...", new: "build it").applied(to: "Run it.") == nil)
  }

  @Test(arguments: [
    ("Run the unit tests, no, I mean the integration tests.", "Run the integration tests."),
    ("open the parser no I mean run the tests", "run the tests"),
    ("check the login page on staging, sorry, I mean production", "check the login page on production"),
    ("delete the branch, scratch that, show the branch", "show the branch"),
    ("rename foo to bar, no, I mean to baz", "rename foo to baz"),
    ("open a, no, I mean b, no, I mean c", "open c"),
    ("read the first file, no, I mean the second file", "read the second file"),
    ("look in the unit tests of the parser, no, I mean the linter", "look in the unit tests of the linter"),
    ("set the limit to fifteen, no, I mean fifty", "set the limit to fifty"),
    ("Open the parser. Then run it. No, I mean run the linter.", "Open the parser. Then run the linter."),
    ("build it, sorry, no, I mean test it, or rather check it", "check it"),
    ("Rename foo and then test it, or rather run the linter.", "Rename foo and then run the linter."),
    ("In the commit message I meant to say parser.", "In the commit message I meant to say parser."),
    ("I mean what I say", "I mean what I say"),
    ("run the tests", "run the tests"),
    ("no, I mean the other file", "no, I mean the other file"),
    ("run the tests no I mean", "run the tests no I mean"),
  ])
  func theLastVersionIsKept(_ said: String, _ meant: String) {
    #expect(SelfCorrection.lastVersion(of: said) == meant)
  }

  /// What corrects now and then only is left as it was said: whoever reads it understands it.
  @Test(arguments: [
    ("Delete the branch, no, wait a second.", true), ("Push the commit, sorry, my mistake.", false),
    ("open the test file, no, wait, the other file", true), ("delete it, no, wait", true),
    ("Yes to the first, no to the second.", false), ("Make sure there is no wait before the retry.", false),
    ("Write a parser from scratch that handles nested quotes.", false),
    ("Delete everything in scratch. That folder is not needed.", false), ("Never push to main, no, I mean it.", true),
    ("Is this a bug, or rather a feature?", false), ("Print this or rather that.", false),
    ("What I meant to say is that the parser is slow.", false), ("Delete the folder, no, I mean rename it.", true),
    ("Delete the branch. No, I mean, keep it.", true), ("Push to main, no, I mean don't.", true),
    ("Remove the cache, no, I mean disable it.", true), ("Commit everything, no, I mean only the tests.", true),
    ("all of them now, no, I mean most", true), ("the red one, no, I mean the blue one", true),
    ("The tests say no, I mean that they fail.", false), ("If the flag says no, I mean false, return early.", false),
    ("The answer is no, I mean that the test fails.", false),
    ("The linter says sorry, I mean it prints an error.", false),
    ("Push the branch, no weight, don't push it yet.", true), ("Delete the old branch, no way.", true),
    ("push it. No, don't.", true), ("push it, actually don't", true), ("Push the branch, wait.", true),
    ("push it, hold on", true), ("push it, no", true), ("delete it, sorry, I meant", true),
    ("run it, never mind", true),
    ("Does it pass, or not?", false), ("Fix it, now.", false), ("Add a label that says wait", false),
    ("Write this:\n  a\n  b, no, I mean c", false),
  ])
  func whatMayMeanSomethingElseStays(_ said: String, mayTakeBack: Bool) {
    #expect(SelfCorrection.lastVersion(of: said) == said)
    #expect(SelfCorrection.mayTakeBack(said) == mayTakeBack)
  }

  /// Nobody corrects what he said minutes ago, and nobody decides in a paragraph.
  @Test(arguments: [(Limits.repairedWords, true), (Limits.repairedWords + 1, false)])
  func aCorrectionIsLookedForUpToALimit(_ count: Int, _ isCorrected: Bool) {
    let text = "open " + String(repeating: "it ", count: count - 6) + "no I mean stop it"
    #expect(text.split(separator: " ").count == count)
    #expect(SelfCorrection.lastVersion(of: text) == (isCorrected ? "stop it" : text))
  }

  @Test(arguments: [(400, true), (401, false)]) func aDecisionIsShort(_ bytes: Int, _ isOne: Bool) {
    let words = "change a to "
    let text = words + String(repeating: "b", count: bytes - words.utf8.count)
    #expect((SpokenDecision(utterance: text) != nil) == isOne)
  }

  @Test(arguments: ["uh-huh", "Mm-hmm.", "Okay.", "Yeah, yeah.", "I see.", "Um.", "Oh", "Right."])
  func anAcknowledgementIsNoTurn(_ utterance: String) { #expect(SpokenWords(utterance).isBackchannel) }

  @Test(arguments: ["stop", "no", "wait", "yes", "okay stop", "right there is the bug", "what"])
  func aTurnIsNoAcknowledgement(_ utterance: String) { #expect(!SpokenWords(utterance).isBackchannel) }

  @Test func wordsAreFoundInWordsHoweverAlikeTheyAre() {
    let many = SpokenWords(String(repeating: "a ", count: 40_000) + "b")
    let most = SpokenWords(String(repeating: "a ", count: 20_000) + "c")
    #expect(!many.contains(most))
    for text in ["a b a b a c", "a a a b", "b a", ""] {
      for part in ["a b a c", "a a b", "a", "b a", "c", "a b a b a c", "a b c", "a b a", "a a"] {
        let (words, wanted) = (SpokenWords(text).words, SpokenWords(part).words)
        let isThere = (0...max(0, words.count - wanted.count)).contains { words[$0...].starts(with: wanted) }
        #expect(SpokenWords(text).contains(SpokenWords(part)) == isThere, "“\(part)” in “\(text)”")
      }
    }
  }
}
