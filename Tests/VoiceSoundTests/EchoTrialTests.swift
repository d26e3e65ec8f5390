import Testing
import VoiceSound
import VoiceVocabulary

/// What `parley check --echo` says of rooms.
struct EchoTrialTests {
  private static let sound: [Int16] = {
    let resampler = Resampler(from: PCM.speakerRate, to: PCM.microphoneRate)
    return silence(seconds: 0.7) + resampler.process(EchoTrial.sound) + resampler.drain() + silence(seconds: 0.5)
  }()

  private func trial(_ heard: [Int16]) -> EchoTrial {
    var trial = EchoTrial()
    for start in stride(from: 0, to: Self.sound.count - 159, by: 160) {
      trial.hear(
        Array(heard[start..<start + 160]), played: Array(Self.sound[start..<start + 160]), delayMilliseconds: 60)
    }
    return trial
  }

  @Test func theSoundIsLoudLikeSpeechAndAlwaysTheSame() {
    #expect(EchoTrial.sound == EchoTrial.sound)
    #expect((-30 ... -15).contains(decibels(of: EchoTrial.sound)))
    #expect((8 * PCM.speakerRate...9 * PCM.speakerRate).contains(EchoTrial.sound.count))
  }

  @Test(arguments: [40, 83, 190]) func anEchoIsMeasuredAndTakenAway(delay: Int) {
    let trial = trial(EchoRoom(delay: delay, ringing: 60, volume: -12).hear(Self.sound))
    #expect(trial.verdict == .fullDuplex, "\(trial.sentences)")
    #expect(abs((trial.delayMilliseconds ?? 0) - delay) <= 6, "\(trial.sentences)")
    #expect(trial.loss >= 18)
    #expect(abs((trial.coupling ?? 0) + 12) <= 4, "\(trial.sentences)")
    #expect(trial.sentences.last?.contains("as usual") == true)
  }

  @Test func whatIsLouderThanAPersonIsSaid() {
    let trial = trial(EchoRoom(volume: 0).hear(Self.sound))
    #expect(trial.verdict == .loudFullDuplex, "\(trial.sentences)")
    #expect(trial.sentences.joined().contains("Turn the loudspeaker down by"))
  }

  @Test func aHeadsetHearsNothingAndZerosAreNoHeadset() {
    #expect(trial(EchoRoom(volume: -90).hear(Self.sound)).verdict == .silent)
    #expect(trial([Int16](repeating: 0, count: Self.sound.count)).verdict == .deaf)
  }

  /// Another voice than the one that was played, at the same moments: no canceller can take it away.
  @Test(arguments: [(-6.0, EchoTrial.Verdict.hopeless), (-24, .halfDuplex)])
  func whatCannotBeTakenAwayIsHalfDuplex(volume: Double, verdict: EchoTrial.Verdict) {
    let voice = Array(Self.sound[11_200...].reversed())
    let other = silence(seconds: 0.7) + voice
    let trial = trial(EchoRoom(volume: volume).hear(other))
    #expect(trial.verdict == verdict, "\(trial.sentences)")
  }
}
