import VoiceJSON
import VoiceVocabulary
package import VoiceWebSocket

/// The client's side of the Gemini Live protocol (BidiGenerateContent), one value for each connection.
package struct GeminiDialect: LiveDialect {
  private let family: GeminiSetup.Family
  private var joiner = SampleJoiner()
  private var served = ServedTurns()
  /// Nil for a listener.
  private var asked: AskedTurns?

  /// - Parameter model: Decides which variants of messages the server understands.
  package init(model: String) { family = GeminiSetup.family(of: model) }

  package func headers(key: Secret?) -> [(name: String, value: String)] {
    key.map { [("x-goog-api-key", $0.reveal())] } ?? []
  }

  // MARK: To the server: one JSON object for each text frame.

  package mutating func encode(_ command: DialectCommand, at now: ContinuousClock.Instant) -> [OutgoingMessage] {
    switch command {
    case .audio(let samples): return [audio(samples)]
    case .setUp(let setup, let handle):
      if setup.role == .readout { asked = AskedTurns() }
      return [message(GeminiSetup.message(setup, handle: handle))]
    case .activityStart: return [message(["realtimeInput": ["activityStart": [:]]])]
    case .activityEnd: return [message(["realtimeInput": ["activityEnd": [:]]])]
    case .answer(let id, let tool, let text): return [message(answer(id: id, tool: tool, text: text))]
    // What was sent before an interruption stays in the conversation; there is no way to take some of it back.
    case .truncate: return []
    case .speak(let text, let turn):
      asked?.asked(for: turn)
      if family == .blocking { return [message(["realtimeInput": ["text": .string(text)]])] }
      let content: JSON = ["role": "user", "parts": [["text": .string(text)]]]
      return [message(["clientContent": ["turns": [content], "turnComplete": true]])]
    case .hush(let turn):
      asked?.cancelled(turn, at: now)
      return family == .blocking ? [] : [message(["clientContent": ["turnComplete": false]])]
    }
  }

  /// Twenty-five to fifty times a second: written by hand around the base64, which needs no escaping.
  private func audio(_ samples: [Int16]) -> OutgoingMessage {
    OutgoingMessage(.text, capacity: samples.count * 8 / 3 + 96) { bytes in
      bytes.append(contentsOf: #"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":""#.utf8)
      Base64.append(samples, to: &bytes)
      bytes.append(contentsOf: #""}}}"#.utf8)
    }
  }

  private func answer(id: String, tool: String, text: String) -> JSON {
    let isBlocking = family == .blocking
    return [
      "toolResponse": [
        "functionResponses": [
          [
            "id": id.isEmpty ? nil : .string(id),
            "name": .string(tool),
            // The guide has `scheduling` inside the response, the API type beside it: both are sent.
            "response": ["result": .string(text), "scheduling": isBlocking ? nil : "SILENT"],
            "scheduling": isBlocking ? nil : "SILENT",
            "willContinue": isBlocking ? nil : false,
          ]
        ]
      ]
    ]
  }

  private func message(_ literal: JSON) -> OutgoingMessage {
    OutgoingMessage(.text, capacity: 2048) { literal.append(to: &$0) }
  }

  // MARK: From the server: one JSON object for each frame, text or binary.

  package mutating func decode(_ message: IncomingMessage, at now: ContinuousClock.Instant) -> [DialectEvent] {
    let root: JSONNode
    do { root = try JSONNode(parsing: message.bytes) } catch {
      return [.malformed(reason: "a message is not JSON: \(error.reason) at byte \(error.offset)")]
    }
    guard root.isObject else { return [.malformed(reason: "a message is not a JSON object")] }
    var events: [DialectEvent] = []
    if root["setupComplete"] != nil { events.append(.setUp) }
    if let content = root["serverContent"] { decode(content, at: now, into: &events) }
    if let call = root["toolCall"] { decode(call: call, into: &events) }
    if let ids = root["toolCallCancellation"]?["ids"] {
      events.append(.toolCallCancellation(ids: ids.elements.compactMap(\.string)))
    }
    if let update = root["sessionResumptionUpdate"] {
      let handle = update["newHandle"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      events.append(.resumption(handle: handle, isResumable: handle != nil && (update["resumable"]?.isTrue ?? false)))
    }
    if let warning = root["goAway"] { events.append(.goAway(milliseconds: milliseconds(warning["timeLeft"]))) }
    if let activity = root["voiceActivity"]?["type"]?.string {
      events.append(.voiceActivity(isStart: activity == "ACTIVITY_START"))
    }
    if let signal = root["voiceActivityDetectionSignal"]?["vadSignalType"]?.string {
      events.append(.voiceActivity(isStart: signal.hasSuffix("SOS")))
    }
    if let usage = root["usageMetadata"] {
      let output = usage["responseTokenCount"] ?? usage["candidatesTokenCount"]
      events.append(
        .usage(inputTokens: usage["promptTokenCount"]?.count ?? 0, outputTokens: output?.count ?? 0))
    }
    if let error = root["error"] { events.append(.failed(turn: nil, reason: Self.reason(of: error))) }
    for name in root.names where !Self.known.contains(where: { JSONNode.isSameName(name, $0) }) {
      events.append(.unknown(name: name))
    }
    return events
  }

  private static let soundType = "audio/pcm;rate=\(PCM.speakerRate)"

  private static let known: [StaticString] = [
    "setupComplete", "serverContent", "toolCall", "toolCallCancellation", "sessionResumptionUpdate", "goAway",
    "voiceActivity", "voiceActivityDetectionSignal", "usageMetadata", "error",
  ]

  /// Several fields may be set at once. What ends a turn comes last, after everything that belongs to it.
  private mutating func decode(_ content: JSONNode, at now: ContinuousClock.Instant, into events: inout [DialectEvent])
  {
    if let transcription = content["inputTranscription"] {
      let (text, isFinal) = (transcription["text"]?.string ?? "", transcription["finished"]?.isTrue ?? false)
      if !text.isEmpty || isFinal {
        let hearing = content["inputTranscriptionHearing"].flatMap(Self.hearing)
        events.append(.inputTranscription(text: text, isFinal: isFinal, hearing: hearing))
      }
    }
    if let text = content["interimInputTranscription"]?["text"]?.string, !text.isEmpty {
      events.append(.interimTranscription(text: text))
    }
    // Text parts beside the sound are not spoken: thoughts at most.
    for part in content["modelTurn"]?["parts"]?.elements ?? [] {
      if let data = part["inlineData"] { decode(sound: data, at: now, into: &events) }
    }
    // Behind the sound of which it is, so that a turn is known to speak.
    if let text = content["outputTranscription"]?["text"]?.string, !text.isEmpty {
      events.append(.outputTranscription(turn: asked?.speaking ?? served.turn(at: now), text: text))
    }
    if content["interrupted"]?.isTrue == true {
      joiner.reset()
      events.append(.interrupted(turn: asked?.interrupted(at: now) ?? served.interrupted(at: now)))
    }
    if content["generationComplete"]?.isTrue == true {
      joiner.reset()
      events.append(.generationComplete(turn: asked?.generated(at: now) ?? served.turn(at: now)))
    }
    if content["turnComplete"]?.isTrue == true {
      joiner.reset()
      let isIdle = content["interactionStatus"]?.string != "IN_PROGRESS"
      let turn = asked?.closed(isIdle: isIdle, at: now) ?? served.closed()
      events.append(.turnComplete(turn: turn, isIdle: isIdle))
    }
  }

  /// What the local live model tells of a transcript besides its text; Gemini tells nothing.
  private static func hearing(_ node: JSONNode) -> Hearing? {
    let sureness = node["sureness"]?.elements.map { min(100, max(0, $0.integer ?? 100)) } ?? []
    let alternatives = node["alternatives"]?.elements.prefix(Limits.alternatives).compactMap(\.string) ?? []
    let hearing = Hearing(
      sureness: sureness.count <= Limits.repairedWords ? sureness : [],
      alternatives: alternatives.filter { $0.utf8.count <= Limits.instructionCharacters })
    return hearing.isEmpty ? nil : hearing
  }

  private mutating func decode(
    sound: JSONNode, at now: ContinuousClock.Instant, into events: inout [DialectEvent]
  ) {
    let type = sound["mimeType"]?.string ?? Self.soundType
    // Compared as a whole first: this happens for every piece of sound.
    if type != Self.soundType {
      guard type.hasPrefix("audio/pcm") else { return events.append(.unknown(name: type)) }
      if type.contains("rate="), !type.contains("rate=\(PCM.speakerRate)") {
        return events.append(.malformed(reason: "sound of another rate than \(PCM.speakerRate): \(type)"))
      }
    }
    guard let bytes = sound["data"]?.base64 else {
      return events.append(.malformed(reason: "a piece of sound is not base64"))
    }
    let samples = joiner.samples(from: bytes)
    events += DialectEvent.sound(samples, of: asked?.sounded(at: now) ?? served.turn(at: now))
  }

  /// An error as Google's services write it; a gateway before them may write only a text.
  private static func reason(of error: JSONNode) -> String {
    let told = error["message"]?.string ?? error["status"]?.string ?? error.string ?? ""
    return told.isEmpty ? "it does not say which." : told
  }

  private func decode(call: JSONNode, into events: inout [DialectEvent]) {
    for call in call["functionCalls"]?.elements ?? [] {
      events.append(
        .toolCall(
          id: call["id"]?.string ?? "", tool: call["name"]?.string ?? "",
          argument: call["args"]?[LiveSetup.parameter]?.string))
    }
  }

  /// A duration such as `"50s"` or `"1.5s"`; 0 if it cannot be read, so that nobody waits for it.
  private func milliseconds(_ duration: JSONNode?) -> Int {
    var text = duration?.string ?? duration?["seconds"]?.plainText ?? ""
    if text.hasSuffix("s") { text.removeLast() }
    guard let seconds = Double(text), seconds.isFinite else { return 0 }
    return Int(min(max(seconds, 0), 86_400) * 1000)
  }
}

extension JSONNode {
  /// How much there is of something.
  fileprivate var count: Int? { integer.map { Int(countTold: $0) } }
}
