import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private let link = ConnectionID(rawValue: 1)

private func frameStep(_ sequence: Int, position: Int, sent: Bool = true) -> VoiceStep {
  let frame = MicrophoneFrame(position: position, samples: [])
  return VoiceStep(
    sequence: sequence, time: .milliseconds(Int64(sequence) * 20), event: .microphoneFrame(frame: frame),
    actions: sent ? [.sendAudio(connection: link, frame: frame)] : [])
}

private func gather(_ steps: [VoiceStep]) -> [LogLine] {
  var gatherer = LogGatherer()
  var lines: [LogLine] = []
  for step in steps { lines += gatherer.append(step) }
  return lines + (gatherer.flush().map { [$0] } ?? [])
}

/// So that a crash loses little.
@Test func aLineOfSoundIsAMinuteAtMost() {
  let lines = gather((0...Limits.logLineSteps).map { frameStep($0, position: $0 * PCM.frameSamples) })
  #expect(lines.map(\.repeated) == [Limits.logLineSteps, 1])
}

@Test func framesInARowBecomeOneLineAndComeBackAsSteps() throws {
  let steps = (0..<50).map { frameStep($0, position: $0 * 320) }
  let lines = gather(steps)
  #expect(lines.count == 1)
  let codec = LogCodec()
  let back = try codec.decodeLine(codec.encode(lines[0]).dropLast())
  #expect(back.steps.map(\.event) == steps.map(\.event))
  #expect(back.steps.map(\.actions) == steps.map(\.actions))
  #expect(back.steps.map(\.sequence) == steps.map(\.sequence))
}

@Test func aGapOrAnotherDecisionBreaksARow() {
  #expect(gather([frameStep(0, position: 0), frameStep(1, position: 640)]).count == 2)
  #expect(gather([frameStep(0, position: 0), frameStep(1, position: 320, sent: false)]).count == 2)
}

@Test func partsOfOnePieceOfSpeechBecomeOneStretch() {
  let speech = SpeechID(rawValue: 3)
  let steps = (0..<4).map { index in
    let audio = SpeechAudio(samples: [Int16](repeating: Int16(index), count: 100))
    return VoiceStep(
      sequence: index, time: .zero, event: .speechAudio(speech: speech, audio: audio),
      actions: [.play(speech: speech, audio: audio)])
  }
  let lines = gather(steps)
  #expect(lines.count == 1)
  guard case .speechAudio(_, let audio) = lines[0].step.event else {
    Issue.record("not a stretch of speech")
    return
  }
  #expect(audio.samples.count == 400)
}

@Test(arguments: [(Limits.longestSpeechAudioSamples, 1), (Limits.longestSpeechAudioSamples + 1, 2)])
func aStretchIsAsLongAsOneLineMayCarry(_ samples: Int, _ lines: Int) {
  let speech = SpeechID(rawValue: 3)
  let steps = [samples - 100, 100].enumerated().map { index, count in
    let audio = SpeechAudio(samples: [Int16](repeating: 1, count: count))
    return VoiceStep(
      sequence: index, time: .zero, event: .speechAudio(speech: speech, audio: audio),
      actions: [.play(speech: speech, audio: audio)])
  }
  #expect(gather(steps).count == lines)
}

@Test func aWrittenLogIsReadBack() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var writer = try LogWriter(path)
  let step = VoiceStep(
    sequence: 0, time: .milliseconds(5), event: .commandGiven(command: .say(text: "ünï \"quoted\"\n/slash")),
    actions: [])
  try writer.append(step)
  try writer.writeGathered()
  let reader = try LogReader(path)
  #expect(reader.damage == nil)
  #expect(reader.lines == [LogLine(step: step)])
  let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  #expect(mode == 0o600)
}

@Test func aLineKeepsTheReasonsAndTheStateAndIsReadWithoutThem() throws {
  let codec = LogCodec()
  let step = VoiceStep(
    sequence: 3, time: .zero, event: .commandGiven(command: .approve), actions: [],
    reasons: ["Handed on: the user approved it."], state: InteractionController().digest)
  #expect(try codec.decodeLine(codec.encode(LogLine(step: step)).dropLast()).step == step)
  let bare = #"{"sequence":3,"time":0,"event":{"commandGiven":{"command":{"approve":{}}}},"actions":[]}"#
  let read = try codec.decodeLine(bare.utf8).step
  #expect(read.reasons.isEmpty)
  #expect(read.state == nil)
  #expect(throws: (any Error).self) { try codec.decodeLine((bare.dropLast() + #","state":"9f"}"#).utf8) }
}

