import VoiceJSON
import VoiceVocabulary

/// Lines of nothing but sound, which most lines of a log are.
extension LogCodec {
  /// Append the line of a step that only passes sound on; false for any other. A session has a hundred of these a second, for
  /// which the general encoder, and even making texts, would be most of the work; the bytes are the same.
  static func append(sound line: LogLine, to bytes: inout [UInt8]) -> Bool {
    let step = line.step
    guard step.isPlain else { return false }
    switch step.event {
    case .microphoneFrame(let frame):
      let send = step.actions.isPlainSend(of: frame)
      if case .other = send { return false }
      appendHead(of: line, to: &bytes)
      bytes += "{\"microphoneFrame\":".utf8
      append(frame, to: &bytes)
      bytes += "}}},\"actions\":[".utf8
      if case .on(let connection) = send {
        bytes += "{\"sendAudio\":{\"connection\":".utf8
        append(connection.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        bytes += "\"frame\":{\"position\":".utf8
        append(frame.position, to: &bytes)
        bytes += "}}}".utf8
      }
    case .speechAudio(let speech, let audio):
      guard step.actions == [.play(speech: speech, audio: audio)] else { return false }
      appendHead(of: line, to: &bytes)
      bytes += "{\"speechAudio\":".utf8
      append(audio, of: speech, to: &bytes)
      bytes += "},\"actions\":[{\"play\":".utf8
      append(audio, of: speech, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    default: return false
    }
    bytes += "]}\n".utf8
    return true
  }

  /// What every line begins with, up to its event.
  static func appendHead(of line: LogLine, to bytes: inout [UInt8]) {
    bytes += "{\"sequence\":".utf8
    append(line.step.sequence, to: &bytes)
    bytes += ",\"time\":".utf8
    append(Int(line.step.time.microseconds), to: &bytes)
    if line.repeated > 1 {
      bytes += ",\"repeated\":".utf8
      append(line.repeated, to: &bytes)
    }
    bytes += ",\"event\":".utf8
  }

  private static func append(_ frame: MicrophoneFrame, to bytes: inout [UInt8]) {
    bytes += "{\"frame\":{\"position\":".utf8
    append(frame.position, to: &bytes)
  }

  private static func append(_ audio: SpeechAudio, of speech: SpeechID, to bytes: inout [UInt8]) {
    bytes += "{\"audio\":{\"samples\":".utf8
    append(audio.samples.count, to: &bytes)
    bytes += "},\"speech\":".utf8
    append(speech.rawValue, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(digitsOf: number.magnitude, to: &bytes)
  }

  private static func append(digitsOf number: UInt, to bytes: inout [UInt8]) {
    if number >= 10 { append(digitsOf: number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// A line whose step `append(sound:)` writes; nil for any other. Its numbers are all there is to it: the line that they make is
  /// taken if it is the same bytes.
  func soundLine(_ row: [UInt8]) -> LogLine? {
    guard let (numbers, heads, kind) = Self.numbers(row), heads == 2 || heads == 3 else { return nil }
    let rest = Array(numbers[heads...])
    let event: VoiceEvent
    let actions: [VoiceAction]
    switch (kind, rest.count) {
    case (UInt8(ascii: "m"), 1), (UInt8(ascii: "m"), 3):
      let frame = MicrophoneFrame(position: rest[0], samples: [])
      event = .microphoneFrame(frame: frame)
      actions = rest.count == 1 ? [] : [.sendAudio(connection: ConnectionID(rawValue: rest[1]), frame: frame)]
    case (UInt8(ascii: "s"), 4) where rest[0] <= Limits.longestSpeechAudioSamples:
      let audio = SpeechAudio(samples: [Int16](repeating: 0, count: rest[0]))
      event = .speechAudio(speech: SpeechID(rawValue: rest[1]), audio: audio)
      actions = [.play(speech: SpeechID(rawValue: rest[1]), audio: audio)]
    default: return nil
    }
    let time = SessionTime(microseconds: Int64(numbers[1]))
    let step = VoiceStep(sequence: numbers[0], time: time, event: event, actions: actions)
    let line = LogLine(step: step, repeated: heads == 3 ? numbers[2] : 1)
    guard (1...Limits.logLineSteps).contains(line.repeated) else { return nil }
    return encode(line).dropLast() == row[...] ? line : nil
  }

  /// The numbers of a row, how many of them stand before its event, and the first letter of the event's name; nil if there
  /// are more than sound has, or larger ones than may be.
  private static func numbers(_ row: [UInt8]) -> (numbers: [Int], heads: Int, kind: UInt8)? {
    var numbers: [Int] = []
    var number: Int?
    var braces = 0
    var heads = 0
    var kind: UInt8?
    for byte in row {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        guard number ?? 0 <= JSON.greatestNumber else { return nil }
        continue
      }
      if let complete = number {
        numbers.append(complete)
        number = nil
        guard numbers.count <= 7 else { return nil }
      }
      if byte == UInt8(ascii: "{") {
        braces += 1
        if braces == 2 { heads = numbers.count }
      } else if braces == 2, kind == nil, byte != UInt8(ascii: "\"") {
        guard byte == UInt8(ascii: "m") || byte == UInt8(ascii: "s") else { return nil }
        kind = byte
      }
    }
    return kind.map { (numbers, heads, $0) }
  }
}
