import VoiceJSON
import VoiceVocabulary

/// What a session of the Realtime protocol is to be.
enum OpenAISetup {
  /// Samples a second in both directions; the protocol has no other for linear PCM.
  static let rate = 24_000
  /// Transcribes what the user says, beside the model that hears it.
  private static let transcriber = "gpt-transcribe"
  /// Words that it is told to expect; the API tells no limit.
  private static let keywords = 100

  /// The first message of a connection.
  static func message(_ setup: LiveSetup) -> JSON {
    ["type": "session.update", "session": session(setup)]
  }

  private static func session(_ setup: LiveSetup) -> JSON {
    var input: [String: JSON] = ["format": format, "turn_detection": .null]
    if case .listener(let listening) = setup.role {
      input["turn_detection"] = detection(listening)
      let words = listening.vocabulary.filter { !$0.contains { "<>\r\n".contains($0) } }.prefix(keywords)
      input["transcription"] = [
        "model": .string(transcriber), "keywords": words.isEmpty ? nil : .strings(Array(words)),
      ]
    }
    return [
      "type": "realtime",
      "output_modalities": ["audio"],
      "instructions": .string(setup.instruction),
      "audio": ["input": .object(input), "output": ["format": format, "voice": setup.voice.map { .string($0) }]],
      "tools": setup.tools.isEmpty ? nil : .array(setup.tools.map(function)),
    ]
  }

  private static let format: JSON = ["type": "audio/pcm", "rate": .integer(rate)]

  private static func detection(_ listening: LiveSetup.Listening) -> JSON {
    switch listening.turnDetection {
    case .client: .null
    case .server:
      [
        "type": "server_vad", "silence_duration_ms": listening.silenceMilliseconds.map { .integer($0) },
        "create_response": true, "interrupt_response": true,
      ]
    }
  }

  private static func function(_ tool: LiveSetup.Tool) -> JSON {
    let parameter = tool.parameter
    return [
      "type": "function",
      "name": .string(tool.name),
      "description": .string(tool.description),
      "parameters": [
        "type": "object",
        "properties": .object(
          parameter.map { [$0.name: ["type": "string", "description": .string($0.description)]] } ?? [:]),
        "required": .strings(parameter.map { [$0.name] } ?? []),
      ],
    ]
  }
}
