import Testing
import VoiceSound

struct LocalVADTests {
  /// Windows of 512 samples; a window is speech if its first sample is not 0.
  private func vad() -> LocalVAD { LocalVAD(isSpeech: { $0[0] != 0 }) }
  private func windows(_ pattern: String) -> [Int16] {
    pattern.flatMap { [Int16](repeating: $0 == "x" ? 1 : 0, count: 512) }
  }

  @Test func fiveOfEightWindowsAreAStart() {
    var vad = vad()
    #expect(vad.hear(windows("..x.xx..x")).isEmpty)
    #expect(vad.hear(windows("x")) == [.started])
    #expect(vad.isOpen)
  }

  @Test func clicksAreNoStart() {
    var vad = vad()
    #expect(vad.hear(windows("x...x...x...xx...x..x...x...x..x...")).isEmpty)
  }

  @Test func sixHundredMillisecondsWithoutSpeechAreAnEnd() {
    var vad = vad()
    #expect(vad.hear(windows("xxxxx")) == [.started])
    #expect(vad.hear(windows("..................x..................")) == [.paused])
    #expect(vad.hear(windows(".")) == [.ended])
    #expect(!vad.isOpen)
    #expect(vad.hear(windows("..xxxx")).isEmpty)
    #expect(vad.hear(windows("x")) == [.started])
  }

  @Test func thePauseThatGoesOnMayBeMadeShorterOrLonger() {
    let limit = PauseLimit(milliseconds: 600)
    var vad = LocalVAD(limit: limit, isSpeech: { $0[0] != 0 })
    #expect(vad.hear(windows("xxxxx..........")) == [.started, .paused])
    limit.set(384)
    #expect(vad.hear(windows(".")).isEmpty)
    #expect(vad.hear(windows(".")) == [.ended])
    limit.set(1200)
    #expect(vad.hear(windows("xxxxx.....................................")) == [.started, .paused])
    #expect(vad.hear(windows(".")) == [.ended])
    limit.set(nil)
    #expect(limit.milliseconds == 600)
  }

  @Test(arguments: [(200, 7), (600, 19), (1_000, 32), (10_000, 313)])
  func theLengthOfThePauseThatEndsAnUtteranceIsTheUsers(silenceMilliseconds: Int, windows: Int) {
    var vad = LocalVAD(silenceMilliseconds: silenceMilliseconds, isSpeech: { $0[0] != 0 })
    #expect(vad.hear(self.windows("xxxxx")) == [.started])
    #expect(vad.hear(self.windows(String(repeating: ".", count: windows - 1))) == [.paused])
    #expect(vad.hear(self.windows(".")) == [.ended])
  }

  @Test func aShortSoundFaltersSoonAndOnlyOnce() {
    var vad = vad()
    #expect(vad.hear(windows("xxxxxx..")) == [.started])
    #expect(vad.hear(windows(".")) == [.paused])
    #expect(vad.hear(windows("xx.....xx....")).isEmpty)
  }

  @Test func anyFrameLengthIsTaken() {
    var vad = vad()
    var changes: [LocalVAD.Change] = []
    for _ in 0..<20 { changes += vad.hear([Int16](repeating: 1, count: 320)) }
    for _ in 0..<50 { changes += vad.hear([Int16](repeating: 0, count: 320)) }
    #expect(changes == [.started, .paused, .ended])
  }

  @Test func aStartIsNotBelievedWhileItMayNotBe() {
    var vad = vad()
    #expect(vad.hear(windows("xxxxxxxxxxxx"), mayStart: false).isEmpty)
    #expect(vad.hear(windows("xxxx")).isEmpty)
    #expect(vad.hear(windows("x")) == [.started])
  }
}
