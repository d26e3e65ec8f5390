package import VoiceCore
package import VoiceWebSocket

/// What a program tells a live model, in no protocol's own words.
package enum DialectCommand: Equatable, Sendable {
  /// Always first on a connection. The handle is of the conversation to go on with.
  case setUp(LiveSetup, handle: String?)
  /// Microphone sound, 16 kHz.
  case audio([Int16])
  /// With client turn detection: the user begins to speak.
  case activityStart
  case activityEnd
  /// The one final answer to a tool call; the model shall not speak about it.
  case answer(id: String, tool: String, text: String)
  /// Readout: speak this, word for word.
  case speak(String)
  /// Readout: stop what is being spoken.
  case hush
}

/// What a live model tells, in no protocol's own words.
package enum DialectEvent: Equatable, Sendable {
  case setUp
  case audio(SpeechAudio)
  /// What the user said; `isFinal` only where the server says so.
  case inputTranscription(text: String, isFinal: Bool)
  /// What the model says.
  case outputTranscription(text: String)
  /// All sound of this turn has been sent.
  case generationComplete
  /// The turn is closed; with `isIdle` false the model goes on by itself.
  case turnComplete(isIdle: Bool)
  /// What is playing must fall silent; `turnComplete` follows.
  case interrupted
  /// `argument` is the value of `instruction`, nil if there is no such string.
  case toolCall(id: String, tool: String, argument: String?)
  case toolCallCancellation(ids: [String])
  /// The connection will be cut in so many milliseconds.
  case goAway(milliseconds: Int)
  /// Whether the conversation can be resumed from here; the handle never goes into a log.
  case resumption(handle: String?, isResumable: Bool)
  /// Tokens of one turn.
  case usage(inputTokens: Int, outputTokens: Int)
  /// The server's own detector noticed that the user starts or ends speaking.
  case voiceActivity(isStart: Bool)
  /// A message that means nothing to this program.
  case unknown(name: String)
  /// A message that cannot be read. The connection goes on.
  case malformed(reason: String)
}

/// What a connection is for, and how it shall behave.
package struct LiveSetup: Equatable, Sendable {
  /// What the connection is for.
  package enum Role: Equatable, Sendable {
    /// Hears the microphone and calls the tools.
    case listener(Listening)
    /// Reads text aloud. No microphone, no tools.
    case readout
  }

  /// How the microphone is listened to.
  package struct Listening: Equatable, Sendable {
    package var turnDetection: InteractionSettings.TurnDetection
    /// Silence that ends a turn, with server turn detection; nil for the server's own default.
    package var silenceMilliseconds: Int?
    /// Words that the recogniser should expect, such as identifiers of the code at hand.
    package var vocabulary: [String]

    package init(
      turnDetection: InteractionSettings.TurnDetection, silenceMilliseconds: Int? = nil, vocabulary: [String] = []
    ) {
      self.turnDetection = turnDetection
      self.silenceMilliseconds = silenceMilliseconds
      self.vocabulary = vocabulary
    }
  }

  package var role: Role
  package var model: String
  /// A voice of the server's; nil for its default.
  package var voice: String?

  package init(role: Role, model: String, voice: String? = nil) {
    self.role = role
    self.model = model
    self.voice = voice
  }
}

/// How far a connection came before it ended.
package enum LinkProgress: Equatable, Sendable {
  /// Not accepted yet.
  case settingUp(isResuming: Bool)
  /// Accepted, but nothing of the conversation has happened since.
  case accepted(isResuming: Bool)
  /// At least one turn has happened.
  case proven
}

/// One live-model protocol, one value for each connection: turns commands into messages and messages into events.
///
/// Pure: no socket, no clock, no chance. A message that cannot be read is an event, never a trap.
package protocol LiveDialect: Sendable {
  /// Headers of the handshake that carry the key.
  func headers(key: Secret?) -> [(name: String, value: String)]
  /// The messages that say this, in order; none if the protocol has no need to.
  mutating func encode(_ command: DialectCommand) -> [OutgoingMessage]
  /// What a message of the server says.
  mutating func decode(_ message: IncomingMessage) -> [DialectEvent]
  /// What the end of a connection means, as one sentence and a remedy. `place` names the other side.
  func failure(of closure: WebSocketClosure, at progress: LinkProgress, place: String) -> LinkFailure
}
