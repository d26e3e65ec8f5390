import Testing
import VoiceVocabulary

@testable import VoiceAudio

struct PlaybackQueueTests {
  @Test func soundComesOutInOrderWhateverTheBlocks() {
    var queue = PlaybackQueue()
    queue.append(ramp(0, 700), of: speech(1))
    queue.append(ramp(700, 5), of: speech(1))
    queue.finish(speech(1))
    queue.append(ramp(705, 300), of: speech(2))
    var all: [Int16] = []
    while queue.hasSound { all += queue.take(480) }
    #expect(all == ramp(0, 1005))
    #expect(queue.handed == 1005)
    #expect(queue.take(480).isEmpty)
  }

  @Test func marksComeWhenTheSoundGotThere() {
    var queue = PlaybackQueue()
    queue.append(ramp(0, 480), of: speech(1))
    queue.finish(speech(1))
    queue.append(ramp(0, 480), of: speech(2))
    queue.finish(speech(2))
    #expect(queue.progress(out: 0, played: 0).isEmpty)
    _ = queue.take(960)
    #expect(queue.progress(out: 1, played: 0) == [.playbackStarted(speech: speech(1))])
    #expect(queue.progress(out: 480, played: 479).isEmpty)
    #expect(
      queue.progress(out: 960, played: 480) == [
        .playbackEnded(speech: speech(1)), .playbackStarted(speech: speech(2)),
      ])
    #expect(queue.progress(out: 960, played: 960) == [.playbackEnded(speech: speech(2))])
    #expect(!queue.isWaiting)
  }

  @Test func aPieceIsNotOverBeforeItIsFinished() {
    var queue = PlaybackQueue()
    queue.append(ramp(0, 100), of: speech(1))
    _ = queue.take(480)
    #expect(queue.progress(out: 100, played: 100) == [.playbackStarted(speech: speech(1))])
    #expect(queue.progress(out: 100, played: 100).isEmpty)
    queue.append(ramp(0, 100), of: speech(1))
    queue.finish(speech(1))
    _ = queue.take(480)
    #expect(queue.progress(out: 200, played: 200) == [.playbackEnded(speech: speech(1))])
  }

  @Test func anEndBelongsToItsOwnPieceHoweverLateItComes() {
    // How many samples were handed over when the first piece ends, from before its end to within the next one.
    for handed in [0, 50, 100, 150, 200, 250] {
      var queue = PlaybackQueue()
      queue.append(ramp(0, 100), of: speech(1))
      queue.append(ramp(0, 100), of: speech(2))
      var out = queue.take(handed).count
      queue.finish(speech(1))
      queue.append(ramp(0, 100), of: speech(2))
      queue.finish(speech(2))
      out += queue.take(1_000).count
      #expect(out == 300)
      #expect(
        queue.progress(out: 300, played: 300) == [
          .playbackStarted(speech: speech(1)), .playbackEnded(speech: speech(1)), .playbackStarted(speech: speech(2)),
          .playbackEnded(speech: speech(2)),
        ], "after \(handed) samples")
      #expect(!queue.isWaiting)
    }
  }

  @Test func aPieceStaysWholeWhenItsSoundComesBetweenThatOfTheNext() {
    var queue = PlaybackQueue()
    queue.append(ramp(0, 100), of: speech(1))
    queue.append(ramp(200, 100), of: speech(2))
    queue.append(ramp(100, 100), of: speech(1))
    queue.finish(speech(1))
    #expect(queue.take(250) == ramp(0, 250))
    queue.append(ramp(0, 100), of: speech(1))
    queue.finish(speech(2))
    #expect(queue.take(1_000) == ramp(250, 50), "what comes late of a piece is not played in the middle of the next")
    #expect(
      queue.progress(out: 300, played: 300) == [
        .playbackStarted(speech: speech(1)), .playbackEnded(speech: speech(1)), .playbackStarted(speech: speech(2)),
        .playbackEnded(speech: speech(2)),
      ])
  }

  @Test func aPieceWithoutSoundEndsWithoutHavingStarted() {
    var queue = PlaybackQueue()
    queue.finish(speech(1))
    #expect(queue.progress(out: 0, played: 0) == [.playbackEnded(speech: speech(1))])
  }

  @Test func clearingTellsHowMuchWasHeard() {
    var queue = PlaybackQueue()
    queue.append(ramp(0, 24_000), of: speech(1))
    queue.append(ramp(0, 24_000), of: speech(2))
    _ = queue.take(4_800)
    #expect(
      queue.clear(out: 2_400) == [
        .playbackStarted(speech: speech(1)), .playbackCleared(speech: speech(1), heardMilliseconds: 100),
      ])
    #expect(!queue.hasSound)
    #expect(queue.progress(out: 4_800, played: 4_800).isEmpty)
    queue.append(ramp(5, 10), of: speech(3))
    #expect(queue.take(480) == ramp(5, 10))
    #expect(queue.progress(out: 4_810, played: 4_810) == [.playbackStarted(speech: speech(3))])
  }

  @Test func clearingInTheNextPieceEndsTheOneBefore() {
    var queue = PlaybackQueue()
    queue.append(ramp(0, 480), of: speech(1))
    queue.finish(speech(1))
    queue.append(ramp(0, 480), of: speech(2))
    _ = queue.take(960)
    #expect(queue.progress(out: 10, played: 0) == [.playbackStarted(speech: speech(1))])
    #expect(
      queue.clear(out: 720) == [
        .playbackEnded(speech: speech(1)), .playbackStarted(speech: speech(2)),
        .playbackCleared(speech: speech(2), heardMilliseconds: 10),
      ])
  }

  @Test func clearingWhatHasNotBegunNamesNoPiece() {
    var queue = PlaybackQueue()
    #expect(queue.clear(out: 0) == [.playbackCleared(speech: nil, heardMilliseconds: 0)])
    queue.append(ramp(0, 480), of: speech(1))
    #expect(queue.clear(out: 0) == [.playbackCleared(speech: nil, heardMilliseconds: 0)])
    #expect(queue.take(480).isEmpty)
  }

  @Test func anEarconIsMixedOverSpeechAndGoesOnAfterIt() {
    var queue = PlaybackQueue()
    queue.append([Int16](repeating: 1000, count: 100), of: speech(1))
    queue.mix([Int16](repeating: 50, count: 150))
    #expect(queue.take(120) == [Int16](repeating: 1050, count: 100) + [Int16](repeating: 50, count: 20))
    #expect(queue.take(120) == [Int16](repeating: 50, count: 30))
    #expect(!queue.hasSound)
  }

  @Test func loudSoundsDoNotWrapAround() {
    var queue = PlaybackQueue()
    queue.append([32_000, -32_000], of: speech(1))
    queue.mix([32_000, -32_000])
    #expect(queue.take(2) == [32_767, -32_768])
  }

  @Test func theQueueHasALimit() {
    var queue = PlaybackQueue()
    for _ in 0..<40 { queue.append([Int16](repeating: 1, count: 240_000), of: speech(1)) }
    queue.finish(speech(1))
    var total = 0
    while queue.hasSound { total += queue.take(240_000).count }
    #expect(total == Limits.queuedPlaybackSamples)
    #expect(queue.progress(out: total, played: total).last == .playbackEnded(speech: speech(1)))
  }
}
