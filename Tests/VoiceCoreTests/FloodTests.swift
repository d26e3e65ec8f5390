import Testing
import VoiceCore
import VoiceLanguage
import VoiceReplay
import VoiceVocabulary

/// Text without an end, and more of everything than anybody says: what waits stays small, so that each further piece costs
/// what the first one did. The time limit is for what would take hours otherwise.
@Suite(.timeLimit(.minutes(5))) struct FloodTests {
  private static let pieces = 20_000

  // MARK: An answer

  @Test(arguments: [
    "abcde", "ab, c", "a\u{301}\u{301}\u{301}\u{301}", "     ", "| a |", "```ab", "-----", "- - -", "<!-- ", ".....",
    "e.g. ", "`a b`", "(((((", "\u{3042}\u{3042}", "\u{1F468}\u{200D}",
  ]) func anAnswerWithoutAnEndKeepsLittleWaiting(_ piece: String) {
    for beginning in ["", "x", "| a | b |\n", "```\n", "<!-- a\n", "    ", "> "] {
      var chunker = SentenceChunker()
      var most = 0
      var spoken = chunker.append(beginning)
      // Alone, and then several at once: the same text is there sooner.
      for count in 0..<600 {
        spoken += chunker.append(String(repeating: piece, count: count < 150 ? 1 : 4))
        most = max(most, chunker.waitingBytes)
      }
      #expect(most <= Limits.spokenPieceBytes + Limits.spokenLineBytes + 100, "after “\(beginning)”")
      spoken += chunker.flush()
      #expect(spoken.allSatisfy { !$0.isEmpty })
    }
  }

  @Test func wordsBehindEndlessWhiteSpaceAreStillSpoken() {
    var chunker = SentenceChunker()
    for _ in 0..<3_000 { #expect(chunker.append("     ").isEmpty) }
    #expect(chunker.append("All tests pass.") + chunker.flush() == ["All tests pass."])
  }

  @Test func aLongParagraphBehindATableIsSpokenWhole() {
    let words = (1...600).map { "word\($0)" }.joined(separator: " ")
    var chunker = SentenceChunker()
    var spoken = chunker.append("| a | b |\n|---|---|\n| 1 | 2 |\n")
    for word in words.split(separator: " ") { spoken += chunker.append(word + " ") }
    spoken += chunker.flush()
    #expect(spoken.joined(separator: " ").hasSuffix(words))
  }

  @Test func theEndOfALongCommentIsSeen() {
    var chunker = SentenceChunker()
    var spoken = chunker.append("<!-- note\n")
    for _ in 0..<2_000 { spoken += chunker.append("hidden") }
    spoken += chunker.append(" --> ")
    for _ in 0..<2_000 { spoken += chunker.append("hidden") }
    spoken += chunker.append("\nAll tests pass.\n") + chunker.flush()
    #expect(spoken == ["All tests pass."])
  }

  @Test func aMillionSentencesAtOnceAreCutOneByOne() {
    var chunker = SentenceChunker()
    let text = String(repeating: "It is so. ", count: 100_000)
    #expect((chunker.append(text) + chunker.flush()).count == 100_000)
  }

  @Test func anAnswerThatIsNeverOverIsShownAndSpokenInParts() throws {
    var talk = Talk(InteractionSettings { $0.mode = .direct })
    try talk.work()
    var shown = 0
    for _ in 0..<Self.pieces {
      let actions = talk.give(.agentReported(run: talk.run, event: .text(delta: "abcde")), after: 1)
      shown += actions.count { if case .show(.agentText) = $0 { true } else { false } }
      _ = talk.controller.digest
    }
    #expect(shown == Self.pieces, "all of it is on the screen")
    #expect(talk.controller.speech.queue.count <= Limits.waitingPieces)
    #expect(try talk.command("halt").contains(.cancelRun(run: talk.run)))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatNobodyListensToTheEndOfIsOnlyShownAndSaidToBe() throws {
    var talk = Talk(InteractionSettings { $0.mode = .direct })
    try talk.work()
    var warnings = 0
    for index in 0..<Limits.waitingPieces + 500 {
      let actions = talk.give(
        .agentReported(run: talk.run, event: .text(delta: "This is sentence \(index). ")), after: 1)
      warnings += actions.count { if case .show(.warning) = $0 { true } else { false } }
    }
    #expect(talk.controller.speech.queue.count == Limits.waitingPieces)
    #expect(warnings == 1)
  }

  @Test func aLongTitleIsSaidInPart() throws {
    var talk = Talk(InteractionSettings { $0.mode = .direct })
    try talk.work()
    var request = Talk.permission
    request.title = String(repeating: "*)", count: 1_000_000)
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: request)))
    #expect(talk.controller.held.count == 1)
    let waiting = talk.controller.speech.queue.reduce(0) { $0 + $1.text.count }
    #expect(waiting <= 4 * Limits.spokenCharacters)
  }

  // MARK: What is heard

  @Test(arguments: [true, false]) func aTranscriptThatIsNeverOverIsShownOnce(_ isFinal: Bool) {
    var talk = Talk()
    talk.give(.voiceStarted(detector: .model))
    var shown = 0
    for _ in 0..<Self.pieces {
      let actions = talk.give(
        .userTranscribed(connection: talk.connection, text: "abcd ", isFinal: isFinal), after: 1)
      for case .show(.heard(let text)) in actions { shown += text.utf8.count }
      _ = talk.controller.digest
    }
    #expect(shown <= Self.pieces * 5 + 400 * Limits.shownTranscriptBytes)
    #expect(!isFinal || shown >= Self.pieces * 4)
  }

  @Test func wordsOverAnAnswerAreComparedWithItWhileTheyAreFew() throws {
    var talk = Talk(
      InteractionSettings {
        $0.mode = .direct
        $0.interruptedBy = .model
      })
    try talk.work()
    let sentence = "The tests of the parser pass, and the build is clean again after the change. "
    talk.answer(String(repeating: sentence, count: 3))
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voicePaused(detector: .model))
    talk.give(.timerFired(timer: .interruption), after: 600)
    var interrupted = false
    for _ in 0..<Self.pieces / 10 {
      let actions = talk.give(.userTranscribed(connection: talk.connection, text: sentence, isFinal: false), after: 1)
      interrupted = interrupted || actions.contains(.show(notice: .bargedIn))
    }
    #expect(interrupted, "what goes on for minutes is no echo")
  }

  @Test func aModelThatNeverStopsTalkingIsRememberedInPart() {
    var talk = Talk()
    for _ in 0..<Self.pieces {
      talk.give(.modelTranscribed(connection: talk.connection, text: "one two three "), after: 1)
      _ = talk.controller.digest
    }
    #expect(talk.controller.speech.hasJustSaid(SpokenWords("two three one"), at: talk.time))
  }

  // MARK: What waits

  @Test func anAgentThatAsksForEverIsRefused() throws {
    var talk = Talk(InteractionSettings { $0.mode = .direct })
    try talk.work()
    var refused = 0
    for index in 0..<1_000 {
      var request = Talk.permission
      request.id = .init(rawValue: "p\(index)")
      let actions = talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: request)), after: 1)
      refused += actions.count { if case .answerPermission(_, _, .rejectOnce, _) = $0 { true } else { false } }
    }
    #expect(talk.controller.held.count == Limits.heldItems)
    #expect(refused == 1_000 - Limits.heldItems)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aModelThatProposesForEverIsRefusedAndTheUserIsTold() {
    var talk = Talk()
    var told = 0
    for index in 0..<1_000 {
      talk.give(.userTranscribed(connection: talk.connection, text: "do \(index)", isFinal: true), after: 1)
      let actions = talk.propose("do \(index)")
      #expect(actions.contains { if case .answerCall = $0 { true } else { false } })
      told += actions.count { if case .show(.error) = $0 { true } else { false } }
    }
    #expect(talk.controller.held.count == Limits.heldItems)
    #expect(told == 1_000 - Limits.heldItems)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anInstructionInEndlessPiecesIsEndedByTheUser() {
    var settings = InteractionSettings()
    settings.longThought = true
    var talk = Talk(settings)
    var refused = 0
    for index in 0..<Limits.draftPieces + 50 {
      talk.give(.userTranscribed(connection: talk.connection, text: "piece \(index)", isFinal: true), after: 1)
      let actions = talk.propose("piece \(index)")
      refused += actions.count { if case .show(.error) = $0 { true } else { false } }
    }
    #expect(refused == 50)
  }

  @Test(arguments: [
    String(repeating: "a", count: 99_000), String(repeating: "a no i mean b ", count: 7_000),
    String(repeating: "word ", count: 19_000), String(repeating: "[^", count: 49_000),
  ]) func aProposalOfAnyShapeIsTaken(_ text: String) {
    var talk = Talk()
    talk.give(.wordsLearned(words: ProjectWords(names: ["InteractionController", "SessionRules"], corrections: [])))
    talk.give(.userTranscribed(connection: talk.connection, text: text, isFinal: true))
    talk.propose(text)
    #expect(talk.controller.held.count == 1)
  }
}
