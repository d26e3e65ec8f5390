import Testing
import VoiceCore
import VoiceLive
import VoiceSound
import VoiceTesting
import VoiceVocabulary
import VoiceWebSocket
@testable import VoiceLanguage
@testable import VoiceLocal

@Suite(.serialized, .enabled(if: missing == nil, Comment(rawValue: missing ?? "")))
struct MoonshineRecogniserTests {
  private func recogniser(expecting words: ExpectedWords = ExpectedWords()) throws -> MoonshineRecogniser {
    let models = try models()
    let made = try MoonshineRecogniser(library: models.inferenceLibrary, files: models.baseRecogniser)
    made.expect(words)
    return made
  }

  private func sound(_ name: String) throws -> [Float] {
    try #require(try SpokenRecording.all().first { $0.name == name }).samples.map(PCM.value)
  }

  @Test func aSearchThatExpectsNothingHearsWhatIsSaid() throws {
    let recogniser = try recogniser()
    let found = try recogniser.recognise(try sound("d16_piper_joe.wav"))
    #expect(found.text == "Write a regular expression that matches an email address.")
    #expect(found.words.count == 9)
    #expect(found.words.allSatisfy { $0.score <= 0 && $0.score > -2 })
  }

  /// "nart mode" is no feature: the search leans towards what is expected, and only where it sounds alike.
  @Test func aWordThatIsExpectedIsHeardWhereItWasMisheard() throws {
    let name = "d14_espeak_us_pink10.wav"
    #expect(try recogniser().recognise(try sound(name)).text.contains("dark") == false)
    let expecting = ExpectedWords([ExpectedWord("feature dark mode"), ExpectedWord("feature")])
    #expect(try recogniser(expecting: expecting).recognise(try sound(name)).text.lowercased().contains("dark mode"))
    let other = ExpectedWords([ExpectedWord("Kubernetes"), ExpectedWord("nginx")])
    #expect(
      try recogniser(expecting: other).recognise(try sound("d16_piper_joe.wav")).text
        == "Write a regular expression that matches an email address.")
  }

  /// Whatever is expected, "stop" stays what it is.
  @Test func nothingLeansTowardsADecision() throws {
    let expecting = ExpectedWords(["stub", "knows", "yeast", "app rove"].map { ExpectedWord($0) })
    for (name, text) in [
      ("cmd_stop_flite_rms.wav", "stop"), ("cmd_no_flite_rms.wav", "no"), ("cmd_yes_flite_rms.wav", "yes"),
    ] {
      let found = try recogniser(expecting: expecting).recognise(try sound(name))
      #expect(found.text.spelledWords == [text])
    }
  }

  /// What else is heard depends on how the processor rounds sums of eight-bit products.
  @Test(arguments: [
    ("cmd_test_it_flite_kal16.wav", "Test it."), ("cmd_add_a_test_flite_slt.wav", "Add a test."),
    ("d26_espeak_f2.wav", "There are eighteen warnings and six errors."),
  ])
  func aTextIsHeardWhereSomethingElseIsLittleLikelierInTheSoundAsItIs(_ name: String, _ text: String) throws {
    let found = try recogniser().recognise(try sound(name))
    #expect(found.text.spelledWords == text.spelledWords)
    #expect(try #require(found.others.first).text.spelledWords != text.spelledWords)
  }

  /// What only a key approves is not to be carried out unseen.
  @Test func anActIsHeardWhereSomethingHarmlessIsLittleLikelierAndIsNoMoreThanAGuess() throws {
    let recogniser = try recogniser()
    let heard = recogniser.written(try recogniser.recognise(try sound("cmd_undo_that_flite_slt.wav")))
    #expect(heard.text == "Undo that.")
    #expect(heard.hearing.beginsWithGuess && !heard.hearing.isGuess)
    #expect(heard.hearing.alternatives.first.map(\.spelledWords) != ["undo", "that"])
  }

  @Test func nothingIsHeardInNoise() throws {
    let recogniser = try recogniser()
    for recording in try SpokenRecording.all() where recording.kind == "nonspeech" {
      #expect(Filler.removed(from: try recogniser.recognise(recording.samples.map(PCM.value)).text) == "")
    }
    var state: UInt32 = 7
    for count in [1, 500, 1_700, 16_000, 32_000, 80_000] {
      let noise = (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return (Float(state >> 8) / Float(1 << 24) - 0.5) * 0.2
      }
      #expect(Filler.removed(from: try recogniser.recognise(noise).text) == "")
      #expect(Filler.removed(from: try recogniser.recognise(noise.map { $0 * 1e-4 }).text) == "")
    }
  }

  @Test func howLikelyATextIsTellsIt() throws {
    let recogniser = try recogniser()
    _ = try recogniser.recognise(try sound("cmd_stop_flite_rms.wav"))
    let scores = try recogniser.scores(of: ["Stop.", "Yes.", "Approve."])
    #expect(scores[0] > -6)
    #expect(scores[1] < -10 && scores[2] < -10)
  }

  @Test func damagedFilesAreToldAndNotRun() throws {
    let models = try models()
    let files = models.baseRecogniser
    for wrong in [
      (files.tokens, files.decoder, files.tokens), (files.encoder, files.decoder, files.encoder),
      (files.encoder, "/nowhere", files.tokens), (files.encoder, files.decoder, models.tinyRecogniser.tokens + "x"),
    ] {
      #expect(throws: SpeechFailure.self) {
        try MoonshineRecogniser(
          library: models.inferenceLibrary, files: (encoder: wrong.0, decoder: wrong.1, tokens: wrong.2))
      }
    }
  }

  /// "Dove it", in a project that has a type "DoIt".
  @Test func namesOfAProjectMakeNoApproval() throws {
    let heard = try SpokenRecording.samples(of: "phrase_yes_please_dove_it_flite_slt.wav").map(PCM.value)
    let expecting = ExpectedWords(names: ["SendIt", "GoAhead", "ApproveIt", "DoIt"])
    #expect(SpokenDecision(utterance: try recogniser(expecting: expecting).recognise(heard).text) == nil)
  }
}
