import Testing
import VoiceJSON
import VoiceReplay
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

/// What the client says, byte for byte, and what it makes of what a server says.
@Suite
struct GeminiDialectTests {
  /// The first turn of a connection.
  private let turn = ModelTurnID(rawValue: 1)

  private func encode(_ command: DialectCommand, model: String = LiveProvider.gemini.model) -> String {
    var dialect = GeminiDialect(model: model)
    return dialect.encode(command, at: .now).map { String(decoding: $0.payload, as: UTF8.self) }.joined(separator: "\n")
  }

  private func decode(_ texts: String..., kind: OutgoingMessage.Kind = .binary) -> [DialectEvent] {
    var dialect = GeminiDialect(model: LiveProvider.gemini.model)
    return texts.flatMap { dialect.decode(IncomingMessage(kind: kind, bytes: Array($0.utf8)), at: .now) }
  }

  private func setup(_ model: String, _ role: LiveSetup.Role, handle: String? = nil, voice: String? = nil) throws
    -> JSONNode
  {
    let text = encode(.setUp(LiveSetup(role: role, model: model, voice: voice), handle: handle), model: model)
    return try #require(try JSONNode(parsing: Array(text.utf8))["setup"])
  }

  // MARK: Encoding

  @Test func theReadoutSetupHasNoToolsAndNoThinkingConfiguration() throws {
    let text = encode(.setUp(LiveSetup(role: .readout, model: "gemini-3.8-live", voice: "Kore"), handle: nil))
    let start: [String] = [
      #"{"setup":{"contextWindowCompression":{"slidingWindow":{}},"generationConfig":{"#,
      #""responseModalities":["AUDIO"],"#,
      #""speechConfig":{"voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Kore"}}}},"#,
      #""model":"models/gemini-3.8-live","outputAudioTranscription":{},"#,
      #""systemInstruction":{"parts":[{"text":"You are a voice"#,
    ]
    #expect(text.hasPrefix(start.joined()))
  }

  @Test func theListenerDeclaresBothToolsAndAsksForEverythingItNeeds() throws {
    let listening = LiveSetup.Listening(
      turnDetection: .server, silenceMilliseconds: 900, vocabulary: ["SwiftPM", "parley"])
    let setup = try setup("gemini-3.8-live", .listener(listening))
    let functions = setup["tools"]?.elements.first?["functionDeclarations"]?.elements ?? []
    #expect(functions.map { $0["name"]?.string } == ["converse", "stop"])
    #expect(functions.map { $0["behavior"]?.string } == ["NON_BLOCKING", "NON_BLOCKING"])
    #expect(functions.first?["parameters"]?["required"]?.elements.map(\.string) == ["instruction"])
    #expect(setup["generationConfig"]?.names == ["responseModalities"])
    #expect(setup["realtimeInputConfig"]?["automaticActivityDetection"]?.names == ["silenceDurationMs"])
    #expect(setup["inputAudioTranscription"]?["customVocabulary"]?.elements.map(\.string) == ["SwiftPM", "parley"])
    #expect(setup["outputAudioTranscription"] != nil)
    #expect(setup["sessionResumption"]?.names == [])
    #expect(setup["contextWindowCompression"]?["slidingWindow"] != nil)
  }

  @Test func clientTurnDetectionSwitchesTheServersOff() throws {
    let setup = try setup("gemini-3.8-live", .listener(.init(turnDetection: .client, silenceMilliseconds: 900)))
    let detection = setup["realtimeInputConfig"]?["automaticActivityDetection"]
    #expect(detection?.names == ["disabled"] && detection?["disabled"]?.isTrue == true)
    #expect(encode(.activityStart) == #"{"realtimeInput":{"activityStart":{}}}"#)
    #expect(encode(.activityEnd) == #"{"realtimeInput":{"activityEnd":{}}}"#)
  }

  @Test func withoutASilenceLengthTheServerKeepsItsOwn() throws {
    let setup = try setup("gemini-3.8-live", .listener(.init(turnDetection: .server)))
    #expect(setup["realtimeInputConfig"] == nil)
    #expect(setup["inputAudioTranscription"]?.names == [])
  }

