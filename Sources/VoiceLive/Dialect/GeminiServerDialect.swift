import VoiceJSON
package import VoiceVocabulary
package import VoiceWebSocket

/// What a client of the Gemini Live protocol says, in the order of the text.
package enum GeminiClientMessage: Equatable, Sendable {
  case setup(GeminiClientSetup)
  /// Microphone sound; `rate` in samples a second, as declared.
  case audio(samples: [Int16], rate: Int)
  case activityStart
  case activityEnd
  case audioStreamEnd
  /// Text in the realtime lane.
  case text(String)
  case clientContent(turns: [GeminiTurn], isComplete: Bool)
  case toolResponse(GeminiToolResponse)
  /// A message whose only key is not known.
  case unknown(name: String)
  case malformed(reason: String)
}

/// A text of one party.
package struct GeminiTurn: Equatable, Sendable {
  package var role: String
  package var text: String
}

/// A client's answer to a tool call.
package struct GeminiToolResponse: Equatable, Sendable {
  package var id: String
  package var name: String
  /// The result as text.
  package var result: String
  /// `SILENT`, `WHEN_IDLE` or `INTERRUPT`; empty if not given.
  package var scheduling: String
  package var willContinue: Bool
}

/// The parts of a setup message that a server of this program looks at.
package struct GeminiClientSetup: Equatable, Sendable {
  /// Without the prefix `models/`.
  package var model: String
  package var systemInstruction: String
  /// The names of the declared functions.
  package var tools: [String]
  package var voice: String?
  package var transcribesInput: Bool
  package var transcribesOutput: Bool
  package var customVocabulary: [String]
  /// The client marks the user's turns itself.
  package var marksActivity: Bool
  package var silenceMilliseconds: Int?
  /// Whether resumption handles are wanted at all.
  package var wantsResumption: Bool
  package var resumptionHandle: String?
}

/// One argument of a tool call.
package struct GeminiArgument: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What a server of the Gemini Live protocol says.
package enum GeminiServerMessage: Equatable, Sendable {
  case setupComplete(sessionID: String)
  /// What the recogniser knows of it besides stands in a field of its own, which the protocol does not have: who does not know it
  /// passes it over.
  case inputTranscription(text: String, isFinished: Bool, hearing: Hearing = Hearing())
  /// A guess that the next one, or the transcription, takes the place of.
  case interimTranscription(text: String)
  case outputTranscription(text: String)
  /// 24 kHz.
  case audio(samples: [Int16])
  case generationComplete
  case turnComplete
  case interrupted
  case toolCall(id: String, name: String, arguments: [GeminiArgument])
  case toolCallCancellation(ids: [String])
  case resumption(handle: String?)
  case goAway(milliseconds: Int)
  case voiceActivity(isStart: Bool)
  case usage(inputTokens: Int, outputTokens: Int)

  fileprivate var literal: JSON {
    switch self {
    case .setupComplete(let id): ["setupComplete": ["sessionId": .string(id)]]
    case .inputTranscription(let text, let isFinished, let hearing):
      [
        "serverContent": [
          "inputTranscription": ["text": .string(text), "finished": isFinished ? true : nil],
          "inputTranscriptionHearing": hearing.isEmpty
            ? nil
            : [
              "sureness": .array(hearing.sureness.map { .integer($0) }), "alternatives": .strings(hearing.alternatives),
            ],
        ]
      ]
    case .interimTranscription(let text): ["serverContent": ["interimInputTranscription": ["text": .string(text)]]]
    case .outputTranscription(let text): ["serverContent": ["outputTranscription": ["text": .string(text)]]]
    case .audio: preconditionFailure("sound is written by `encode`, not as a literal")
    case .generationComplete: ["serverContent": ["generationComplete": true]]
    case .turnComplete: ["serverContent": ["turnComplete": true]]
    case .interrupted: ["serverContent": ["interrupted": true]]
    case .toolCall(let id, let name, let arguments):
      [
        "toolCall": [
          "functionCalls": [
            [
              "id": .string(id), "name": .string(name),
              "args": .object(Dictionary(arguments.map { ($0.name, .string($0.value)) }) { _, last in last }),
            ]
          ]
        ]
      ]
    case .toolCallCancellation(let ids): ["toolCallCancellation": ["ids": .strings(ids)]]
    case .resumption(let handle):
      ["sessionResumptionUpdate": ["newHandle": handle.map { .string($0) }, "resumable": .bool(handle != nil)]]
    case .goAway(let milliseconds):
      ["goAway": ["timeLeft": .string("\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())s")]]
    case .voiceActivity(let isStart): ["voiceActivity": ["type": isStart ? "ACTIVITY_START" : "ACTIVITY_END"]]
    case .usage(let input, let output):
      [
        "usageMetadata": [
          "promptTokenCount": .integer(input), "responseTokenCount": .integer(output),
          "totalTokenCount": .integer(input + output),
        ]
      ]
    }
  }
}

