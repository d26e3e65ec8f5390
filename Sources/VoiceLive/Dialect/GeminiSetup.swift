import VoiceJSON
import VoiceVocabulary

/// What the first message of the Gemini Live protocol holds, for each kind of model: a field that a model does not know
/// makes the server close the connection with code 1007.
struct GeminiSetup {
  /// Models with rules of their own; recognised by name, so that the next one of a family works.
  enum Family: Equatable {
    /// 3.8 and whatever comes after it: no thinking configuration, function calls that do not block.
    case current
    /// Demands a thinking level.
    case extendedThinking
    /// 3.1 preview: function calls block, text goes through the realtime lane.
    case blocking
  }

  /// What can be asked of a model, by its name.
  static func family(of model: String) -> Family {
    if model.contains("extended-thinking") { return .extendedThinking }
    if model.contains("3.1-flash-live") { return .blocking }
    return .current
  }

  /// The first message of a connection.
  ///
  /// - Parameter handle: of the session to be resumed.
  static func message(_ setup: LiveSetup, handle: String?) -> JSON {
    let family = family(of: setup.model)
    let model = setup.model.contains("/") ? setup.model : "models/\(setup.model)"
    let voice = setup.voice.map { ["voiceConfig": ["prebuiltVoiceConfig": ["voiceName": .string($0)]]] as JSON }
    let generation: JSON = [
      "responseModalities": ["AUDIO"],
      "speechConfig": voice,
      "thinkingConfig": family == .extendedThinking ? ["thinkingLevel": "LOW"] : nil,
    ]
    switch setup.role {
    case .readout:
      return [
        "setup": [
          "model": .string(model),
          "generationConfig": generation,
          "systemInstruction": ["parts": [["text": .string(setup.instruction)]]],
          "outputAudioTranscription": [:],
          "contextWindowCompression": ["slidingWindow": [:]],
        ]
      ]
    case .listener(let listening):
      return [
        "setup": [
          "model": .string(model),
          "generationConfig": generation,
          "systemInstruction": ["parts": [["text": .string(setup.instruction)]]],
          "tools": [["functionDeclarations": .array(setup.tools.map { declaration($0, family) })]],
          "realtimeInputConfig": detection(listening).map { ["automaticActivityDetection": $0] },
          "inputAudioTranscription": [
            "customVocabulary": listening.vocabulary.isEmpty ? nil : .strings(listening.vocabulary)
          ],
          "outputAudioTranscription": [:],
          // Never `"handle": null`: some models refuse it.
          "sessionResumption": ["handle": handle.map { .string($0) }],
          "contextWindowCompression": ["slidingWindow": [:]],
        ]
      ]
    }
  }

  private static func detection(_ listening: LiveSetup.Listening) -> JSON? {
    switch listening.turnDetection {
    case .client: ["disabled": true]
    case .server: listening.silenceMilliseconds.map { ["silenceDurationMs": .integer($0)] }
    }
  }

  private static func declaration(_ tool: LiveSetup.Tool, _ family: Family) -> JSON {
    let parameters = tool.parameter.map { parameter in
      [
        "type": "OBJECT",
        "properties": [parameter.name: ["type": "STRING", "description": .string(parameter.description)]],
        "required": .strings([parameter.name]),
      ] as JSON
    }
    return [
      "name": .string(tool.name),
      "description": .string(tool.description),
      // Said explicitly: a blocking call is cancelled as soon as the user speaks again.
      "behavior": family == .blocking ? nil : "NON_BLOCKING",
      "parameters": parameters,
    ]
  }
}
