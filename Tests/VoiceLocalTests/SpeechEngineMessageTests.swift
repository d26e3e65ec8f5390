import Testing
import VoiceLanguage
import VoiceVocabulary

@testable import VoiceLocal

struct SpeechEngineMessageTests {
  static let messages: [SpeechEngineMessage] = [
    .recognise(request: 1, purpose: .pause, samples: [0, -1, .max, .min]),
    .recognise(request: 2, purpose: .text, samples: []),
    .synthesise(request: 3, rate: 1.25, text: "naïve"), .cancel(request: .max), .ready(part: .voice),
    .unavailable(part: .recogniser, reason: "why"), .recognised(request: 4, heard: HeardSpeech("")),
    .recognised(request: 4, heard: HeardSpeech("naïve", completeness: 0.25)),
    .recognised(
      request: 5,
      heard: HeardSpeech(
        "the naïve one", hearing: Hearing(sureness: [99, 0, 100], alternatives: ["the knife one", "é"]))
    ),
    .audio(request: 5, samples: [7, 8]), .finished(request: 6), .failed(request: 7, reason: "no"),
    .progress(processorMilliseconds: 123_456),
    .expect(
      words: [ExpectedWord("NumPy", heard: ["num pie", "numb pie"]), ExpectedWord("struct")], names: ["EventInbox"]),
    .expect(words: [], names: []),
  ]

  @Test func everyMessageArrivesAsItWasSentWhateverTheChunks() throws {
    let bytes = Self.messages.flatMap(\.encoded)
    for size in [1, 2, 3, 7, 1_000] {
      var reader = SpeechEngineReader()
      var read: [SpeechEngineMessage] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        read += try reader.read(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(read == Self.messages)
    }
  }

  @Test(arguments: [
    [255, 255, 255, 255], [1, 0, 0, 0, 3], [5, 0, 0, 0, 77, 0, 0, 0, 0], [6, 0, 0, 0, 7, 0, 0, 0, 0, 1],
    [6, 0, 0, 0, 11, 0, 0, 0, 0, 97],
    // A text that is less sure in more words than there are bytes.
    [14, 0, 0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 97],
  ])
  func bytesThatAreNoMessageAreRefused(bytes: [UInt8]) {
    var reader = SpeechEngineReader()
    #expect(throws: SpeechEngineReader.Malformed.self) { try reader.read(bytes) }
  }
}
