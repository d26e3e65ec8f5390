import VoiceLanguage
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLocal

/// A running speech engine and what came of it.
struct RunningEngine {
  enum Happening: Sendable {
    case status(SpeechEngineReport)
    case text(request: Int, result: Result<String, SpeechFailure>)
    case speech(request: Int, event: SynthesisEvent)
  }

  let engine: SpeechEngine
  let happenings: Journal<Happening>

  /// Run `body` with an engine that is stopped at the end.
  static func with<Value: Sendable>(
    executable: String? = nil, arguments: [String], patience: SpeechEngine.Patience = .init(),
    _ body: (RunningEngine) async throws -> Value
  ) async throws -> Value {
    let happenings = Journal<Happening>()
    let command = SpeechEngine.Command(executable: executable ?? TestExecutable.path, arguments: arguments)
    let engine = SpeechEngine(command: command, patience: patience) { happenings.append(.status($0)) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await engine.run() }
      defer { group.cancelAll() }
      return try await body(RunningEngine(engine: engine, happenings: happenings))
    }
  }

  func ask(_ request: Int, _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose = .text) {
    engine.recognise(samples, for: purpose) { happenings.append(.text(request: request, result: $0.map(\.text))) }
  }

  func text() async throws -> (request: Int, result: Result<String, SpeechFailure>) {
    try await happenings.next { if case .text(let request, let result) = $0 { (request, result) } else { nil } }
  }

  func status() async throws -> SpeechEngineReport {
    try await happenings.next { if case .status(let status) = $0 { status } else { nil } }
  }

  /// Waits until a part is loaded.
  func hasLoaded(_ part: SpeechPart) async throws {
    _ = try await happenings.next { if case .status(.ready(part)) = $0 { true } else { nil } }
  }

  func speak(_ request: Int, _ text: String, rate: Float = 1) -> UInt32 {
    engine.synthesise(text, rate: rate) { happenings.append(.speech(request: request, event: $0)) }
  }

  func speech() async throws -> (request: Int, event: SynthesisEvent) {
    try await happenings.next { if case .speech(let request, let event) = $0 { (request, event) } else { nil } }
  }
}

func == (
  left: (request: Int, result: Result<String, SpeechFailure>), right: (Int, Result<String, SpeechFailure>)
) -> Bool {
  left.request == right.0 && left.result == right.1
}

func == (left: (request: Int, event: SynthesisEvent), right: (Int, SynthesisEvent)) -> Bool {
  left.request == right.0 && left.event == right.1
}
