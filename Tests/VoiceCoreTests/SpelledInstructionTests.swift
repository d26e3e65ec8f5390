import Testing
import VoiceCore
import VoiceVocabulary

struct SpelledInstructionTests {
  private static func held(_ talk: Talk) -> Instruction? {
    if case .instruction(let instruction) = talk.controller.held.last?.content { instruction } else { nil }
  }

  @Test func aSpelledWordIsHeldAsAWordAndTold() {
    var talk = Talk(.init { $0.mode = .review })
    let said = "Open the file partly, spelled P-A-R-L-E-Y."
    let actions = talk.say(said)
    #expect(Self.held(talk)?.text == "Open the file parley.")
    #expect(Self.held(talk)?.heard == said)
    #expect(actions.contains(.show(notice: .selfCorrected(said: said, meant: "Open the file parley."))))
  }

  @Test func directModeSendsTheWord() {
    var talk = Talk(.init { $0.mode = .direct })
    let actions = talk.say("Create a branch, spell papa alpha romeo.")
    let sent = actions.compactMap { if case .enterInLedger(_, let sent) = $0 { sent.text } else { nil } }
    #expect(sent == ["Create a branch par."])
  }

  @Test func aHeldInstructionIsAmendedAndExtendedBySpelling() throws {
    var talk = Talk(.init { $0.mode = .review })
    talk.say("Open the file partly.")
    talk.say("Change partly to spell P-A-R-L-E-Y.")
    #expect(Self.held(talk)?.text == "Open the file parley.")
    try talk.command("extend")
    talk.say("And the folder, spell S R C.")
    #expect(Self.held(talk)?.text == "Open the file parley. And the folder src.")
  }

  /// Whatever was spelled is looked at as it is sent.
  @Test(arguments: ["Spell D E L E T E the old fixtures.", "Run spell romeo mike end spell on the folder build."])
  func anActThatIsSpelledTakesAKey(_ said: String) {
    var talk = Talk(.init { $0.mode = .review })
    talk.say(said)
    #expect(Self.held(talk)?.text != said)
    let actions = talk.say("Approve.")
    #expect(!actions.isApproval)
    #expect(actions.refusal != nil)
    #expect(Self.held(talk) != nil)
  }

  /// What is taken back is looked at before it leaves, whether the correction could be resolved or its words stay.
  @Test(arguments: [
    ("Open the parser, no, wait, the lexer.", "Open the parser, no, wait, the lexer."),
    ("Open the parser, no, I mean the lexer.", "Open the lexer."),
    ("Push the branch. No, don't.", "Push the branch. No, don't."),
    ("Open the parser.", nil),
  ])
  func whatSeemsToBeTakenBackIsHeldInDirectMode(_ said: String, held: String?) {
    var talk = Talk(.init { $0.mode = .direct })
    talk.say(said)
    #expect(talk.heldTexts == (held.map { [$0] } ?? []))
  }

  /// An approval is said, not spelled; neither are its letters an instruction that approves.
  @Test func aSpelledApprovalIsAnInstruction() {
    var talk = Talk(.init { $0.mode = .review })
    talk.say("Run the tests.")
    #expect(!talk.say("Spell A P P R O V E.").isApproval)
    #expect(talk.heldTexts.count == 2)
  }
}
