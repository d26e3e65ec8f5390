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

  @Test func aBounceIsPressedOnce() { #expect(counts([1_000, 1_004, 1_020]) == [1, nil, nil]) }

  @Test func pressesAreCountedWhileTheyFollowEachOther() {
    #expect(counts([0, 1_000, 2_000]) == [1, 2, 3])
    #expect(counts([0, 2_100, 4_300]) == [1, 1, 1])
  }

  /// Who hammers it wants to leave.
  @Test func whoHammersItIsCounted() {
    #expect(counts(stride(from: 0, to: 2_000, by: 200)).compactMap(\.self) == [1, 2, 3])
  }
}