@Test func aLineThatDoesNotFollowIsToldByItsNumber() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var text = #"{"format":"parley voice-event log","version":1}"# + "\n"
  for sequence in [0, 1, 9, 2, 3] {
    text += #"{"sequence":\#(sequence),"time":0,"event":{"commandGiven":{"command":{"quiet":{}}}},"actions":[]}"# + "\n"
  }
  try Data(text.utf8).write(to: URL(filePath: path))
  let reader = try LogReader(path)
  #expect(reader.damage?.contains("line 5 ") == true, "\(reader.damage ?? "")")
  #expect(reader.lines.map(\.step.sequence) == [0, 1, 2, 3])
}

@Test(arguments: [([0, 1, 5, 6], "steps 2 to 4 are missing"), ([1, 2], "step 0 is missing"), ([0, 1, 2], nil)])
func aLogWithoutSomeOfItsLinesIsDamaged(_ sequences: [Int], _ reason: String?) throws {
  let rows = sequences.map {
    #"{"sequence":\#($0),"time":0,"event":{"commandGiven":{"command":{"quiet":{}}}},"actions":[]}"# + "\n"
  }
  let text = #"{"format":"parley voice-event log","version":1}"# + "\n" + rows.joined()
  let reader = try LogReader(Data(text.utf8), from: "log")
  #expect(reader.damage == reason.map { "log is damaged: \($0). What can be read is shown." })
  #expect(reader.lines.map(\.step.sequence) == sequences)
}

@Test func everyStepButARowIsOnDiskBeforeTheNext() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var writer = try LogWriter(path)
  try writer.append(VoiceStep(sequence: 0, time: .zero, event: .commandGiven(command: .halt), actions: []))
  #expect(try LogReader(path).lines.count == 1)
}

@Test func linesOfSoundAreWrittenTogetherAndBeforeWhateverFollowsThem() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var writer = try LogWriter(path)
  // No two of them are a row.
  let sound = (0..<4).map { index in
    let frame = MicrophoneFrame(position: index * 10_000, samples: [])
    return VoiceStep(sequence: index, time: .zero, event: .microphoneFrame(frame: frame), actions: [])
  }
  for step in sound { try writer.append(step) }
  #expect(try LogReader(path).lines.isEmpty)
  let halt = VoiceStep(sequence: 4, time: .zero, event: .commandGiven(command: .halt), actions: [])
  try writer.append(halt)
  #expect(try LogReader(path).lines.map(\.step) == sound + [halt])
}

/// A connection that was left must not be forgotten where the program is killed a second later.
@Test(.timeLimit(.minutes(5))) func aStepOfSoundThatDecidesWaitsForNoOther() async throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var writer = try LogWriter(path)
  var deciding = frameStep(1, position: 320)
  deciding.actions.append(.closeLink(connection: link))
  for step in [frameStep(0, position: 0), deciding] { try writer.append(step) }
  try await waitUntil { try LogReader(path).lines.count >= 2 }
  #expect(try LogReader(path).lines.last?.step == deciding)
}

@Test func aLineOfSoundIsTheSameHoweverItIsSpelled() throws {
  let codec = LogCodec()
  let frame = MicrophoneFrame(position: 640, samples: [])
  let audio = SpeechAudio(samples: [0, 0, 0])
  let (connection, speech) = (ConnectionID(rawValue: 2), SpeechID(rawValue: 5))
  let steps: [(VoiceEvent, [VoiceAction])] = [
    (.microphoneFrame(frame: frame), []),
    (.microphoneFrame(frame: frame), [.sendAudio(connection: connection, frame: frame)]),
    (.speechAudio(speech: speech, audio: audio), [.play(speech: speech, audio: audio)]),
    // What happens to be no plain sound, and has as many numbers.
    (.speechAudio(speech: speech, audio: audio), [.play(speech: SpeechID(rawValue: 6), audio: audio)]),
    (.microphoneFrame(frame: frame), [.sendAudio(connection: connection, frame: .init(position: 0, samples: []))]),
  ]
  for (event, actions) in steps {
    for repeated in [1, 3] {
      let step = VoiceStep(sequence: 7, time: SessionTime(microseconds: 9), event: event, actions: actions)
      let line = LogLine(step: step, repeated: repeated)
      let bytes = codec.encode(line).dropLast()
      #expect(try codec.decodeLine(bytes) == line)
      let spaced = String(decoding: bytes, as: UTF8.self).replacing(":", with: ": ")
      #expect(try codec.decodeLine(spaced.utf8) == line)
    }
  }
}

