import Testing

@testable import VoiceConverse

struct EffectQueueTests {
  /// Two who perform at once would not keep the order.
  @Test func onePerformsWhateverOthersDecide() {
    var queue = EffectQueue<Int>()
    let ofNothing = queue.add([], by: .caller)
    let first = queue.add([1, 2], by: .reader)
    let second = queue.add([3], by: .caller)
    var done: [Int] = []
    while let effect = queue.next() { done.append(effect) }
    let later = queue.add([4], by: .caller)
    #expect((ofNothing, first, second, later) == (false, true, false, true))
    #expect(done == [1, 2, 3])
  }
}
