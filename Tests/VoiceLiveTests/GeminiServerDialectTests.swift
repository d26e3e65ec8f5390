import Testing
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

@Suite
struct GeminiServerDialectTests {
  private func decode(_ text: String, _ kind: OutgoingMessage.Kind = .text) -> [GeminiClientMessage] {
    var dialect = GeminiServerDialect()
    return dialect.decode(IncomingMessage(kind: kind, bytes: Array(text.utf8)))
  }

  @Test func bothNameStylesMayBeMixedInOneSetup() throws {
    let text = """
      {"setup": {"model": "models/gemini-3.8-live", "generationConfig": {"speechConfig": {"voice_config":
      {"prebuilt_voice_config": {"voice_name": "Kore"}}}}, "system_instruction": {"parts": [{"text": "ears"}]},
      "tools": [{"function_declarations": [{"name": "converse"}, {"name": "stop"}]}],
      "realtimeInputConfig": {"automatic_activity_detection": {"silence_duration_ms": "900", "disabled": "true"}},
      "inputAudioTranscription": {"customVocabulary": ["SwiftPM"]}, "session_resumption": {"handle": null}}}
      """
    guard case .setup(let setup) = try #require(decode(text, .binary).first) else {
      Issue.record("no setup was decoded")
      return
    }
    #expect(setup.model == "gemini-3.8-live")
    #expect(setup.systemInstruction == "ears")
    #expect(setup.tools == ["converse", "stop"])
    #expect(setup.voice == "Kore")
    #expect(setup.silenceMilliseconds == 900)
    #expect(setup.marksActivity)
    #expect(setup.customVocabulary == ["SwiftPM"])
    #expect(setup.wantsResumption)
    #expect(setup.resumptionHandle == nil)
    #expect(setup.transcribesInput && !setup.transcribesOutput)
  }

  @Test func soundIsDecodedFromBothAlphabets() {
    let samples: [Int16] = [-1025, 254]  // FF FB FE 00 on the wire
    let urlSafe = #"{"realtime_input": {"audio": {"data": "__v-AA==", "mime_type": "audio/pcm; rate=16000"}}}"#
    #expect(decode(urlSafe) == [.audio(samples: samples, rate: 16_000)])
    let standard = #"{"realtimeInput":{"audio":{"data":"\/\/v+AA\u003d=","mimeType":"audio/pcm"}}}"#
    #expect(decode(standard) == [.audio(samples: samples, rate: 16_000)])
  }

  @Test func aResultIsFoundUnderAnyOfItsNames() {
    let text = """
      {"toolResponse": {"functionResponses": [{"id": "a", "name": "converse", "scheduling": "SILENT",
      "response": {"result": "done", "scheduling": "SILENT"}}, {"id": "b", "name": "stop", "response": {"ok": true}}]}}
      """
    #expect(
      decode(text) == [
        .toolResponse(.init(id: "a", name: "converse", result: "done", scheduling: "SILENT", willContinue: false)),
        .toolResponse(.init(id: "b", name: "stop", result: "ok: true", scheduling: "", willContinue: false)),
      ])
  }

  @Test func malformedMessagesBecomeOneEvent() {
    for text in ["", "{", "[1,", #"{"setup":"#, "nul", #"{"a" 1}"#, #"{"realtimeInput":{"audio":{"data":"?!"}}}"#] {
      let messages = decode(text)
      #expect(messages.count == 1)
      guard case .malformed = messages.first else {
        Issue.record("\(text) was taken for \(messages)")
        continue
      }
    }
    #expect(decode(#"{"surprise":{}}"#) == [.unknown(name: "surprise")])
    #expect(decode(String(repeating: "[", count: 100_000)).count == 1)
  }
}
