import Testing

@testable import parley

struct InterruptKeyTests {
  /// What presses at these milliseconds count as.
  private func counts(_ times: some Sequence<Int>) -> [Int?] {
    var key = InterruptKey()
    return times.map { key.press(at: .milliseconds($0)) }
  }

  @Test func aHeldKeyIsPressedOnce() {
    let held = [0, 250] + Array(stride(from: 280, to: 5_000, by: 33))
    #expect(counts(held).compactMap(\.self) == [1])
  }

  /// On the Linux console, and with a short delay and a fast rate.
  @Test(arguments: [(250, 92), (660, 40), (150, 20)]) func aHeldKeyIsKnownByItsRhythm(_ delay: Int, _ rate: Int) {
    let held = [0] + Array(stride(from: delay, to: 5_000, by: rate))
    #expect(counts(held).compactMap(\.self) == [1])
    // Held again, soon after it was let go, it is pressed anew.
    #expect(counts(held + [held[held.count - 1] + 1_000]).compactMap(\.self) == [1, 1])
  }

  @Test func aBounceIsPressedOnce() {
    #expect(counts([1_000, 1_004]) == [1, nil])
    #expect(counts([1_000, 1_004, 2_000, 2_006]) == [1, nil, 2, nil])
  }

  /// However fast: the third does not ask.
  @Test(arguments: [0, 2, 20, 29, 30, 50, 100, 139, 140, 200, 300, 500, 699, 700, 1_000, 2_000])
  func theThirdPressIsTheThird(_ gap: Int) {
    #expect(counts([0, gap, 2 * gap]).last == 3)
  }

  /// What has to be seen first is not confirmed before: two fast presses ask once.
  @Test(arguments: [0, 20, 50, 100, 139, 140, 200, 300, 699]) func twoFastPressesAskOnce(_ gap: Int) {
    #expect(counts([0, gap]) == [1, nil])
  }

  @Test func theThirdPressMayComeLater() {
    #expect(counts([0, 100, 1_000]) == [1, nil, 3])
    #expect(counts([0, 1_000, 1_100]) == [1, 2, 3])
  }

  @Test func pressesAreCountedWhileTheyFollowEachOther() {
    #expect(counts([0, 1_000, 2_000]) == [1, 2, 3])
    #expect(counts([0, 2_100, 4_300]) == [1, 1, 1])
  }

  /// Who hammers it wants to leave; and not to wait for an orderly end, after a while.
  @Test func whoHammersItIsCounted() {
    #expect(counts(stride(from: 0, to: 2_000, by: 200)).compactMap(\.self) == [1, 3, 7])
    #expect(counts(stride(from: 0, to: 400, by: 50)).compactMap(\.self) == [1, 3])
  }
}
