import Testing
import VoiceVocabulary

struct AwakeTimeTests {
  @Test func timeThatNobodyWasAwakeForDoesNotCount() {
    var time = AwakeTime(since: .milliseconds(100))
    for moment in stride(from: 200, through: 1_100, by: 100) {
      let wasAwake = time.look(at: .milliseconds(Int64(moment)))
      #expect(wasAwake)
    }
    #expect(time.milliseconds == 1_000)
    let wasAwake = time.look(at: .milliseconds(61_100))
    #expect(!wasAwake, "the program was stopped for a minute")
    #expect(time.milliseconds == 1_000 + Limits.awakeStepMilliseconds)
    let isAwake = time.look(at: .milliseconds(61_000))
    #expect(isAwake, "a clock that is read late does no harm")
    #expect(time.milliseconds == 1_000 + Limits.awakeStepMilliseconds)
  }

  @Test(arguments: [0, 1, 250, 480, 500, 10_000, 15_000]) func aCountdownTakesAsLongAsItSays(_ milliseconds: Int) {
    var countdown = Countdown(milliseconds: milliseconds, from: .zero)
    var now = 0
    var looks = 0
    while !countdown.isOver(at: .milliseconds(Int64(now))) {
      now += countdown.nextLookMilliseconds
      looks += 1
    }
    #expect(now == milliseconds)
    #expect(looks <= milliseconds / Limits.countdownLookMilliseconds + 1)
  }

  /// A setup that had 7 s left before the program was stopped has them after it, but for the look that came late.
  @Test(arguments: [2_000, 8_000, 60_000]) func afterAStopACountdownHasWhatItHadLeft(_ stop: Int) {
    var countdown = Countdown(milliseconds: 10_000, from: .zero)
    var now = 0
    while now < 3_000 {
      let isOver = countdown.isOver(at: .milliseconds(Int64(now)))
      #expect(!isOver)
      now += countdown.nextLookMilliseconds
    }
    now += stop
    while !countdown.isOver(at: .milliseconds(Int64(now))) { now += countdown.nextLookMilliseconds }
    #expect((9_000...10_000 + Limits.countdownLookMilliseconds).contains(now - stop))
  }

  /// On a busy machine every look is late, and no wait takes longer for it than that.
  @Test func looksThatAreALittleLateDoNotMakeAWaitLonger() {
    var countdown = Countdown(milliseconds: 10_000, from: .zero)
    var now = 0
    while !countdown.isOver(at: .milliseconds(Int64(now))) { now += countdown.nextLookMilliseconds + 400 }
    #expect((10_000...10_400).contains(now))
  }
}
