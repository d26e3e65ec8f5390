import Testing
import VoiceVocabulary

@testable import VoiceRecording

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

  /// Sound is a hundred lines a second: they are read the short way, which reads nothing else.
  @Test(arguments: [1, 12]) func aLineOfSoundIsReadTheShortWay(_ repeated: Int) throws {
    let frame = MicrophoneFrame(position: 320, samples: [])
    let audio = SpeechAudio(samples: [0, 0, 0])
    let speech = SpeechID(rawValue: 4)
    let steps = [
      VoiceStep(sequence: 7, time: .zero, event: .microphoneFrame(frame: frame), actions: []),
      VoiceStep(
        sequence: 7, time: SessionTime(microseconds: 1 << 52), event: .microphoneFrame(frame: frame), actions: []),
      VoiceStep(
        sequence: 10, time: .milliseconds(90), event: .microphoneFrame(frame: frame),
        actions: [.sendAudio(connection: ConnectionID(rawValue: 2), frame: frame)]),
      VoiceStep(
        sequence: 8, time: .zero, event: .speechAudio(speech: speech, audio: audio),
        actions: [.play(speech: speech, audio: audio)]),
    ]
    let codec = LogCodec()
    for step in steps {
      let row = codec.encode(LogLine(step: step, repeated: repeated)).dropLast()
      let line = try #require(codec.soundLine(Array(row)), "\(step)")
      #expect(line.step == step && line.repeated == repeated)
    }
    let other = VoiceStep(sequence: 1, time: .zero, event: .speechEnded(speech: speech), actions: [])
    #expect(codec.soundLine(codec.encode(LogLine(step: other)).dropLast()) == nil)
  }

  @Test(arguments: [(0, "0"), (9, "9"), (10, "10"), (1_234_567_890, "1234567890")])
  func aNumberIsWrittenAsItIsRead(_ position: Int, _ digits: String) {
    let frame = MicrophoneFrame(position: position, samples: [])
    let step = VoiceStep(sequence: 7, time: .zero, event: .microphoneFrame(frame: frame), actions: [])
    #expect(
      String(decoding: LogCodec().encode(LogLine(step: step)), as: UTF8.self).contains(#""position":\#(digits)}"#))
  }

  /// What a damaged log claims is not made room for.
  @Test(arguments: [(0, true), (1, false)]) func aLineOfSoundIsAsLongAsTheLimit(_ more: Int, _ isRead: Bool) {
    let speech = SpeechID(rawValue: 4)
    let audio = SpeechAudio(samples: [Int16](repeating: 0, count: Limits.longestSpeechAudioSamples + more))
    let step = VoiceStep(
      sequence: 8, time: .zero, event: .speechAudio(speech: speech, audio: audio),
      actions: [.play(speech: speech, audio: audio)])
    let codec = LogCodec()
    #expect((codec.soundLine(codec.encode(LogLine(step: step)).dropLast()) != nil) == isRead)
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
