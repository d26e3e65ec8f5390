import Testing
import VoiceReplay
import VoiceSound
import VoiceVocabulary

/// Utterances told apart by the level of the sound alone.
struct LevelEndpointerTests {
  private var endpointer = LevelEndpointer(silenceMilliseconds: 1_000)
  private var generator = SeededGenerator(seed: 1)

  /// Noise of this mean level, for so many milliseconds. Returns what changed, each with its frame.
  private mutating func hear(_ level: Int, milliseconds: Int) -> [(frame: Int, level: SoundLevel)] {
    (0..<milliseconds / PCM.frameMilliseconds).compactMap { frame in
      let samples = (0..<PCM.frameSamples).map { _ in Int16(Int.random(in: -2 * level...2 * level, using: &generator)) }
      return endpointer.hear(samples).map { (frame, $0) }
    }
  }

  @Test(arguments: [3, 40, 200]) mutating func anUtteranceIsToldFromTheNoiseOfTheRoom(_ room: Int) {
    #expect(hear(room, milliseconds: 3_000).count { $0.level == .sound } <= 1)
    _ = hear(room, milliseconds: 30_000)
    let start = hear(2_000, milliseconds: 1_500)
    #expect(start.map(\.level) == [.sound])
    #expect((start.first?.frame ?? 99) <= 5)
    let end = hear(room, milliseconds: 1_200)
    #expect(end.map(\.level) == [.pause, .silence])
    // A hundred milliseconds before a server may hear it.
    #expect(end.map(\.frame) == [9, 44])
  }

  @Test mutating func aPauseWithinASentenceIsNoEnd() {
    _ = hear(2_000, milliseconds: 800)
    #expect(hear(3, milliseconds: 700).map(\.level) == [.pause])
    #expect(hear(2_000, milliseconds: 400).map(\.level) == [.sound])
  }

  @Test mutating func aClickIsNoUtterance() {
    _ = hear(3, milliseconds: 1_000)
    #expect(hear(9_000, milliseconds: 60).isEmpty)
    #expect(hear(3, milliseconds: 1_000).isEmpty)
  }

  @Test mutating func steadyNoiseIsTheRoomAfterAWhile() {
    _ = hear(3, milliseconds: 1_000)
    let changes = hear(500, milliseconds: 60_000)
    #expect(changes.last?.level == .silence)
  }
}