/// The server's side of the Gemini Live protocol, one value for each connection: lenient in what it takes in (both
/// name styles, both base64 alphabets, text or binary frames), plain in what it sends. No socket, no clock.
package struct GeminiServerDialect: Sendable {
  private var joiner = SampleJoiner()

  package init() {}

  /// A message as it goes out: JSON in a binary frame, as the real server does it.
  package func encode(_ message: GeminiServerMessage) -> OutgoingMessage {
    if case .audio(let samples) = message {
      return OutgoingMessage(.binary, capacity: samples.count * 8 / 3 + 160) { bytes in
        bytes.append(
          contentsOf: #"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate="#.utf8)
        bytes.append(contentsOf: "\(PCM.speakerRate)\",\"data\":\"".utf8)
        Base64.append(samples, to: &bytes)
        bytes.append(contentsOf: #""}}]}}}"#.utf8)
      }
    }
    return OutgoingMessage(.binary) { message.literal.append(to: &$0) }
  }

  /// What a client says with a message; one that cannot be read is `malformed`.
  package mutating func decode(_ message: IncomingMessage) -> [GeminiClientMessage] {
    let root: JSONNode
    do { root = try JSONNode(parsing: message.bytes) } catch {
      return [.malformed(reason: "not JSON: \(error.reason) at byte \(error.offset)")]
    }
    if let setup = root["setup"] { return [.setup(decode(setup: setup))] }
    if let input = root["realtimeInput"] { return decode(input: input) }
    if let content = root["clientContent"] {
      let turns = content["turns"]?.elements.map { GeminiTurn(role: $0["role"]?.string ?? "", text: text(of: $0)) }
      return [.clientContent(turns: turns ?? [], isComplete: content["turnComplete"]?.isTrue ?? false)]
    }
    if let response = root["toolResponse"] {
      return response["functionResponses"]?.elements.map { .toolResponse(decode(response: $0)) } ?? []
    }
    return [.unknown(name: root.names.first ?? "")]
  }

  private func decode(setup: JSONNode) -> GeminiClientSetup {
    let model = setup["model"]?.string ?? ""
    let detection = setup["realtimeInputConfig"]?["automaticActivityDetection"]
    let speech = setup["generationConfig"]?["speechConfig"]?["voiceConfig"]?["prebuiltVoiceConfig"]
    let transcription = setup["inputAudioTranscription"]
    return GeminiClientSetup(
      model: model.hasPrefix("models/") ? String(model.dropFirst(7)) : model,
      systemInstruction: setup["systemInstruction"].map(text) ?? "",
      tools: setup["tools"]?.elements.flatMap { $0["functionDeclarations"]?.elements ?? [] }
        .compactMap { $0["name"]?.string } ?? [],
      voice: speech?["voiceName"]?.string,
      transcribesInput: transcription != nil,
      transcribesOutput: setup["outputAudioTranscription"] != nil,
      customVocabulary: transcription?["customVocabulary"]?.elements.compactMap(\.string) ?? [],
      marksActivity: detection?["disabled"]?.isTrue ?? false,
      silenceMilliseconds: detection?["silenceDurationMs"]?.integer,
      wantsResumption: setup["sessionResumption"] != nil,
      resumptionHandle: setup["sessionResumption"]?["handle"]?.string)
  }

  private mutating func decode(input: JSONNode) -> [GeminiClientMessage] {
    var messages: [GeminiClientMessage] = []
    if input["activityStart"] != nil {
      joiner.reset()
      messages.append(.activityStart)
    }
    if let audio = input["audio"] {
      guard let bytes = audio["data"]?.base64 else { return messages + [.malformed(reason: "the sound is not base64")] }
      let type = audio["mimeType"]?.string ?? ""
      let rate = type.split(separator: ";").lazy.map { $0.drop { $0 == " " } }
        .first { $0.hasPrefix("rate=") }.flatMap { Int($0.dropFirst(5)) }
      messages.append(.audio(samples: joiner.samples(from: bytes), rate: rate ?? PCM.microphoneRate))
    }
    if let text = input["text"]?.string { messages.append(.text(text)) }
    if input["activityEnd"] != nil { messages.append(.activityEnd) }
    if input["audioStreamEnd"]?.isTrue == true { messages.append(.audioStreamEnd) }
    return messages.isEmpty ? [.unknown(name: input.names.first ?? "realtimeInput")] : messages
  }

  private func decode(response: JSONNode) -> GeminiToolResponse {
    let content = response["response"]
    let result = content?["output"] ?? content?["result"] ?? content?["error"] ?? content
    return GeminiToolResponse(
      id: response["id"]?.string ?? "", name: response["name"]?.string ?? "", result: result?.plainText ?? "",
      scheduling: response["scheduling"]?.string ?? content?["scheduling"]?.string ?? "",
      willContinue: response["willContinue"]?.isTrue ?? false)
  }

  private func text(of content: JSONNode) -> String {
    content.string ?? content["parts"]?.elements.compactMap { $0["text"]?.string }.joined() ?? ""
  }
}