  @Test func aHandleIsSentOnlyIfThereIsOne() throws {
    let role = LiveSetup.Role.listener(.init(turnDetection: .server))
    #expect(try setup("gemini-3.8-live", role, handle: "h-1")["sessionResumption"]?["handle"]?.string == "h-1")
    #expect(try setup("gemini-3.8-live", role)["sessionResumption"]?.names == [])
  }

  @Test(arguments: [
    ("gemini-3.8-live", nil, "NON_BLOCKING"),
    ("gemini-3.8-live-extended-thinking", "LOW", "NON_BLOCKING"),
    ("gemini-3.1-flash-live-preview", nil, nil),
    ("gemini-2.5-flash-native-audio-preview-12-2025", nil, "NON_BLOCKING"),
    ("a-model-of-next-year", nil, "NON_BLOCKING"),
  ])
  func eachModelGetsTheThinkingAndBehaviorItAccepts(model: String, level: String?, behavior: String?) throws {
    let setup = try setup(model, .listener(.init(turnDetection: .server)))
    #expect(setup["model"]?.string == "models/\(model)")
    #expect(setup["generationConfig"]?["thinkingConfig"]?["thinkingLevel"]?.string == level)
    let function = setup["tools"]?.elements.first?["functionDeclarations"]?.elements.first
    #expect(function?["behavior"]?.string == behavior)
  }

  @Test func soundIsWrittenAroundItsBase64() {
    #expect(
      encode(.audio([-1025, 254]))
        == #"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"//v+AA=="}}}"#)
  }

