import VoiceJSON
package import VoiceVocabulary

/// One line of a voice-event log: a step, or a run of like steps that differ only in the sound they carry.
///
/// Form: `{"sequence":12,"time":340000,"event":{…},"actions":[…],"reasons":["…"],"state":"9f3c…"}`, with `"repeated":50`
/// behind the time where the line stands for that many steps: microphone frames in a row, each 320 samples behind the one
/// before, or a stretch of one piece of speech that came in several parts. Times are microseconds since the session
/// started. Keys are in a fixed order, so that equal steps are equal bytes.
package struct LogLine: Equatable, Sendable {
  /// The first step of the run.
  package var step: VoiceStep
  /// How many steps the line stands for.
  package var repeated: Int

  package init(step: VoiceStep, repeated: Int = 1) {
    self.step = step
    self.repeated = repeated
  }

  /// Add a step that follows; false if it needs a line of its own.
  mutating func absorb(_ next: VoiceStep) -> Bool {
    guard next.sequence == step.sequence + repeated, step.isPlain, next.isPlain else { return false }
    switch (step.event, next.event) {
    case (.microphoneFrame(let first), .microphoneFrame(let frame)):
      guard frame.position == first.position + repeated * PCM.frameSamples,
        step.actions.isPlainSend(of: first) == next.actions.isPlainSend(of: frame),
        step.actions.isPlainSend(of: first) != .other
      else { return false }
    case (.speechAudio(let speech, var audio), .speechAudio(let same, let more)):
      guard same == speech, step.actions == [.play(speech: speech, audio: audio)],
        next.actions == [.play(speech: speech, audio: more)],
        audio.samples.count + more.samples.count <= Limits.longestSpeechAudioSamples
      else { return false }
      audio.samples += more.samples
      step.event = .speechAudio(speech: speech, audio: audio)
      step.actions = [.play(speech: speech, audio: audio)]
    default: return false
    }
    repeated += 1
    return true
  }

  /// Whether the line may stand behind another one: numbers and times only grow.
  func follows(_ other: LogLine?) -> Bool {
    guard let other else { return true }
    return step.sequence >= other.step.sequence + other.repeated && step.time >= other.step.time
  }

  /// The steps that this line stands for. Sound that came in parts is given as one stretch.
  package var steps: [VoiceStep] {
    guard case .microphoneFrame(let first) = step.event else { return [step] }
    let send = step.actions.isPlainSend(of: first)
    return (0..<repeated).map { index in
      let frame = MicrophoneFrame(position: first.position + index * PCM.frameSamples, samples: first.samples)
      var each = step
      each.sequence += index
      each.event = .microphoneFrame(frame: frame)
      if case .on(let connection) = send { each.actions = [.sendAudio(connection: connection, frame: frame)] }
      return each
    }
  }
}

extension VoiceStep {
  /// Whether there is no more to it than its event and its actions.
  var isPlain: Bool { reasons.isEmpty && state == nil }

  /// Whether it only passes sound on, or leaves it.
  var decidesNothing: Bool {
    actions.allSatisfy { action in
      switch action {
      case .sendAudio, .play: true
      default: false
      }
    }
  }
}

/// What a step does with a frame.
enum PlainSend: Equatable {
  case nothing
  case on(ConnectionID)
  case other
}

extension [VoiceAction] {
  /// Whether these are none, the frame sent on as it is, or anything else.
  func isPlainSend(of frame: MicrophoneFrame) -> PlainSend {
    if isEmpty { return .nothing }
    // By its place: the silence behind a microphone that was closed is no other line.
    if count == 1, case .sendAudio(let connection, let sent) = self[0], sent.position == frame.position {
      return .on(connection)
    }
    return .other
  }
}

// MARK: Bytes

/// What a log is, in its first line.
package struct LogHeader: Equatable, Sendable, Codable {
  package static let current = LogHeader(format: "parley voice-event log", version: 1)

  package var format: String
  package var version: Int
}

/// Turns lines into bytes and back.
package struct LogCodec {
  package init() {}

  /// The line with its line feed.
  package func encode(_ line: LogLine) -> [UInt8] {
    var bytes: [UInt8] = []
    append(line, to: &bytes)
    return bytes
  }

  /// Write a line, with its end.
  func append(_ line: LogLine, to bytes: inout [UInt8]) {
    if Self.append(sound: line, to: &bytes) { return }
    Self.appendHead(of: line, to: &bytes)
    JSON(encoding: line.step.event).append(to: &bytes)
    bytes += ",\"actions\":".utf8
    JSON(encoding: line.step.actions).append(to: &bytes)
    if !line.step.reasons.isEmpty {
      bytes += ",\"reasons\":".utf8
      JSON.strings(line.step.reasons).append(to: &bytes)
    }
    if let state = line.step.state { bytes += ",\"state\":\"\(state)\"".utf8 }
    bytes += "}\n".utf8
  }

  /// The first line of a log, with its end.
  package func encode(_ header: LogHeader) -> [UInt8] { JSON(encoding: header).line }

  /// A line without its line feed.
  package func decodeLine(_ bytes: some Sequence<UInt8>) throws -> LogLine {
    let bytes = Array(bytes)
    if let line = soundLine(bytes) { return line }
    let line = try JSON.decode(EncodedLine.self, from: bytes)
    let repeated = line.repeated ?? 1
    guard (1...Limits.logLineSteps).contains(repeated) else {
      throw FileFailure("A line stands for \(repeated) steps.")
    }
    guard line.sequence >= 0, line.time >= .zero else {
      throw FileFailure("A line has the number \(line.sequence) and the time \(line.time.microseconds).")
    }
    if case .microphoneFrame(let frame) = line.event, frame.position < 0 {
      throw FileFailure("A frame has the position \(frame.position).")
    }
    let state = try line.state.map { text in
      guard let state = StateDigest(text) else { throw FileFailure("“\(text)” is not the digest of a state.") }
      return state
    }
    let step = VoiceStep(
      sequence: line.sequence, time: line.time, event: line.event, actions: line.actions, reasons: line.reasons ?? [],
      state: state)
    return LogLine(step: step, repeated: repeated)
  }

  private struct EncodedLine: Decodable {
    var sequence: Int
    var time: SessionTime
    var repeated: Int?
    var event: VoiceEvent
    var actions: [VoiceAction]
    /// Neither stands where there is none.
    var reasons: [String]?
    var state: String?
  }
}
