import VoiceJSON
import VoiceVocabulary
package import VoiceWebSocket

/// The client's side of OpenAI's Realtime protocol in its general shape, one value for each connection. The names of its first
/// version are understood, too: other servers still use them.
package struct OpenAIDialect: LiveDialect {
  /// The listener's turns, which this program ends itself with client turn detection.
  private enum Turn {
    /// Nobody waits for a response.
    case none
    /// The sound is being taken over. → owed, none.
    case committing
    /// To be answered as soon as no other response goes on. → none.
    case owed
  }

  private var isSetUp = false
  private var endsTurns = false
  private var turn = Turn.none
  private var responses = OpenAIResponses()
  /// What the user seems to be saying, by the item that it will be.
  private var interim = (item: "", text: "")
  /// Whether a transcript came since a turn was closed: the next one is not joined to it without a blank.
  private var hasTranscript = false
  /// To be sent in answer to the last message.
  private var waiting: [JSON] = []

  package init() {}

  package func headers(key: Secret?) -> [(name: String, value: String)] {
    key.map { [("authorization", "Bearer \($0.reveal())")] } ?? []
  }

  // MARK: To the server: one JSON object for each text frame.

  package mutating func encode(_ command: DialectCommand, at now: ContinuousClock.Instant) -> [OutgoingMessage] {
    switch command {
    case .audio(let samples): return [audio(samples)]
    case .setUp(let setup, _):
      if case .listener(let listening) = setup.role { endsTurns = listening.turnDetection == .client }
      return [Self.message(OpenAISetup.message(setup))]
    case .activityStart:
      turn = .none
      return responses.active.map { [Self.message(Self.cancel($0.id))] } ?? []
    case .activityEnd:
      turn = .committing
      return [Self.message(["type": "input_audio_buffer.commit"])]
    // No response is asked for: the model shall not speak about it.
    case .answer(let id, _, let text):
      let output: JSON = ["type": "function_call_output", "call_id": .string(id), "output": .string(text)]
      return [Self.message(["type": "conversation.item.create", "item": output])]
    case .truncate(let turn, let milliseconds):
      guard let response = responses.response(of: turn), let item = response.item else { return [] }
      // Longer than the sound is would be an error.
      let heard = min(milliseconds, response.samples * 1_000 / OpenAISetup.rate)
      return [
        Self.message([
          "type": "conversation.item.truncate", "item_id": .string(item), "content_index": 0,
          "audio_end_ms": .integer(heard),
        ])
      ]
    case .speak(let text, let turn):
      responses.asked(for: turn)
      return [Self.message(Self.speech(text, turn))]
    case .hush(let turn): return responses.hush(turn).map { [Self.message(Self.cancel($0))] } ?? []
    }
  }

  package mutating func replies() -> [OutgoingMessage] {
    defer { waiting = [] }
    return waiting.map(Self.message)
  }

  /// Twenty-five to fifty times a second: written by hand around the base64, which needs no escaping.
  private func audio(_ samples: [Int16]) -> OutgoingMessage {
    OutgoingMessage(.text, capacity: samples.count * 8 / 3 + 64) { bytes in
      bytes.append(contentsOf: #"{"type":"input_audio_buffer.append","audio":""#.utf8)
      Base64.append(samples, to: &bytes)
      bytes.append(contentsOf: #""}"#.utf8)
    }
  }

  /// Outside of the conversation: what was read before is no reason to read otherwise.
  private static func speech(_ text: String, _ turn: ModelTurnID) -> JSON {
    [
      "type": "response.create", "event_id": .string(eventPrefix + "\(turn.rawValue)"),
      "response": [
        "conversation": "none", "metadata": ["turn": .string("\(turn.rawValue)")],
        "input": [["type": "message", "role": "user", "content": [["type": "input_text", "text": .string(text)]]]],
      ],
    ]
  }

  private static let eventPrefix = "turn-"

  private static func cancel(_ response: String) -> JSON {
    ["type": "response.cancel", "response_id": .string(response)]
  }

  private static func message(_ literal: JSON) -> OutgoingMessage {
    OutgoingMessage(.text, capacity: 2048) { literal.append(to: &$0) }
  }

  // MARK: From the server: one JSON object for each frame, whose names with underscores are looked for without.

  package mutating func decode(_ message: IncomingMessage, at now: ContinuousClock.Instant) -> [DialectEvent] {
    let root: JSONNode
    do { root = try JSONNode(parsing: message.bytes) } catch {
      return [.malformed(reason: "a message is not JSON: \(error.reason) at byte \(error.offset)")]
    }
    guard let type = root["type"]?.string else { return [.malformed(reason: "a message has no type")] }
    let response = root["responseId"]?.string ?? ""
    switch type {
    case "response.output_audio.delta", "response.audio.delta": return sound(root, response)
    case "response.output_audio_transcript.delta", "response.audio_transcript.delta":
      let turn = responses.update(response) { _ in }
      return [.outputTranscription(turn: turn, text: root["delta"]?.string ?? "")]
    case "session.updated":
      defer { isSetUp = true }
      return isSetUp ? [] : [.setUp]
    case "input_audio_buffer.speech_started": return [.voiceActivity(isStart: true)]
    case "input_audio_buffer.speech_stopped": return [.voiceActivity(isStart: false)]
    case "input_audio_buffer.committed":
      if turn == .committing { turn = .owed }
      return answerTurn()
    case "conversation.item.input_audio_transcription.delta": return seemsToSay(root)
    case "conversation.item.input_audio_transcription.completed": return said(root["transcript"]?.string ?? "")
    case "conversation.item.input_audio_transcription.failed":
      return [.failed(turn: nil, reason: "What you said was not transcribed: \(OpenAIError(root["error"]).message)")]
    case "response.created": return began(root["response"])
    case "response.function_call_arguments.done": return called(root, in: response)
    case "response.output_item.done": return root["item"].map { called($0, in: response) } ?? []
    case "response.done": return ended(root["response"]) + answerTurn()
    case "error": return erred(root["error"])
    default: return Self.known.contains { type.hasPrefix($0) } ? [] : [.unknown(name: type)]
    }
  }

  /// Beginnings of the names of what needs nothing to be done.
  private static let known = [
    "session.created", "conversation.", "input_audio_buffer.", "output_audio_buffer.", "response.", "rate_limits.",
  ]

  private mutating func sound(_ root: JSONNode, _ response: String) -> [DialectEvent] {
    guard let bytes = root["delta"]?.base64 else { return [.malformed(reason: "a piece of sound is not base64")] }
    var samples: [Int16] = []
    let turn = responses.update(response) {
      samples = $0.joiner.samples(from: bytes)
      $0.item = root["itemId"]?.string ?? $0.item
      $0.samples += samples.count
    }
    return DialectEvent.sound(samples, of: turn)
  }

  private mutating func seemsToSay(_ root: JSONNode) -> [DialectEvent] {
    let item = root["itemId"]?.string ?? ""
    if interim.item != item { interim = (item, "") }
    guard interim.text.utf8.count <= Limits.instructionCharacters else { return [] }
    interim.text += root["delta"]?.string ?? ""
    return interim.text.isEmpty ? [] : [.interimTranscription(text: interim.text)]
  }

  private mutating func said(_ text: String) -> [DialectEvent] {
    interim = ("", "")
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    let isJoined = hasTranscript && text.first?.isWhitespace == false
    hasTranscript = true
    return [.inputTranscription(text: isJoined ? " " + text : text, isFinal: true)]
  }

  private mutating func began(_ response: JSONNode?) -> [DialectEvent] {
    guard let id = response?["id"]?.string else { return [.malformed(reason: "a response has no name")] }
    let isUnwanted = responses.began(id, named: response?["metadata"]?["turn"]?.string.flatMap { Int($0) })
    if isUnwanted { waiting.append(Self.cancel(id)) }
    return []
  }

  /// A call that a response holds: a server tells of one in three messages.
  private mutating func called(_ call: JSONNode, in response: String) -> [DialectEvent] {
    guard let id = call["callId"]?.string, let name = call["name"]?.string else { return [] }
    let arguments = JSON(parsing: Array((call["arguments"]?.string ?? "").utf8))
    let argument = arguments?["\(LiveSetup.parameter)"]?.string
    responses.update(response) { $0.called(id, tool: name, argument: argument) }
    return []
  }

  /// A response is over: whatever becomes of it, its turn is closed.
  private mutating func ended(_ response: JSONNode?) -> [DialectEvent] {
    guard let response, let id = response["id"]?.string else { return [.malformed(reason: "a response has no name")] }
    if responses[id]?.isOver == true { return [] }
    for item in response["output"]?.elements ?? [] { _ = called(item, in: id) }
    let turn = responses.update(id) { $0.isOver = true }
    let isCut = ["cancelled", "failed"].contains(response["status"]?.string)
    // Of a turn that was cut, the user goes on.
    if !isCut { hasTranscript = false }
    var events: [DialectEvent] = []
    for call in isCut ? [] : responses[id]?.calls ?? [] {
      events.append(.toolCall(id: call.id, tool: call.tool, argument: call.argument))
    }
    if let usage = response["usage"] {
      let count = { (node: JSONNode?) in node?.integer.map { Int(countTold: $0) } ?? 0 }
      events.append(.usage(inputTokens: count(usage["inputTokens"]), outputTokens: count(usage["outputTokens"])))
    }
    let details = response["statusDetails"]
    switch response["status"]?.string {
    case "cancelled": events.append(.interrupted(turn: turn))
    case "failed":
      let error = OpenAIError(details?["error"])
      if let refusal = error.refusalOfAll { return events + [.refused(refusal, reason: error.message)] }
      events.append(.failed(turn: turn, reason: error.message))
    case "incomplete":
      events.append(.failed(turn: turn, reason: "The server ended it: \(details?["reason"]?.string ?? "incomplete")."))
    default: if responses[id]?.samples ?? 0 > 0 { events.append(.generationComplete(turn: turn)) }
    }
    return events + [.turnComplete(turn: turn, isIdle: true)]
  }

  /// Ask for the response to what the user said, once it may be: only one at a time goes on.
  private mutating func answerTurn() -> [DialectEvent] {
    guard endsTurns, turn == .owed, responses.active == nil else { return [] }
    turn = .none
    waiting.append(["type": "response.create"])
    return []
  }

  private mutating func erred(_ node: JSONNode?) -> [DialectEvent] {
    let error = OpenAIError(node)
    // Before it has accepted the session, there is nothing else that it could be about.
    if !isSetUp { return [.refused(error.refusalOfSession, reason: error.message)] }
    if let refusal = error.refusalOfAll { return [.refused(refusal, reason: error.message)] }
    if error.isOfEmptyTurn, turn == .committing {
      turn = .none
      return [.turnComplete(turn: responses.emptyTurn(), isIdle: true)]
    }
    if error.isOfAnotherResponse {
      if let asked = responses.refuseAsked() { return [.failed(turn: asked, reason: error.message)] }
      // The user's turn is answered once the other one is over.
      if endsTurns, turn == .none { turn = .owed }
      return [.unknown(name: error.code)]
    }
    if error.isHarmless || error.isOfEmptyTurn { return [.unknown(name: error.code)] }
    let event = node?["eventId"]?.string ?? ""
    let turn = event.hasPrefix(Self.eventPrefix) ? Int(event.dropFirst(Self.eventPrefix.count)) : nil
    return [.failed(turn: turn.map(ModelTurnID.init(rawValue:)), reason: error.message)]
  }
}
