import Testing

@testable import VoiceSound

/// Whether of what a user began to say over the program only the end was let through.
struct WithheldSpeechTests {
  private struct Ear {
    var withheld = WithheldSpeech()
    var isKnown = true
    /// Whether the last block told of a lost beginning.
    var isLost = false

    mutating func hear(_ blocks: Int, audible: Bool, loud: Bool, through: Bool = false, opening: Bool = false) {
      for block in 0..<blocks {
        isLost = withheld.hear(
          isAudible: audible, isLoud: loud, isLetThrough: through, isEchoKnown: isKnown,
          hasOpened: opening && block == blocks - 1)
      }
    }
  }

  /// He goes on when the echo is over, and is noticed soon then.
  @Test(arguments: [(30, 25, true), (30, 60, true), (30, 61, false), (23, 25, false), (24, 25, true)])
  func whoSpeaksWhenTheEchoIsOverHadBegunBefore(_ loud: Int, _ later: Int, _ isLost: Bool) {
    var ear = Ear()
    ear.hear(200, audible: true, loud: false)
    ear.hear(loud, audible: true, loud: true)
    ear.hear(later, audible: false, loud: true, opening: true)
    #expect(ear.isLost == isLost)
  }

  /// 200 ms before it counts as over, nothing of it comes any more.
  @Test func anEchoThatHasDiedOutIsNobody() {
    var ear = Ear()
    ear.hear(300, audible: true, loud: true)
    ear.hear(20, audible: true, loud: false)
    ear.hear(30, audible: false, loud: true, opening: true)
    #expect(!ear.isLost)
  }

  @Test func whoWasLetThroughHasLostNothing() {
    var ear = Ear()
    ear.hear(100, audible: true, loud: true, through: true)
    ear.hear(30, audible: false, loud: true, opening: true)
    #expect(!ear.isLost)
  }

  /// As long as nobody knows how loud the echo is, what was loud more than 400 ms before may be his.
  @Test(arguments: [(true, 120, false), (false, 120, true), (false, 62, false), (false, 63, true)])
  func whatWasLoudBeforeTheEchoWasKnownMayBeHis(_ isKnown: Bool, _ loud: Int, _ isLost: Bool) {
    var ear = Ear(isKnown: isKnown)
    ear.hear(200, audible: true, loud: false)
    ear.hear(loud, audible: true, loud: true)
    ear.isKnown = true
    ear.hear(1, audible: true, loud: true, through: true, opening: true)
    #expect(ear.isLost == isLost)
    ear.hear(30, audible: true, loud: true, through: true, opening: true)
    #expect(!ear.isLost, "told once")
  }
}
