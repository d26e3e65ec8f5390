import Testing
import VoiceCore
import VoiceLoop
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

@testable import parley

private struct NoRecorder: RecorderPort {
  func record(_ step: VoiceStep) {}
  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}

@Test func theEventsThatArePrintedHoldNoSecretAndDriveNoTerminal() throws {
  var printed: [UInt8] = []
  let output = EventOutput(beside: NoRecorder(), scrubber: Scrubber(["made-up-key-1"])) { printed += $0 }
  let text = "the key is made-up-key-1, \u{9B}31m and \u{202E} behind it"
  output.record(
    VoiceStep(
      sequence: 0, time: .zero, event: .commandGiven(command: .say(text: text)), actions: [], reasons: [],
      state: InteractionController().digest))
  output.finish()
  let lines = printed.split(separator: UInt8(ascii: "\n"))
  try #require(lines.count == 2)
  let written = String(decoding: lines[1], as: UTF8.self)
  #expect(written.contains(#"the key is (secret), \u009b31m and \u202e behind it"#))
  let step = try LogCodec().decodeLine(lines[1]).step
  #expect(step.state == nil)
  #expect(step.event == .commandGiven(command: .say(text: "the key is (secret), \u{9B}31m and \u{202E} behind it")))
}
