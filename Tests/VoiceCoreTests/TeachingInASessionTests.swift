import Testing
import VoiceCore
import VoiceLanguage
import VoiceVocabulary

private struct Session {
  var controller = InteractionController()
  var time = SessionTime.zero
  var calls = 0
  let connection = ConnectionID(rawValue: 1)

  init(names: [String]) {
    _ = give(
      .sessionStarted(
        settings: InteractionSettings {
          $0.mode = .review
          $0.readsBack = false
        }))
    _ = give(.linkReady(connection: connection, resumed: false))
    _ = give(.wordsLearned(words: ProjectWords(names: names)))
  }

  mutating func give(_ event: VoiceEvent) -> [VoiceAction] {
    time = time.advanced(byMilliseconds: 1_000)
    return controller.handle(event, at: time)
  }

  mutating func say(_ text: String) -> [VoiceAction] {
    calls += 1
    _ = give(.userTranscribed(connection: connection, text: text, isFinal: true))
    return give(
      .instructionProposed(call: CallID(connection: connection, id: "\(calls)", tool: "converse"), text: text))
  }

  var heldInstruction: Instruction? {
    if case .instruction(let instruction) = controller.held.first?.content { return instruction }
    return nil
  }
}

@Test func aSpokenInstructionIsHeldRepairedWithWhatWasHeardBesideIt() {
  var session = Session(names: ["InteractionController", "RetryLoop"])
  _ = session.say("rename interaction controller and fix the retrial loop")
  let held = session.heldInstruction
  #expect(held?.text == "rename InteractionController and fix the retrial loop")
  #expect(held?.heard == "rename interaction controller and fix the retrial loop")
  #expect(held?.repair?.raw == "rename interaction controller and fix the retrial loop")
  #expect(held?.markedText == "rename InteractionController and fix the retrial loop [RetryLoop?]")
  #expect(
    held?.prompt(introduction: "Spoken.")
      == "rename InteractionController and fix the retrial loop\n\n(Spoken. “retrial loop” may mean “RetryLoop”.)")
  #expect(held?.prompt(introduction: nil) == held?.text)
}

/// A note beside it would make plain words of it.
@Test func aSpokenCommandOfTheAgentIsGivenAsItIs() {
  let command = Instruction(id: InstructionID(rawValue: 1), text: "/compact", heard: "slash compact", source: .voice)
  #expect(command.prompt(introduction: "Spoken.") == "/compact")
}

@Test func anEditIsKeptAndUsedInTheNextInstruction() {
  var session = Session(names: [])
  _ = session.say("restart the sillarow service")
  let kept = session.give(.commandGiven(command: .amend(text: "restart the silero service")))
  let lessons = [Correction(heard: "sillarow", meant: "silero", before: "the", after: "service")]
  #expect(kept.contains(.keepCorrections(corrections: lessons)))
  #expect(kept.contains(.show(notice: .learned(correction: lessons[0]))))
  _ = session.give(.commandGiven(command: .reject(reason: nil)))
  _ = session.say("stop sillarow")
  #expect(session.heldInstruction?.text == "stop silero")
}

@Test func aTypedInstructionIsNeitherRepairedNorALesson() {
  var session = Session(names: ["EventInbox"])
  _ = session.give(.commandGiven(command: .say(text: "the event inbox class, sillarow")))
  #expect(session.heldInstruction?.text == "the event inbox class, sillarow")
  let edited = session.give(.commandGiven(command: .amend(text: "the event inbox class, silero")))
  #expect(!edited.contains { if case .keepCorrections = $0 { true } else { false } })
}
