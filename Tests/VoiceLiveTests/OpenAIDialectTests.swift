import Testing
import VoiceJSON
import VoiceReplay
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

/// What the client says in the Realtime protocol, and what it makes of what a server says.
struct OpenAIDialectTests {
  /// One connection.
  private struct Line {
    var dialect = OpenAIDialect()

    /// The messages of a command, as JSON.
    mutating func say(_ command: DialectCommand) -> [JSON] {
      dialect.encode(command, at: .now).compactMap { JSON(parsing: Array($0.payload)) }
    }

    mutating func hear(_ message: JSON) -> [DialectEvent] {
      dialect.decode(IncomingMessage(kind: .text, bytes: message.bytes), at: .now)
    }

    /// What must be sent behind the last message.
    mutating func replies() -> [JSON] { dialect.replies().compactMap { JSON(parsing: Array($0.payload)) } }

    /// One that is set up.
    init(_ role: LiveSetup.Role = .listener(.init(turnDetection: .server))) {
      _ = say(.setUp(LiveSetup(role: role, model: "m"), handle: nil))
      _ = hear(["type": "session.updated"])
    }

    mutating func began(_ id: String, turn: Int? = nil) -> [DialectEvent] {
      let metadata = turn.map { ["turn": .string("\($0)")] as JSON } ?? .null
      return hear(["type": "response.created", "response": ["id": .string(id), "metadata": metadata]])
    }

    mutating func sounded(_ id: String, milliseconds: Int) -> [DialectEvent] {
      var data: [UInt8] = []
      Base64.append([Int16](repeating: 100, count: milliseconds * 24), to: &data)
      return hear([
        "type": "response.output_audio.delta", "response_id": .string(id), "item_id": .string("item-" + id),
        "delta": .string(String(decoding: data, as: UTF8.self)),
      ])
    }

    mutating func ended(_ id: String, _ status: String, _ more: [String: JSON] = [:]) -> [DialectEvent] {
      let response = more.merging(["id": .string(id), "status": .string(status)]) { $1 }
      return hear(["type": "response.done", "response": .object(response)])
    }
  }

  private func turn(_ number: Int) -> ModelTurnID { ModelTurnID(rawValue: number) }

  private func session(_ role: LiveSetup.Role, voice: String? = nil) throws -> JSON {
    var line = Line()
    let message = try #require(line.say(.setUp(LiveSetup(role: role, model: "m", voice: voice), handle: "x")).first)
    #expect(message["type"] == "session.update")
    return try #require(message["session"])
  }

  // MARK: Setup

  @Test func theListenerIsSetUpInTheShapeOfTheGeneralRelease() throws {
    let words = ["SwiftPM", "a<b", "parley"]
    let session = try session(
      .listener(.init(turnDetection: .server, silenceMilliseconds: 900, vocabulary: words)), voice: "cedar")
    let input = session["audio"]?["input"]
    #expect(session["type"] == "realtime" && session["output_modalities"] == ["audio"])
    #expect(input?["format"] == ["type": "audio/pcm", "rate": 24_000])
    #expect(input?["turn_detection"]?["type"] == "server_vad")
    #expect(input?["turn_detection"]?["silence_duration_ms"] == 900)
    #expect(input?["transcription"]?["keywords"] == ["SwiftPM", "parley"], "the server refuses the other")
    #expect(session["audio"]?["output"]?["voice"] == "cedar")
    #expect(session["tools"]?.elements.map { $0["name"] } == ["converse", "stop"])
    let parameters = session["tools"]?.elements.first?["parameters"]
    #expect(parameters?["required"] == ["instruction"])
    #expect(parameters?["properties"]?["instruction"]?["type"] == "string")
  }

  @Test func whoMarksTheTurnsOrOnlyReadsIsNotListenedToByTheServer() throws {
    let marking = try session(.listener(.init(turnDetection: .client)))
    #expect(marking["audio"]?["input"]?["turn_detection"] == .null)
    let readout = try session(.readout)
    #expect(readout["audio"]?["input"]?["turn_detection"] == .null)
    #expect(readout["tools"] == nil && readout["audio"]?["input"]?["transcription"] == nil)
  }

  @Test func theKeyAndTheModelStandWhereTheyBelong() {
    #expect(OpenAIDialect().headers(key: Secret("k")).map { "\($0.name): \($0.value)" } == ["authorization: Bearer k"])
    #expect(LiveProvider.openAI.path("gpt-realtime-2.1") == "/v1/realtime?model=gpt-realtime-2.1")
    #expect(LiveProvider.openAI.path("a b&c=é") == "/v1/realtime?model=a%20b%26c%3D%C3%A9")
  }

