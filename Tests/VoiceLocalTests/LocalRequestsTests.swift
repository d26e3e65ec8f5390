import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary
import VoiceWebSocket

@testable import VoiceLocal

/// Engines that answer on a thread of their own before the number of the request is known, or never.
private final class HastyEngines: SpeechRecogniser, SpeechSynthesiser {
  private let answers: Bool
  let asked = Journal<UInt32>()
  let cancelled = Locked<[UInt32]>([])

  init(answers: Bool) { self.answers = answers }

  private func number() -> UInt32 { UInt32(asked.all.count) + 1 }

  func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose,
    completion: @escaping @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
  ) -> UInt32 {
    if answers { onAnotherThread { completion(.success(HeardSpeech("run the tests"))) } }
    defer { asked.append(number()) }
    return number()
  }

  func synthesise(_ text: String, rate: Float, onEvent: @escaping @Sendable (SynthesisEvent) -> Void) -> UInt32 {
    if answers { onAnotherThread { onEvent(.finished) } }
    defer { asked.append(number()) }
    return number()
  }

  func cancelRecognition(_ request: UInt32) { cancelled.withLock { $0.append(request) } }

  func cancelSynthesis(_ request: UInt32) { cancelled.withLock { $0.append(request) } }
}

/// What the engines were asked for is given up with the connection, and nothing else.
@Suite(.timeLimit(.minutes(5)))
struct LocalRequestsTests {
  /// What was cancelled when a listener and a readout end that have each asked for something.
  private func cancelled(whereEnginesAnswer answers: Bool) async throws -> [UInt32] {
    let engines = HastyEngines(answers: answers)
    let server = try LocalLiveServer(models: nil, recogniser: engines, synthesiser: engines) { _ in }
    let service = try WebSocketService()
    let listener = try LocalClient(server, service)
    listener.send(#"{"setup":{"model":"models/local",\#(LocalLiveServerTests.tools)}}"#)
    listener.send([Int16](repeating: 2, count: 16_000))
    listener.send((0..<16_000).map { $0 / 20 % 2 == 0 ? 8_000 : -8_000 })
    listener.send([Int16](repeating: 2, count: 16_000))
    _ = try await engines.asked.next { $0 }
    let readout = try LocalClient(server, service)
    readout.send(#"{"setup":{"model":"models/local"}}"#)
    readout.send(
      #"{"clientContent":{"turns":[{"role":"user","parts":[{"text":"Hello."}]}],"turnComplete":true}}"#)
    _ = try await engines.asked.next { $0 }
    server.stop()
    service.stop()
    return engines.cancelled.withLock { $0 }
  }

  @Test func whatWasNotAnsweredIsCancelled() async throws {
    #expect(try await cancelled(whereEnginesAnswer: false).sorted() == [1, 2])
  }

  @Test func whatWasAnsweredIsForgottenHoweverSoon() async throws {
    #expect(try await cancelled(whereEnginesAnswer: true) == [])
  }
}
