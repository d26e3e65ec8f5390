import Testing
import VoiceVocabulary

@testable import VoiceAudio

/// A voice: words of 300 ms at a constant level, with gaps of 60 ms between them.
private func words(_ count: Int) -> [Int16] {
  (0..<count).flatMap { word in
    (0..<7_200).map { Int16(word + 1) * 1_000 + Int16($0 % 100) } + [Int16](repeating: 0, count: 1_440)
  }
}

struct DuckTests {
  @Test func loweringIsSoftQuickAndWithoutAClick() {
    var queue = PlaybackQueue()
    queue.append([Int16](repeating: 20_000, count: 24_000), of: speech(1))
    #expect(queue.take(480).last == 20_000)
    queue.lower()
    let block = queue.take(480)
    // 10 ms later it is at a tenth.
    #expect(block[240...].allSatisfy { (1_900...2_100).contains($0) })
    for (left, right) in zip([20_000] + block, block) { #expect(abs(Int(left) - Int(right)) <= 80) }
  }

  @Test func itGoesOnFromTheBeginningOfTheSameWord() {
    var queue = PlaybackQueue()
    let voice = words(6)
    queue.append(voice, of: speech(1))
    queue.finish(speech(1))
    // Into the third word.
    let before = queue.take(2 * 8_640 + 3_000)
    #expect(before == Array(voice[..<before.count]))
    queue.lower()
    let soft = queue.take(9_600)
    #expect(soft.count == 9_600)
    queue.restore()
    var after: [Int16] = []
    while queue.hasSound { after += queue.take(480) }
    // What follows is the third word from its beginning, but for the swelling of the first 10 ms.
    let rest = Array(voice[(2 * 8_640)...])
    let gap = after.count - rest.count
    #expect((0...1_440).contains(gap), "\(gap)")
    #expect(after[(gap + 240)...].elementsEqual(rest[240...]))
  }

  @Test func noOtherPieceBeginsWhileItIsLowered() {
    var queue = PlaybackQueue()
    queue.append([Int16](repeating: 9_000, count: 2_400), of: speech(1))
    queue.finish(speech(1))
    queue.append([Int16](repeating: 5_000, count: 2_400), of: speech(2))
    queue.finish(speech(2))
    _ = queue.take(480)
    queue.lower()
    #expect(queue.take(48_000).count == 1_920)
    #expect(!queue.hasSound)
    #expect(queue.take(480).isEmpty)
    // The first piece is not over: some of it may have to be said again.
    #expect(queue.progress(out: queue.handed, played: queue.handed) == [.playbackStarted(speech: speech(1))])
    queue.restore()
    #expect(queue.hasSound)
    var rest: [Int16] = []
    while queue.hasSound { rest += queue.take(480) }
    #expect(rest.suffix(2_400).allSatisfy { $0 == 5_000 })
    #expect(
      queue.progress(out: queue.handed, played: queue.handed) == [
        .playbackEnded(speech: speech(1)), .playbackStarted(speech: speech(2)), .playbackEnded(speech: speech(2)),
      ])
  }

  @Test func whatIsSaidTwiceIsCountedOnce() {
    var queue = PlaybackQueue()
    let voice = words(6)
    queue.append(voice, of: speech(1))
    _ = queue.take(2 * 8_640 + 3_000)
    queue.lower()
    _ = queue.take(9_600)
    queue.restore()
    _ = queue.take(480)
    // Clearing tells how far into the piece the user heard: the third word again, from its beginning.
    guard case .playbackCleared(let piece, let heard)? = queue.clear(out: queue.handed).last else {
      Issue.record("nothing was cleared")
      return
    }
    #expect(piece == speech(1))
    #expect((660...760).contains(heard), "\(heard)")
  }

  @Test func clearingEndsTheDuck() {
    var queue = PlaybackQueue()
    queue.append([Int16](repeating: 9_000, count: 24_000), of: speech(1))
    _ = queue.take(480)
    queue.lower()
    _ = queue.take(480)
    _ = queue.clear(out: queue.handed)
    queue.append([Int16](repeating: 9_000, count: 24_000), of: speech(2))
    #expect(queue.take(480).allSatisfy { $0 == 9_000 })
    queue.restore()
    #expect(queue.take(480).count == 480)
  }

  @Test func restoringWithoutADuckChangesNothing() {
    var queue = PlaybackQueue()
    queue.append(words(1), of: speech(1))
    _ = queue.take(480)
    queue.restore()
    #expect(queue.take(480) == Array(words(1)[480..<960]))
  }
}
