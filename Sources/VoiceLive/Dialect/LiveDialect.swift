package import VoiceVocabulary
package import VoiceWebSocket

/// What a program tells a live model, in no protocol's own words.
package enum DialectCommand: Equatable, Sendable {
  /// Always first on a connection. The handle is of the conversation to go on with.
  case setUp(LiveSetup, handle: String?)
  /// Microphone sound, at the provider's input rate.
  case audio([Int16])
  /// With client turn detection: the user begins to speak.
  case activityStart
  case activityEnd
  /// The one final answer to a tool call; the model shall not speak about it.
  case answer(id: String, tool: String, text: String)
  /// Of this turn the user has heard so much, and hears no more.
  case truncate(turn: ModelTurnID, heardMilliseconds: Int)
  /// Readout: speak this, word for word. What comes of it carries this turn; turns are numbered upwards.
  case speak(String, turn: ModelTurnID)
  /// Readout: stop what is being spoken in this turn.
  case hush(turn: ModelTurnID)
}

/// What a live model tells, in no protocol's own words.
package enum DialectEvent: Equatable, Sendable {
  case setUp
  /// Sound, at the provider's output rate.
  case audio(turn: ModelTurnID, SpeechAudio)
  /// What the user said; `isFinal` only where the server says so, `hearing` only where it tells more than the text.
  case inputTranscription(text: String, isFinal: Bool, hearing: Hearing? = nil)
  /// What the user seems to have said so far, and is not transcribed yet; in place of the one before.
  case interimTranscription(text: String)
  /// What the model says.
  case outputTranscription(turn: ModelTurnID, text: String)
  /// All sound of this turn has been sent.
  case generationComplete(turn: ModelTurnID)
  /// The turn is closed; with `isIdle` false the model goes on by itself.
  case turnComplete(turn: ModelTurnID, isIdle: Bool)
  /// What is playing must fall silent; `turnComplete` may follow.
  case interrupted(turn: ModelTurnID)
  /// `argument` is the value of the tool's parameter, nil if there is no such string.
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
  /// The server tells of an error, in its own words, and the connection goes on. Of a turn, if nothing more comes of that.
  case failed(turn: ModelTurnID?, reason: String)
  /// The server will not serve this connection, in its own words; it may leave it open all the same.
  case refused(ServerClosure, reason: String)
  /// A message that means nothing to this program.
  case unknown(name: String)
  /// A message that cannot be read. The connection goes on.
  case malformed(reason: String)
}

/// Why a server closed a connection, or refuses to serve it, as far as its protocol tells. What is to be done about it is decided elsewhere, by the
/// same rule for every protocol: see `LiveRecovery`.
package enum ServerClosure: Equatable, Sendable {
  /// It does not take the key.
  case keyRefused
  /// It takes the key, and does not serve its owner: nothing is left to spend, or the account is closed.
  case accountRefused
  /// It does not have this model, or not for this program.
  case modelRefused
  /// It does not take what it was sent: the setup, or a conversation that became too long or is unknown to it.
  case requestRefused
  /// It failed, by its own account.
  case fault
  /// It has ended the connection, for a reason that is no obstacle to another.
  case ended
}

/// One live-model protocol, one value for each connection: turns commands into messages and messages into events.
///
/// Pure: no socket, no clock, no chance; time comes with each call. A message that cannot be read is an event, never a trap.
/// Whatever the model says belongs to a turn; where a protocol does not number them, its dialect does.
package protocol LiveDialect: Sendable {
  /// Headers of the handshake: those that carry the key, and what else the server asks for.
  func headers(key: Secret?) -> [(name: String, value: String)]
  /// The messages that say this, in order; none if the protocol has no need to, or no way.
  mutating func encode(_ command: DialectCommand, at now: ContinuousClock.Instant) -> [OutgoingMessage]
  /// What a message of the server says.
  mutating func decode(_ message: IncomingMessage, at now: ContinuousClock.Instant) -> [DialectEvent]
  /// The messages that the protocol demands in answer to the last one that was decoded, in order; asked for once after each.
  mutating func replies() -> [OutgoingMessage]
  /// What the server says by closing the connection with this code, nil for none, and these words.
  func closure(code: Int?, reason: String) -> ServerClosure
}

extension LiveDialect {
  /// None: most protocols demand nothing.
  package mutating func replies() -> [OutgoingMessage] { [] }
}
