import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// A run whose answer is read aloud, as fast as a voice gives it: all of it is at the speaker, and its first sentence is
/// heard, when the agent asks.
private struct Reading {
  var talk = Talk()
  private(set) var asked: [VoiceAction] = []

  init(_ sentences: [String]) throws {
    try talk.work()
    for sentence in sentences { talk.give(.agentReported(run: talk.run, event: .text(delta: sentence + " "))) }
    talk.give(.agentReported(run: talk.run, event: .paragraphEnded))
    while let piece = talk.controller.speech.requested {
      give(piece)
    }
    start()
    asked = talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    while let piece = talk.controller.speech.requested { give(piece) }
  }

  private mutating func give(_ piece: SpeechRegion.Piece) {
    talk.give(.speechAudio(speech: piece.id, audio: SpeechAudio(samples: [Int16](repeating: 1, count: 48_000))))
    talk.give(.speechEnded(speech: piece.id))
  }

  private mutating func start() {
    if let first = talk.controller.speech.playing.first { talk.give(.playbackStarted(speech: first.id)) }
  }

  /// What is heard now; empty if nothing is.
  var heard: String { talk.controller.speech.playing.first?.text ?? "" }

  /// What is heard now is over, and what comes then is given by the voice.
  @discardableResult mutating func finishSentence() -> [VoiceAction] {
    guard let first = talk.controller.speech.playing.first else { return [] }
    let actions = talk.give(.playbackEnded(speech: first.id), after: 2_000)
    while let piece = talk.controller.speech.requested { give(piece) }
    start()
    return actions
  }

  /// Everything from now on, sentence by sentence.
  mutating func rest() -> [String] {
    var texts: [String] = []
    while !heard.isEmpty {
      texts.append(heard)
      finishSentence()
    }
    return texts
  }
}

private let long = ["First", "Second", "Third", "Fourth", "Fifth"].map {
  "\($0) comes a sentence of an answer that takes a while to be read."
}
private let question = "The agent asks. Run make. Allow it?"

@Test func whatTheAgentWaitsForIsSaidBehindTheSentenceThatIsBeingSaid() throws {
  var reading = try Reading(long)
  #expect(reading.asked.contains(.playEarcon(earcon: .waiting)))
  #expect(!reading.asked.contains(.clearPlayback), "a sentence is said to its end")
  let first = reading.heard
  let rest = reading.rest()
  #expect(rest.first == first)
  #expect(rest.dropFirst().first == question, "\(rest)")
  #expect(rest.filter { $0 != question } == [first] + Array(long.dropFirst()), "\(rest)")
  #expect(reading.talk.rules.violations.isEmpty)
}

@Test func aShortAnswerIsOftenTheReasonAndComesFirst() throws {
  var reading = try Reading(["The tests are old.", "I run them anew."])
  let rest = reading.rest()
  #expect(rest.last == question && rest.count == 3, "\(rest)")
}

@Test func aDecisionDoesNotCutTheSentenceBeforeTheQuestion() throws {
  var reading = try Reading(["The tests are old.", "I run them anew."])
  let decided = try reading.talk.command("approve")
  #expect(decided.isApproval)
  #expect(!decided.contains(.clearPlayback))
  #expect(reading.rest() == ["The tests are old.", "I run them anew."])
}

/// The sentence before it is being heard. The voice gives one piece at a time: one that nobody will hear holds up the next.
@Test func aQuestionThatIsDecidedBeforeItHasSoundIsNotAskedForAnyMore() throws {
  var talk = Talk()
  try talk.work()
  talk.answer("The tests are old.")
  talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
  let asked = try #require(talk.controller.speech.requested)
  #expect(asked.text == question)
  let decided = try talk.command("approve")
  #expect(decided.contains(.cancelSpeech(speech: asked.id)))
  #expect(!decided.contains(.clearPlayback))
  #expect(talk.controller.speech.playing.map(\.text) == ["The tests are old."])
}

@Test func aQuestionThatIsDecidedWhileItWaitsStopsNothingElse() throws {
  var talk = Talk()
  try talk.work()
  talk.answer("The tests are old. I run them anew.")
  let asked = try #require(talk.controller.speech.requested)
  talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
  #expect(talk.controller.speech.queue.last?.text == question)
  let decided = try talk.command("approve")
  #expect(!decided.contains { if case .cancelSpeech = $0 { true } else { false } })
  #expect(talk.controller.speech.requested == asked)
  #expect(!talk.controller.speech.queue.contains { $0.text == question })
}

@Test func aDecisionCutsTheQuestionAndTheAnswerGoesOn() throws {
  var reading = try Reading(long)
  reading.finishSentence()
  #expect(reading.heard == question)
  #expect(try reading.talk.command("approve").contains(.clearPlayback))
  while let piece = reading.talk.controller.speech.requested {
    reading.talk.give(.speechAudio(speech: piece.id, audio: SpeechAudio(samples: [1])))
    reading.talk.give(.speechEnded(speech: piece.id))
  }
  #expect(reading.rest().count == 4)
}

/// Where requests take a key, words may still ask what would happen.
@Test(arguments: [
  ("What will happen?", false), ("Say it again.", false), ("hold on", false), ("approve", true), ("no", true),
])
func aRequestIsLookedIntoByVoiceAndDecidedByKey(_ words: String, _ isRefused: Bool) throws {
  var talk = Talk(.init { $0.spokenDecisions = .instructions })
  try talk.work()
  talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
  let actions = talk.say(words)
  #expect((actions.refusal == "Requests of the agent take a key here.") == isRefused)
  #expect(talk.heldTexts == ["Run make"])
}

/// Up to the limit nothing is cut; beyond it, a text is cut at a word.
@Test(arguments: [(0, 1), (1, 2)]) func aTextIsSpokenInPiecesUpToTheLimit(_ more: Int, _ count: Int) {
  let text = "word " + String(repeating: "x", count: Limits.spokenPieceCharacters - 5 + more)
  let pieces = text.spokenPieces()
  #expect(pieces.count == count && pieces.joined(separator: " ") == text)
}
