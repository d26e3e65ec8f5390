import Testing
import VoiceCore

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
  @Test(arguments: [("approve", true), ("no", true), ("repeat", false), ("explain", false), ("wait", false)])
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
    "Okay, cancel that.", "No, don't.",
  ]

  /// Negated, hedged, questioned, quoted, longer, or about something else.
  static let undecided = [
    // Negated.
    "Okay, wait, don't run that.", "Not okay.", "Not approved.", "I do not approve.", "I don't approve that.",
    "Don't approve.", "Do not approve it.", "Never approve that.", "Not yes.", "No, don't go ahead.", "Don't go ahead.",
    "Do not go ahead.", "I can't approve this.", "I would not approve that.", "Please don't send it yet.",
    "Disapprove.", "Unapprove.", "No go ahead.", "No approve.", "No, yes.", "Not that.", "No way, send it back.",
    "Don't do it yet.", "Approve not.", "Yes, no.", "Yes and no.", "Yes, don't.", "Do it not.", "Won't approve.",
    // Hedged.
    "Yes, but first run the tests.", "Yes but", "Yes, but only in the sandbox.", "Maybe.", "Maybe approve.",
    "I think approve.", "I guess so.", "Probably yes.", "Perhaps go ahead.", "Sure, I guess.",
    "Yes, if the tests pass.",
    "Approve if it is safe.", "Approve, I think.", "Go ahead, unless it deletes something.", "Kind of yes.",
    "Yes, wait.", "Approve, wait.", "Go ahead and wait.", "Almost approve.", "Approve, but not now.", "Approve later.",
    "Go ahead tomorrow.", "Yes, in a minute.", "Well, yes, hm, let me see.", "Not yet.", "Wait.", "Hold on.",
    "One moment.", "Let me think.", "Approve? No.", "Yes? I mean no.",
    // Questions and quotations.
    "Should I approve?", "Shall we go ahead?", "What if I approve?", "What happens if I say yes?", "Can you approve?",
    "Did I approve that?", "Who approved it?", "He said yes.", "She said go ahead.", "The word is approve.",
    "If I say approve it runs.", "Say approve.", "Is it a yes?", "Approve or reject?", "Yes or no?", "Why approve?",
    // One more word.
    "Approve everything.", "Approve all of them.", "Approve the second one.", "Approve both.", "Yes to all.",
    "Yes, delete the folder.", "Go ahead and delete everything.", "Send it to production.", "Send it to Peter.",
    "Do it again.", "Do it differently.", "Allow network access.", "Accept the incoming changes.", "Yes, yesterday.",
    "Approve the pull request on GitHub.", "Always allow.", "Allow everything from now on.", "Yes master.",
    "Approve approve approve", "Go ahead home.", "Send it and then push.", "Yes I said no.", "Approve that function.",
    // Only acknowledging.
    "Okay.", "OK", "Sure.", "Fine.", "Right.", "Alright.", "All right.", "Yeah.", "Uh-huh.", "Mm-hmm.", "I see.",
    "Got it.", "Good.", "Great.", "Sounds good.", "Looks good to me.", "Cool.", "Thanks.", "Perfect.", "Mhm.",
    // Foreign to the grammar, or heard wrongly.
    "Run the tests.", "Why is the build failing?", "Prove.", "Improve.", "A prove", "Except.", "Yesterday.",
    "Yes.yes.no",
    "", " ", "…", "Ja.", "Oui.", "Sí, adelante.", "Да.", "はい", "👍", "y", "Y E S", "approove", "aprove", "approver",
    "approval", "go head", "goahead", "send", "it", "send them", "ahead", "a lot", "do", "know", "now", "nose",
  ]

  @Test(arguments: approving) func approves(_ utterance: String) { #expect(meaning(utterance) == .approves) }

  @Test(arguments: rejecting) func rejects(_ utterance: String) { #expect(meaning(utterance) == .rejects) }

  @Test func nothingElseEverApproves() {
    let wrong = (Self.undecided + Self.rejecting).filter { meaning($0) == .approves }
    #expect(wrong.isEmpty)
    #expect(Self.undecided.filter { meaning($0) != .other }.isEmpty)
    let count = Self.approving.count + Self.rejecting.count + Self.undecided.count
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
    ("add and then push", .amend(.add("and then push"))),
  ])
  func theOtherDecisions(_ utterance: String, _ decision: SpokenDecision) {
    #expect(SpokenDecision(utterance: utterance) == decision)
  }

  @Test(arguments: ["change", "change it", "change to", "replace with x", "change x to", "replace x to y", "add"])
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
  }

  @Test(arguments: [
    ("Run the unit tests, no, I mean the integration tests.", "Run the integration tests."),
    ("open the parser no I mean run the tests", "run the tests"),
    ("check the login page on staging, sorry, I mean production", "check the login page on production"),
    ("delete the branch, scratch that, show the branch", "show the branch"),
    ("rename foo to bar, no, I mean to baz", "rename foo to baz"),
    ("open a, no, I mean b, no, I mean c", "open c"),
    ("I mean what I say", "I mean what I say"),
    ("run the tests", "run the tests"),
    ("no, I mean the other file", "no, I mean the other file"),
    ("run the tests no I mean", "run the tests no I mean"),
  ])
  func theLastVersionIsKept(_ said: String, _ meant: String) {
    #expect(SelfCorrection.lastVersion(of: said) == meant)
  }

  @Test(arguments: ["uh-huh", "Mm-hmm.", "Okay.", "Yeah, yeah.", "I see.", "Um.", "Oh", "Right."])
  func anAcknowledgementIsNoTurn(_ utterance: String) { #expect(SpokenWords(utterance).isBackchannel) }

  @Test(arguments: ["stop", "no", "wait", "yes", "okay stop", "right there is the bug", "what"])
  func aTurnIsNoAcknowledgement(_ utterance: String) { #expect(!SpokenWords(utterance).isBackchannel) }
}
