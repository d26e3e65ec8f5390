import Testing
import VoiceRecording
import VoiceVocabulary

struct LogNumberTests {
  @Test(arguments: [
    #"{"sequence":-1,"time":0,"event":{"commandsEnded":{}},"actions":[]}"#,
    #"{"sequence":1,"time":-1,"event":{"commandsEnded":{}},"actions":[]}"#,
    #"{"sequence":1,"time":1,"repeated":-5,"event":{"commandsEnded":{}},"actions":[]}"#,
    #"{"sequence":1,"time":1,"event":{"microphoneFrame":{"frame":{"position":-320}}},"actions":[]}"#,
    #"{"sequence":1,"time":1,"event":{"playbackCleared":{"heardMilliseconds":9223372036854775807}},"actions":[]}"#,
    #"{"sequence":1,"time":1,"event":{"speechAudio":{"speech":1,"audio":{"samples":-1}}},"actions":[]}"#,
    #"{"sequence":1,"time":1,"event":{"speechAudio":{"speech":1,"audio":{"samples":100000000}}},"actions":[]}"#,
  ]) func aLineWithANumberThatCannotBeIsNotRead(_ row: String) {
    #expect(throws: (any Error).self) { try LogCodec().decodeLine(row.utf8) }
  }

  /// What an agent tells is written into a log, and a log must be read again.
  @Test(arguments: [Int.max, 1 << 60, 7]) func whatWasCountedIsWrittenSoThatItCanBeRead(_ count: Int) throws {
    let usage = AgentUsage(inputTokens: count, outputTokens: -count, costInDollars: .infinity, contextTokens: count)
    let step = VoiceStep(
      sequence: 1, time: .zero, event: .agentReported(run: RunID(rawValue: 1), event: .usage(usage: usage)), actions: []
    )
    let codec = LogCodec()
    let bytes = codec.encode(LogLine(step: step))
    #expect(try codec.decodeLine(bytes.dropLast()).step == step)
  }
}