@Test func aLogThatWasCutOffIsReadAsFarAsItGoes() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var writer = try LogWriter(path)
  for index in 0..<5 {
    try writer.append(VoiceStep(sequence: index, time: .zero, event: .commandGiven(command: .quiet), actions: []))
  }
  try writer.writeGathered()
  let whole = try Data(contentsOf: URL(filePath: path))
  for length in 0..<whole.count {
    try whole.prefix(length).write(to: URL(filePath: path))
    do {
      let reader = try LogReader(path)
      #expect(reader.lines.count <= 5)
    } catch let failure {
      #expect(failure.description.contains("not a voice-event log"), "cut at \(length)")
    }
  }
}

@Test func aFileThatIsNoLogIsRefusedByName() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  try Data("hello\n".utf8).write(to: URL(filePath: path))
  #expect(throws: FileFailure("\(path) is not a voice-event log, or its first line is damaged.")) {
    try LogReader(path)
  }
}

@Test func aNewerFormatIsRefused() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  try Data("{\"format\":\"parley voice-event log\",\"version\":99}\n".utf8).write(to: URL(filePath: path))
  #expect(throws: FileFailure.self) { try LogReader(path) }
}

@Test func aFullDiskIsOneClearError() throws {
  #expect(
    FileFailure("write to", "events.jsonl", errno: ENOSPC).description
      == "Cannot write to events.jsonl: No space left on device. Free some space, or choose another folder.")
  // Nothing is written to a device that may have been put there under the name of a file.
  #expect(throws: FileFailure.self) { try AppendFile("/dev/full") }
}

@Test func wordsAreWrittenAsFoundationWritesThem() throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let lesson = Correction(heard: "packet swift", meant: "Package.swift", before: "open", after: "")
  for words in [
    ProjectWords(), ProjectWords(names: ["EventInbox"]), ProjectWords(names: ["a/b.swift", "x_y", "~!#"]),
    ProjectWords(names: ["EventInbox", "quote\"d"]), ProjectWords(names: ["back\\slash", "Größe", "tab\tbed"]),
    ProjectWords(names: ["Package.swift"], corrections: [lesson]),
  ] {
    let event = VoiceEvent.wordsLearned(words: words)
    let line = LogCodec().encode(
      LogLine(step: VoiceStep(sequence: 3, time: .milliseconds(5), event: event, actions: [])))
    let general = String(decoding: try encoder.encode(event), as: UTF8.self)
    #expect(
      String(decoding: line, as: UTF8.self)
        == "{\"sequence\":3,\"time\":5000,\"event\":\(general),\"actions\":[]}\n")
  }
}

/// What a crash leaves is a last line without its end; anything else is damage.
@Test func onlyALastLineWithoutItsEndIsTorn() throws {
  let codec = LogCodec()
  let whole = (0..<3).map { codec.encode(LogLine(step: frameStep($0, position: $0 * 320))) }
  func read(_ bytes: [UInt8]) throws -> LogReader {
    let folder = try TemporaryFolder()
    try AppendFile(folder.path + "/log").append(codec.encode(.current) + bytes)
    return try LogReader(folder.path + "/log")
  }
  let torn = try read(whole[0] + whole[1] + whole[2].dropLast(9))
  #expect((torn.isTorn, torn.damage == nil, torn.lines.count) == (true, true, 2))
  let damaged = try read(whole[0] + whole[1].dropLast(9) + [0x0A] + whole[2])
  #expect((damaged.isTorn, damaged.damage != nil) == (false, true))
  let both = try read(whole[0] + [0x7B, 0x0A] + whole[2].dropLast(9))
  #expect((both.isTorn, both.damage != nil) == (false, true))
  let ended = try read(whole[0] + whole[1] + whole[2].dropLast(9) + [0x0A])
  #expect((ended.isTorn, ended.damage != nil) == (false, true))
  let sound = try read(whole[0] + whole[1] + whole[2])
  #expect((sound.isTorn, sound.damage == nil, sound.lines.count) == (false, true, 3))
}
