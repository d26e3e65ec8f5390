import Testing
import VoiceVocabulary

@testable import VoiceLocal

struct TurnTrialTests {
  private let word = (0..<16_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }

  private func silence(_ milliseconds: Int) -> [Int16] {
    [Int16](repeating: 2, count: milliseconds * PCM.microphoneRate / 1000)
  }

  /// What becomes of a word, a pause and another word.
  private func turns(
    pausing milliseconds: Int, after text: String, completeness: Float?, workMilliseconds: Int = 0
  ) async -> [TurnTrial.Turn] {
    var count = 0
    return await TurnTrial.turns(
      in: silence(1_000) + word + silence(milliseconds) + word,
      detector: VoiceActivityDetector(silenceMilliseconds: 1_000), preferredSilenceMilliseconds: 1_000
    ) { samples, _ in
      count += 1
      let isFirst = samples.count < PCM.microphoneRate * 2
      return (.success(HeardSpeech(isFirst ? text : text + " end.", completeness: completeness)), workMilliseconds)
    }
  }

  @Test func aPauseInTheMiddleOfASentenceIsHeardAsPartOfIt() async {
    let turns = await turns(pausing: 1_500, after: "Open the", completeness: 0.1)
    #expect(turns.map(\.text) == ["Open the end."])
  }

  @Test func aPauseBehindAWholeSentenceEndsATurn() async {
    let turns = await turns(pausing: 700, after: "Open it.", completeness: 0.9)
    #expect(turns.map(\.text) == ["Open it.", "Open it."])
    #expect(2_350...2_450 ~= turns.first?.endMilliseconds ?? 0)
  }

  @Test func aSlowRecogniserEndsTheTurnLate() async {
    let turns = await turns(pausing: 900, after: "Open it.", completeness: 0.9, workMilliseconds: 400)
    #expect(turns.count == 2)
    #expect(2_650...2_800 ~= turns.first?.endMilliseconds ?? 0)
  }

  /// Slower than all the silence behind the sound.
  @Test func aRecogniserThatIsBusyIsWaitedFor() async {
    let turns = await turns(pausing: 1_500, after: "Open it.", completeness: 0.9, workMilliseconds: 9_000)
    #expect(turns.map(\.text) == ["Open it.", "Open it."])
  }

  /// A session counts from when it took what was said, which a slow recogniser delays, and so does the measurement.
  @Test(arguments: [(5_000, true), (0, false)])
  func whatASessionJoinsGoesOn(workMilliseconds: Int, _ goesOn: Bool) async {
    var texts = ["Copy the folder.", "To the other machine."][...]
    let turns = await TurnTrial.turns(
      in: silence(1_000) + word + silence(5_000) + word,
      detector: VoiceActivityDetector(silenceMilliseconds: 1_000), preferredSilenceMilliseconds: 1_000
    ) { _, _ in
      (.success(HeardSpeech(texts.popFirst() ?? "", completeness: 0.9)), workMilliseconds)
    }
    #expect(turns.map(\.text) == ["Copy the folder.", "To the other machine."])
    #expect(turns.map(\.goesOn) == [false, goesOn])
  }
}
