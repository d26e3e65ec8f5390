import Testing
import VoiceSound

struct ActivityGateTests {
  /// Windows of 512 samples; a window is speech if its first sample is not 0.
  private func gate() -> ActivityGate { ActivityGate(isSpeech: { $0[0] != 0 }) }
  private func windows(_ pattern: String) -> [Int16] {
    pattern.flatMap { [Int16](repeating: $0 == "x" ? 1 : 0, count: 512) }
  }

  @Test func fiveOfEightWindowsAreAStart() {
    var gate = gate()
    #expect(gate.hear(windows("..x.xx..x")).isEmpty)
    #expect(gate.hear(windows("x")) == [.started])
    #expect(gate.isOpen)
  }

  @Test func clicksAreNoStart() {
    var gate = gate()
    #expect(gate.hear(windows("x...x...x...xx...x..x...x...x..x...")).isEmpty)
  }

  @Test func sixHundredMillisecondsWithoutSpeechAreAnEnd() {
    var gate = gate()
    #expect(gate.hear(windows("xxxxx")) == [.started])
    #expect(gate.hear(windows("..................x..................")) == [.faltered])
    #expect(gate.hear(windows(".")) == [.ended])
    #expect(!gate.isOpen)
    #expect(gate.hear(windows("..xxxx")).isEmpty)
    #expect(gate.hear(windows("x")) == [.started])
  }

  @Test(arguments: [(200, 7), (600, 19), (1_000, 32), (10_000, 313)])
  func theLengthOfThePauseThatEndsAnUtteranceIsTheUsers(silenceMilliseconds: Int, windows: Int) {
    var gate = ActivityGate(silenceMilliseconds: silenceMilliseconds, isSpeech: { $0[0] != 0 })
    #expect(gate.hear(self.windows("xxxxx")) == [.started])
    #expect(gate.hear(self.windows(String(repeating: ".", count: windows - 1))) == [.faltered])
    #expect(gate.hear(self.windows(".")) == [.ended])
  }

  @Test func aShortSoundFaltersSoonAndOnlyOnce() {
    var gate = gate()
    #expect(gate.hear(windows("xxxxxx..")) == [.started])
    #expect(gate.hear(windows(".")) == [.faltered])
    #expect(gate.hear(windows("xx.....xx....")).isEmpty)
  }

  @Test func anyFrameLengthIsTaken() {
    var gate = gate()
    var changes: [ActivityGate.Change] = []
    for _ in 0..<20 { changes += gate.hear([Int16](repeating: 1, count: 320)) }
    for _ in 0..<50 { changes += gate.hear([Int16](repeating: 0, count: 320)) }
    #expect(changes == [.started, .faltered, .ended])
  }

  @Test func aStartIsNotBelievedWhileItMayNotBe() {
    var gate = gate()
    #expect(gate.hear(windows("xxxxxxxxxxxx"), mayStart: false).isEmpty)
    #expect(gate.hear(windows("xxxx")).isEmpty)
    #expect(gate.hear(windows("x")) == [.started])
  }
}
