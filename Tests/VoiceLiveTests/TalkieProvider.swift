import VoiceCore
import VoiceJSON
import VoiceLive
import VoiceVocabulary
import VoiceWebSocket

// A provider that there is not: in its protocol whatever the one that there is does not do. One file, as any other.

extension LiveProvider {
  /// Other rates in both directions, a model in the query, a key in another header, turns with names of the server's own, no
  /// resumption, no turns told by the client; but it hears how much was heard, and tells of errors.
  static let talkie = LiveProvider(
    name: "talkie", url: "wss://talkie.example", path: { "/v1/talk?model=\($0)" }, model: "t-1",
    keyVariable: "TALKIE_KEY", inputRate: 24_000, outputRate: 16_000, capabilities: [.serverTurnDetection],
    dialect: { _ in TalkieDialect() })
}

struct TalkieDialect: LiveDialect {
  /// The server's names of the turns that it began.
  private var names: [ModelTurnID: String] = [:]

  func headers(key: Secret?) -> [(name: String, value: String)] {
    key.map { [("authorization", "Bearer \($0.reveal())")] } ?? []
  }

  mutating func encode(_ command: DialectCommand, at now: ContinuousClock.Instant) -> [OutgoingMessage] {
    let message: JSON
    switch command {
    case .setUp(let setup, _):
      message = [
        "type": "setup", "instructions": .string(setup.instruction), "tools": .strings(setup.tools.map(\.name)),
      ]
    case .audio(let samples):
      var data: [UInt8] = []
      Base64.append(samples, to: &data)
      message = ["type": "audio", "data": .string(String(decoding: data, as: UTF8.self))]
    case .activityStart, .activityEnd: return []
    case .answer(let id, _, let text): message = ["type": "answer", "call": .string(id), "text": .string(text)]
    case .truncate(let turn, let milliseconds):
      guard let name = names[turn] else { return [] }
      message = ["type": "truncate", "turn": .string(name), "ms": .integer(milliseconds)]
    case .speak(let text, let turn): message = ["type": "speak", "tag": .integer(turn.rawValue), "text": .string(text)]
    case .hush(let turn):
      guard let name = names[turn] else { return [] }
      message = ["type": "cancel", "turn": .string(name)]
    }
    return [OutgoingMessage(.text, capacity: 1024) { message.append(to: &$0) }]
  }

  mutating func decode(_ message: IncomingMessage, at now: ContinuousClock.Instant) -> [DialectEvent] {
    guard let root = JSON(parsing: message.bytes), let type = root["type"]?.string else {
      return [.malformed(reason: "no message")]
    }
    let text = root["text"]?.string ?? ""
    let turn = root["turn"]?.string.flatMap { name in names.first { $0.value == name }?.key }
    switch (type, turn) {
    case ("ready", _): return [.setUp]
    case ("begun", _):
      // Those that were asked for have a number, the others get the next.
      let number = root["tag"]?.integer ?? (names.keys.max()?.rawValue ?? 0) + 1
      names[ModelTurnID(rawValue: number)] = root["turn"]?.string
      return []
    case ("sound", let turn?): return [.audio(turn: turn, SpeechAudio(samples: Self.samples(root["data"])))]
    case ("said", let turn?): return [.outputTranscription(turn: turn, text: text)]
    case ("done", let turn?):
      return [.generationComplete(turn: turn), .turnComplete(turn: turn, isIdle: true)]
    case ("cut", let turn?): return [.interrupted(turn: turn), .turnComplete(turn: turn, isIdle: true)]
    case ("heard", _): return [.inputTranscription(text: text, isFinal: true)]
    case ("call", _): return [.toolCall(id: root["id"]?.string ?? "", tool: "converse", argument: text)]
    case ("error", let turn): return [.failed(turn: turn, reason: text)]
    default: return [.unknown(name: type)]
    }
  }

  func closure(code: Int?, reason: String) -> ServerClosure {
    switch code {
    case 4001: .keyRefused
    case 4004: .modelRefused
    case 1011: .fault
    default: .ended
    }
  }

  static func samples(_ data: JSON?) -> [Int16] {
    var joiner = SampleJoiner()
    return joiner.samples(from: Base64.decode(Array((data?.string ?? "").utf8)[...]) ?? [])
  }
}
