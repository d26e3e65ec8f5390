import Testing

@testable import VoiceSound

/// Whether the loudspeaker drowns who speaks beside it.
struct EchoLoudnessTests {
  private var loudness = EchoLoudness()

  /// So many blocks of 10 ms of a reply that is played at -22 dBFS, and comes in at this level.
  private mutating func reply(at level: Int, blocks: Int = 300) {
    for _ in 0..<blocks { loudness.hear(captured: level, played: -22, isAudible: true, isUser: false) }
  }

  /// What the user says while nothing plays.
  private mutating func user(at level: Int, blocks: Int = 150) {
    for _ in 0..<blocks { loudness.hear(captured: level, played: -100, isAudible: false, isUser: true) }
  }

  @Test mutating func anEchoLouderThanMostPeopleDrowns() {
    reply(at: EchoLoudness.person + 1, blocks: 200)
    #expect(!loudness.drowns, "it is not known at once")
    reply(at: EchoLoudness.person + 1)
    #expect(loudness.drowns)
  }

  @Test mutating func aSofterOneDoesNot() {
    reply(at: EchoLoudness.person)
    #expect(!loudness.drowns)
  }

  @Test(arguments: [(-18, -20, false), (-36, -33, true)])
  mutating func whoWasHeardIsTheMeasure(user level: Int, echo: Int, drowns: Bool) {
    user(at: level)
    reply(at: echo)
    #expect(loudness.drowns == drowns)
  }

  @Test mutating func aWordInAnEmptyRoomIsNoMeasure() {
    user(at: -60, blocks: 50)
    reply(at: -40)
    #expect(!loudness.drowns)
  }

  /// He is noticed late, and with a headset there is nothing else to be heard.
  @Test mutating func whoInterruptsIsNotTheEcho() {
    reply(at: -70, blocks: 240)
    for _ in 0..<20 {
      reply(at: -20, blocks: 35)
      for _ in 0..<50 { loudness.hear(captured: -20, played: -22, isAudible: true, isUser: true) }
      reply(at: -70, blocks: 60)
    }
    #expect(!loudness.drowns)
  }

  @Test mutating func aVoiceThatWasLoweredTellsNothing() {
    for _ in 0..<500 { loudness.hear(captured: -10, played: -42, isAudible: true, isUser: false) }
    #expect(!loudness.drowns)
  }

  @Test mutating func turnedDownItIsOver() {
    reply(at: -20)
    reply(at: EchoLoudness.person - 1, blocks: 600)
    #expect(loudness.drowns, "not for a decibel")
    reply(at: EchoLoudness.person - 4, blocks: 600)
    #expect(!loudness.drowns)
    reply(at: -20)
    loudness.learnAgain()
    #expect(!loudness.drowns)
  }

  @Test(arguments: [(0.0, true), (-24, false)])
  func theWayOfAMicrophoneTellsIt(volume: Double, drowns: Bool) throws {
    let played = silence(seconds: 0.5) + (try SoundFileReader(path: fixture("aec_far")).readAll())
    let microphone = EchoRoom(ringing: 60, volume: volume).hear(played)
    var processor = CaptureProcessor()
    for start in stride(from: 0, to: min(played.count, microphone.count) - 159, by: 160) {
      _ = processor.process(
        Array(microphone[start..<start + 160]), played: Array(played[start..<start + 160]), delayMilliseconds: 60)
    }
    #expect(processor.isDrowned == drowns)
  }
}