  @Test func soundIsBase64() {
    var line = Line()
    #expect(line.say(.audio([1, -2])) == [["type": "input_audio_buffer.append", "audio": "AQD+/w=="]])
  }

  // MARK: Turns of the user

  @Test func aTurnWithServerDetection() {
    var line = Line()
    #expect(line.hear(["type": "input_audio_buffer.speech_started"]) == [.voiceActivity(isStart: true)])
    #expect(line.hear(["type": "input_audio_buffer.speech_stopped"]) == [.voiceActivity(isStart: false)])
    #expect(line.hear(["type": "input_audio_buffer.committed", "item_id": "i"]) == [])
    #expect(line.replies() == [], "the server answers by itself")
    let delta: JSON = [
      "type": "conversation.item.input_audio_transcription.delta", "item_id": "i", "delta": "Run",
    ]
    #expect(line.hear(delta) == [.interimTranscription(text: "Run")])
    #expect(line.hear(delta) == [.interimTranscription(text: "RunRun")])
    #expect(line.began("r") == [])
    let done: JSON = [
      "type": "response.function_call_arguments.done", "response_id": "r", "call_id": "c", "name": "converse",
      "arguments": #"{"instruction":"Run the tests."}"#,
    ]
    #expect(line.hear(done) == [], "it may be cut off yet")
    // The same call once more, in two other places.
    let item: JSON = [
      "type": "function_call", "call_id": "c", "name": "converse", "arguments": #"{"instruction":"Run the tests."}"#,
    ]
    #expect(line.hear(["type": "response.output_item.done", "response_id": "r", "item": item]) == [])
    let transcript: JSON = [
      "type": "conversation.item.input_audio_transcription.completed", "item_id": "i", "transcript": "Run the tests.",
    ]
    #expect(line.hear(transcript) == [.inputTranscription(text: "Run the tests.", isFinal: true)])
    #expect(line.hear(transcript) == [.inputTranscription(text: " Run the tests.", isFinal: true)], "of one turn")
    let usage: JSON = ["input_tokens": 20, "output_tokens": 3]
    #expect(
      line.ended("r", "completed", ["output": [item], "usage": usage]) == [
        .toolCall(id: "c", tool: "converse", argument: "Run the tests."), .usage(inputTokens: 20, outputTokens: 3),
        .turnComplete(turn: turn(1), isIdle: true),
      ])
    #expect(line.hear(transcript) == [.inputTranscription(text: "Run the tests.", isFinal: true)])
    #expect(
      line.say(.answer(id: "c", tool: "converse", text: "Handed on.")) == [
        [
          "type": "conversation.item.create",
          "item": ["type": "function_call_output", "call_id": "c", "output": "Handed on."],
        ]
      ], "and no response is asked for")
  }

  @Test(arguments: [("{}", nil), ("nonsense", nil), (#"{"instruction":7}"#, nil), (#"{"instruction":""}"#, "")])
  func aCallWithoutItsArgumentIsTold(_ arguments: String, _ argument: String?) {
    var line = Line()
    let item: JSON = ["call_id": "c", "name": "converse", "arguments": .string(arguments)]
    #expect(line.hear(["type": "response.output_item.done", "response_id": "r", "item": item]) == [])
    #expect(line.ended("r", "completed").first == .toolCall(id: "c", tool: "converse", argument: argument))
  }

  /// The user paused in the middle of his sentence: what a response made of its first half is not what he wants.
  @Test(arguments: ["cancelled", "failed"]) func aCallThatIsCutOffIsNone(_ status: String) {
    var line = Line()
    _ = line.began("r")
    let call: JSON = [
      "type": "response.function_call_arguments.done", "response_id": "r", "call_id": "c", "name": "stop",
    ]
    _ = line.hear(call)
    let item: JSON = ["type": "function_call", "call_id": "c", "name": "stop", "status": "incomplete"]
    let events = line.ended("r", status, ["output": [item]])
    #expect(!events.contains { if case .toolCall = $0 { true } else { false } })
    #expect(events.last == .turnComplete(turn: turn(1), isIdle: true))
    // His words before and behind it are two.
    let transcript: JSON = [
      "type": "conversation.item.input_audio_transcription.completed", "item_id": "i", "transcript": "in there.",
    ]
    _ = line.hear(transcript)
    _ = line.began("s")
    _ = line.ended("s", "cancelled")
    #expect(line.hear(transcript) == [.inputTranscription(text: " in there.", isFinal: true)])
  }

  @Test func aTurnThatTheProgramEnds() {
    var line = Line(.listener(.init(turnDetection: .client)))
    #expect(line.say(.activityStart) == [])
    #expect(line.say(.activityEnd) == [["type": "input_audio_buffer.commit"]])
    #expect(line.replies() == [])
    _ = line.hear(["type": "input_audio_buffer.committed"])
    #expect(line.replies() == [["type": "response.create"]])
    #expect(line.replies() == [], "once")
    _ = line.began("r")
    // The user speaks over it: it is cancelled, and the next one is asked for when it is over.
    #expect(line.say(.activityStart) == [["type": "response.cancel", "response_id": "r"]])
    _ = line.say(.activityEnd)
    _ = line.hear(["type": "input_audio_buffer.committed"])
    #expect(line.replies() == [])
    #expect(
      line.ended("r", "cancelled") == [
        .interrupted(turn: turn(1)), .turnComplete(turn: turn(1), isIdle: true),
      ])
    #expect(line.replies() == [["type": "response.create"]])
  }

  @Test func aResponseThatIsRefusedBesideAnotherIsAskedForAgain() throws {
    let error: JSON = [
      "type": "error", "error": ["type": "conversation_already_has_active_response", "message": "No."],
    ]
    var line = Line(.listener(.init(turnDetection: .client)))
    _ = line.began("other")
    #expect(line.hear(error) == [.unknown(name: "conversation_already_has_active_response")])
    #expect(line.replies() == [])
    _ = line.ended("other", "completed")
    #expect(line.replies() == [["type": "response.create"]])
    var readout = Line(.readout)
    _ = readout.say(.speak("One.", turn: turn(1)))
    #expect(readout.hear(error) == [.failed(turn: turn(1), reason: "No.")])
    _ = readout.say(.speak("Two.", turn: turn(2)))
    _ = readout.began("two")
    #expect(readout.ended("two", "completed") == [.turnComplete(turn: turn(2), isIdle: true)])
  }

  @Test func aTurnInWhichNothingWasSaidIsOver() {
    var line = Line(.listener(.init(turnDetection: .client)))
    _ = line.say(.activityStart)
    _ = line.say(.activityEnd)
    let empty: JSON = ["type": "error", "error": ["code": "input_audio_buffer_commit_empty", "message": "Empty."]]
    #expect(line.hear(empty) == [.turnComplete(turn: turn(1), isIdle: true)])
    #expect(line.replies() == [])
    _ = line.hear(["type": "input_audio_buffer.committed"])
    #expect(line.replies() == [], "nobody has ended a turn since")
  }

  // MARK: What the model says

  @Test func soundAndWordsBelongToTheirTurns() {
    var line = Line()
    _ = line.began("a")
    #expect(
      line.sounded("a", milliseconds: 100) == [
        .audio(turn: turn(1), SpeechAudio(samples: .init(repeating: 100, count: 2_400)))
      ])
    let words: JSON = ["type": "response.output_audio_transcript.delta", "response_id": "a", "delta": "Pardon?"]
    #expect(line.hear(words) == [.outputTranscription(turn: turn(1), text: "Pardon?")])
    #expect(
      line.ended("a", "completed") == [.generationComplete(turn: turn(1)), .turnComplete(turn: turn(1), isIdle: true)])
    #expect(line.ended("a", "completed") == [], "told twice")
    _ = line.began("b")
    #expect(line.ended("b", "cancelled").first == .interrupted(turn: turn(2)))
    #expect(
      line.sounded("b", milliseconds: 20).first.map { if case .audio(turn(2), _) = $0 { true } else { false } } == true)
    // Of the sound that came, so much was heard; more than came is refused by the server.
    #expect(line.say(.truncate(turn: turn(1), heardMilliseconds: 60)).first?["audio_end_ms"] == 60)
    let whole = line.say(.truncate(turn: turn(1), heardMilliseconds: 900)).first
    #expect(whole?["audio_end_ms"] == 100 && whole?["item_id"] == "item-a")
    #expect(line.say(.truncate(turn: turn(9), heardMilliseconds: 900)) == [])
  }

  @Test func theFirstVersionsNamesAndAResponseWithoutABeginningAreUnderstood() {
    var line = Line()
    let words: JSON = ["type": "response.audio_transcript.delta", "response_id": "x", "delta": "Hm"]
    #expect(line.hear(words) == [.outputTranscription(turn: turn(1), text: "Hm")])
    #expect(line.ended("x", "completed") == [.turnComplete(turn: turn(1), isIdle: true)])
  }

  @Test(arguments: [
    ("failed", #"{"error":{"code":"rate_limit_exceeded","message":"Too much."}}"#, "Too much."),
    ("incomplete", #"{"reason":"max_output_tokens"}"#, "The server ended it: max_output_tokens."),
  ])
  func aResponseThatFailsIsTold(_ status: String, _ text: String, _ reason: String) throws {
    let details = try #require(JSON(parsing: Array(text.utf8)))
    var line = Line()
    _ = line.began("r")
    #expect(
      line.ended("r", status, ["status_details": details]) == [
        .failed(turn: turn(1), reason: reason), .turnComplete(turn: turn(1), isIdle: true),
      ])
  }

  // MARK: Reading aloud

  @Test func whatIsReadIsKnownByItsNumber() throws {
    var line = Line(.readout)
    let asked = try #require(line.say(.speak("One.", turn: turn(4))).first)
    #expect(asked["response"]?["conversation"] == "none" && asked["response"]?["metadata"] == ["turn": "4"])
    #expect(asked["response"]?["input"]?.elements.first?["content"]?.elements.first?["text"] == "One.")
    #expect(line.say(.hush(turn: turn(4))) == [], "it has no name yet")
    _ = line.say(.speak("Two.", turn: turn(5)))
    _ = line.began("late", turn: 4)
    #expect(line.replies() == [["type": "response.cancel", "response_id": "late"]])
    _ = line.began("two", turn: 5)
    #expect(line.sounded("two", milliseconds: 10).count == 1)
    #expect(line.replies() == [])
    #expect(line.say(.hush(turn: turn(5))) == [["type": "response.cancel", "response_id": "two"]])
    _ = line.ended("two", "cancelled")
    #expect(line.say(.hush(turn: turn(5))) == [])
    // A server that does not repeat the number begins them in order.
    _ = line.say(.speak("Three.", turn: turn(6)))
    _ = line.began("three")
    #expect(line.ended("three", "completed") == [.turnComplete(turn: turn(6), isIdle: true)])
  }

  @Test func whatIsRefusedToBeReadIsToldOfItsTurn() {
    var line = Line(.readout)
    _ = line.say(.speak("One.", turn: turn(4)))
    let error: JSON = ["type": "error", "error": ["type": "server_error", "message": "No.", "event_id": "turn-4"]]
    #expect(line.hear(error) == [.failed(turn: turn(4), reason: "No.")])
  }

  // MARK: Errors

  @Test(arguments: [
    ("invalid_api_key", ServerClosure.keyRefused), ("insufficient_quota", .accountRefused),
    ("model_not_found", .modelRefused), ("session_limit_reached", .fault), ("server_error", .fault),
    ("invalid_value", .requestRefused),
  ])
  func beforeItIsSetUpAnErrorRefusesTheConnection(_ code: String, _ meaning: ServerClosure) {
    var dialect = OpenAIDialect()
    let error: JSON = ["type": "error", "error": ["code": .string(code), "message": "No."]]
    let events = dialect.decode(IncomingMessage(kind: .text, bytes: error.bytes), at: .now)
    #expect(events == [.refused(meaning, reason: "No.")])
    var line = Line()
    let isFatal = meaning != .requestRefused && meaning != .fault
    #expect(line.hear(error) == [isFatal ? .refused(meaning, reason: "No.") : .failed(turn: nil, reason: "No.")])
  }

  /// Some servers name the kind of an error where others have a code.
  @Test(arguments: ["code", "type"]) func whatTwoSidesDoAtOnceIsNoError(_ field: String) {
    var line = Line()
    for name in ["response_cancel_not_active", "conversation_already_has_active_response"] {
      let node: [String: JSON] = field == "code" ? ["code": .string(name)] : ["type": .string(name), "code": .null]
      let error: JSON = ["type": "error", "error": .object(node)]
      #expect(line.hear(error) == [.unknown(name: name)])
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"type":7}"#, #"{"type":"response.created"}"#, #"{"type":"response.done","response":{}}"#,
    #"{"type":"response.output_audio.delta","delta":"*"}"#, #"{"type":"response.output_audio.delta"}"#,
  ])
  func whatCannotBeReadIsMalformed(_ text: String) {
    var dialect = OpenAIDialect()
    let events = dialect.decode(IncomingMessage(kind: .text, bytes: Array(text.utf8)), at: .now)
    #expect(events.count == 1 && events.allSatisfy { if case .malformed = $0 { true } else { false } }, "\(events)")
  }

  @Test func whatIsOnlyToldIsPassedOver() {
    var line = Line()
    for type in [
      "session.created", "session.updated", "rate_limits.updated", "conversation.item.added",
      "response.content_part.added",
    ] {
      #expect(line.hear(["type": .string(type)]) == [])
    }
    #expect(line.hear(["type": "ping"]) == [.unknown(name: "ping")])
  }
}