  @Test func anAnswerIsSilentAndFinal() {
    #expect(
      encode(.answer(id: "c-1", tool: "converse", text: "Held.\n\"Say\" nothing.")) == """
        {"toolResponse":{"functionResponses":[{"id":"c-1","name":"converse",\
        "response":{"result":"Held.\\n\\"Say\\" nothing.","scheduling":"SILENT"},\
        "scheduling":"SILENT","willContinue":false}]}}
        """)
    #expect(
      encode(.answer(id: "", tool: "stop", text: "ok"), model: "gemini-3.1-flash-live-preview")
        == #"{"toolResponse":{"functionResponses":[{"name":"stop","response":{"result":"ok"}}]}}"#)
  }

  @Test func aPieceToBeSpokenIsAWholeUserTurn() {
    #expect(
      encode(.speak("Grüße", turn: turn))
        == #"{"clientContent":{"turnComplete":true,"turns":[{"parts":[{"text":"Grüße"}],"role":"user"}]}}"#)
    // There is no way to say how much was heard.
    #expect(encode(.truncate(turn: turn, heardMilliseconds: 7)) == "")
    #expect(encode(.hush(turn: turn)) == #"{"clientContent":{"turnComplete":false}}"#)
    let old = "gemini-3.1-flash-live-preview"
    #expect(encode(.speak("a\tb", turn: turn), model: old) == #"{"realtimeInput":{"text":"a\tb"}}"#)
    #expect(encode(.hush(turn: turn), model: old) == "")
  }

  // MARK: Decoding

  @Test func setupMayBeAnsweredByAnEmptyObjectInEitherKindOfFrame() {
    #expect(decode("{\n  \"setupComplete\": {}\n}\n") == [.setUp])
    #expect(decode(#"{"setupComplete":{"sessionId":"x"}}"#, kind: .text) == [.setUp])
  }

  @Test(arguments: [
    (#"{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED"}}"#, "Quota exceeded."),
    (#"{"error":{"code":500,"status":"INTERNAL"}}"#, "INTERNAL"), (#"{"error":"no such model"}"#, "no such model"),
    (#"{"error":{}}"#, "it does not say which."),
  ])
  func anErrorIsToldInTheServersWords(_ message: String, _ reason: String) {
    #expect(decode(message, kind: .text) == [.failed(turn: nil, reason: reason)])
    #expect(decode(#"{"error":null}"#) == [])
  }

  @Test func everythingOfAMessageComesBeforeTheEndOfTheTurn() {
    let text = """
      {"serverContent": {"turnComplete": "true", "generationComplete": true, "interactionStatus": "IN_PROGRESS",
       "modelTurn": {"parts": [{"text": "hm", "thought": true},
         {"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": "AQAC"}},
         {"inlineData": {"mimeType": "audio/pcm", "data": "AA"}}]},
       "outputTranscription": {"text": " there"}, "inputTranscription": {"text": "hi", "finished": "true"}},
       "usageMetadata": {"promptTokenCount": 12, "responseTokenCount": 3}}
      """
    #expect(
      decode(text) == [
        .inputTranscription(text: "hi", isFinal: true), .audio(turn: turn, SpeechAudio(samples: [1])),
        .audio(turn: turn, SpeechAudio(samples: [2])), .outputTranscription(turn: turn, text: " there"),
        .generationComplete(turn: turn),
        .turnComplete(turn: turn, isIdle: false), .usage(inputTokens: 12, outputTokens: 3),
      ])
  }

  @Test func whatTheLocalModelKnowsOfATranscriptGoesThereAndBack() {
    let hearing = Hearing(sureness: [100, 7], alternatives: ["clear the cash"])
    let server = GeminiServerDialect()
    let sent = String(
      decoding: server.encode(.inputTranscription(text: "clear cache", isFinished: true, hearing: hearing)).payload,
      as: UTF8.self)
    #expect(decode(sent) == [.inputTranscription(text: "clear cache", isFinal: true, hearing: hearing)])
    // What a server that is none of ours sends in its place is taken for as much as it says.
    func heard(_ field: String) -> [DialectEvent] {
      decode(#"{"serverContent":{"inputTranscription":{"text":"a"},"inputTranscriptionHearing":"# + field + "}}")
    }
    for nothing in ["7", "{}", "[]", #"{"sureness":"no","alternatives":7}"#, #"{"alternatives":[]}"#] {
      #expect(heard(nothing) == [.inputTranscription(text: "a", isFinal: false)])
    }
    let many = String(repeating: "1,", count: 100_000) + "1"
    #expect(heard(#"{"sureness":["# + many + "]}") == [.inputTranscription(text: "a", isFinal: false)])
    #expect(
      heard(#"{"sureness":[-5,1e9,"x"],"alternatives":["b","c","d","e","f"]}"#) == [
        .inputTranscription(
          text: "a", isFinal: false, hearing: Hearing(sureness: [0, 100, 100], alternatives: ["b", "c", "d", "e"]))
      ])
  }

  @Test func aGuessIsNoTranscript() {
    #expect(
      decode(#"{"serverContent":{"interimInputTranscription":{"text":"list the fi"}}}"#)
        == [.interimTranscription(text: "list the fi")])
    #expect(decode(#"{"serverContent":{"interimInputTranscription":{"text":""}}}"#) == [])
  }

  @Test func aSampleCutByTwoMessagesIsJoined() {
    func sound(_ data: String) -> String {
      #"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"data":"\#(data)"}}]}}}"#
    }
    // 01 | 00 02 00 03 | 00: one byte, four bytes, one byte.
    #expect(
      decode(sound("AQ=="), sound("AAIAAw=="), sound("AA==")) == [
        .audio(turn: turn, SpeechAudio(samples: [1, 2])), .audio(turn: turn, SpeechAudio(samples: [3])),
      ])
    #expect(decode(sound("AQ=="), #"{"serverContent":{"interrupted":true}}"#, sound("AgA=")).count == 2)
  }

  @Test func soundInTheUrlAlphabetAndWithEscapesIsTheSameSound() {
    for data in ["__v-AA==", "//v+AA==", #"\/\/v+AA\u003d\u003d"#, "__v-AA"] {
      let text = #"{"server_content":{"model_turn":{"parts":[{"inline_data":{"data":"\#(data)"}}]}}}"#
      #expect(decode(text) == [.audio(turn: turn, SpeechAudio(samples: [-1025, 254]))])
    }
  }

  @Test func aVeryLongStretchOfSoundIsCutToWhatAnEventMayHold() {
    var bytes: [UInt8] = []
    Base64.append([Int16](repeating: 7, count: Limits.longestSpeechAudioSamples + 5), to: &bytes)
    let data = String(decoding: bytes, as: UTF8.self)
    let lengths = decode(#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"data":"\#(data)"}}]}}}"#).map {
      if case .audio(_, let audio) = $0 { audio.samples.count } else { 0 }
    }
    #expect(lengths == [Limits.longestSpeechAudioSamples, 5])
  }

  @Test func severalCallsInOneMessageAreSeveralEvents() {
    let text = """
      {"toolCall":{"functionCalls":[{"id":"a","name":"converse","args":{"instruction":"say \\"hi\\" \\ud83d\\ude00"}},
      {"name":"stop","args":{}},{"id":"c","name":"converse","args":{"instruction":7}}]}}
      """
    #expect(
      decode(text) == [
        .toolCall(id: "a", tool: "converse", argument: "say \"hi\" 😀"),
        .toolCall(id: "", tool: "stop", argument: nil),
        .toolCall(id: "c", tool: "converse", argument: nil),
      ])
    #expect(decode(#"{"toolCallCancellation":{"ids":["a","b"]}}"#) == [.toolCallCancellation(ids: ["a", "b"])])
  }

  @Test(arguments: [(#""50s""#, 50_000), (#""1.5s""#, 1500), (#"{"seconds":"7"}"#, 7000), (#""soon""#, 0), ("-1", 0)])
  func theTimeLeftIsReadInEveryForm(value: String, milliseconds: Int) {
    #expect(decode(#"{"goAway":{"timeLeft":\#(value)}}"#) == [.goAway(milliseconds: milliseconds)])
  }

  @Test func onlyAHandleThatIsMarkedResumableCanBeResumed() {
    func update(_ members: String) -> [DialectEvent] { decode(#"{"sessionResumptionUpdate":{\#(members)}}"#) }
    #expect(update(#""newHandle":"h","resumable":true"#) == [.resumption(handle: "h", isResumable: true)])
    #expect(update(#""newHandle":"h","resumable":"true""#) == [.resumption(handle: "h", isResumable: true)])
    #expect(update(#""newHandle":"h""#) == [.resumption(handle: "h", isResumable: false)])
    #expect(update(#""newHandle":"","resumable":true"#) == [.resumption(handle: nil, isResumable: false)])
    #expect(update("") == [.resumption(handle: nil, isResumable: false)])
  }

  @Test func theServersOwnDetectorIsHeardInBothForms() {
    #expect(decode(#"{"voiceActivity":{"type":"ACTIVITY_START"}}"#) == [.voiceActivity(isStart: true)])
    #expect(decode(#"{"voiceActivity":{"type":"ACTIVITY_END"}}"#) == [.voiceActivity(isStart: false)])
    let signal = #"{"voiceActivityDetectionSignal":{"vadSignalType":"VAD_SIGNAL_TYPE_SOS"}}"#
    #expect(decode(signal) == [.voiceActivity(isStart: true)])
  }

  @Test func whatIsNotKnownIsNamedAndWhatCannotBeReadIsOneEvent() {
    #expect(
      decode(#"{"avatarUpdate":{},"serverContent":{"waitingForInput":true}}"#) == [.unknown(name: "avatarUpdate")])
    #expect(decode("{}") == [])
    let broken = [
      "", "[]", "7", "{", "\u{0}", #"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"data":"a"}}]}}}"#,
      #"{"serverContent":"#, #"{"setupComplete":{}} {}"#,
      #"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate=16000","data":"AAAA"}}]}}}"#,
      String(repeating: #"{"a":"#, count: 10_000),
    ]
    for text in broken {
      let events = decode(text)
      guard events.count == 1, case .malformed = events[0] else {
        Issue.record("\(text.prefix(80)) was taken for \(events)")
        continue
      }
    }
    // Values of the wrong type are absent.
    #expect(decode(#"{"serverContent":[],"toolCall":7,"toolCallCancellation":{"ids":{}}}"#).count == 1)
  }

  @Test func cutAnywhereAMessageNeverTraps() {
    let whole =
      Array(
        #"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"data":"AQACAA=="}}]},"turnComplete":true,"#.utf8
      ) + Array(#""outputTranscription":{"text":"\ud83d\ude00 \\\" é"}}}"#.utf8)
    var dialect = GeminiDialect(model: LiveProvider.gemini.model)
    for end in whole.indices {
      let events = dialect.decode(IncomingMessage(kind: .binary, bytes: Array(whole[..<end])), at: .now)
      guard events.count == 1, case .malformed = events[0] else {
        Issue.record("cut at \(end), it was taken for \(events)")
        continue
      }
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let events = dialect.decode(IncomingMessage(kind: .binary, bytes: bytes), at: .now)
      #expect(events.count <= 6)
    }
  }
}
