import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLanguage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

import VoiceSystem

@testable import VoiceLocal

@Suite(.timeLimit(.minutes(5)))
struct SpeechEngineTests {
  private func withEngine(_ body: (RunningEngine) async throws -> Void) async throws {
    try await RunningEngine.with(arguments: ["simulated"], body)
  }

  @Test func soundBecomesTextAndTextBecomesSound() async throws {
    try await withEngine { running in
      running.ask(1, [Int16](repeating: 5, count: 16_000))
      try await #expect(running.text() == (1, .success("16000 samples")))
      _ = running.speak(2, "one three")
      try await #expect(running.speech() == (2, .audio(samples: [1, 1, 1])))
      try await #expect(running.speech() == (2, .audio(samples: [1, 1, 1, 1, 1])))
      try await #expect(running.speech() == (2, .finished))
    }
  }

  @Test func whoAsksBehindAPauseLearnsHowDoneItSounds() async throws {
    try await withEngine { running in
      let answers = Journal<Result<HeardSpeech, SpeechFailure>>()
      running.engine.recognise([5, 8_192, 5], for: .pause) { answers.append($0) }
      try await #expect(answers.next { $0 } == .success(HeardSpeech("3 samples", completeness: 0.25)))
      running.engine.recognise([5, 8_192, 5]) { answers.append($0) }
      try await #expect(answers.next { $0 } == .success(HeardSpeech("3 samples")))
      // Where nothing can tell.
      running.engine.recognise([5, -1, 5], for: .pause) { answers.append($0) }
      try await #expect(answers.next { $0 } == .success(HeardSpeech("3 samples")))
    }
  }

  /// The tests themselves run with more variables than these.
  @Test func aGuessIsGivenUpForTheTextThatSomebodyWaitsFor() async throws {
    try await RunningEngine.with(arguments: ["simulated"]) { running in
      let guess = running.engine.recognise([55, 1, 2], for: .interim) {
        running.happenings.append(.text(request: 1, result: $0.map(\.text)))
      }
      running.engine.cancelRecognition(guess)
      running.ask(2, [1, 2])
      let given = try await running.text()
      #expect(given.result == .success(""))
      let awaited = try await running.text()
      #expect(awaited.result == .success("2 samples"))
      running.engine.recognise([1, 2, 3], for: .interim) {
        running.happenings.append(.text(request: 3, result: $0.map(\.text)))
      }
      let guessed = try await running.text()
      #expect(guessed.result == .success("3 samples so far"))
    }
  }

  @Test func aGuessIsNoWorkThatTheSessionIsToldOf() async throws {
    let told = Journal<SpeechEngineReport>()
    let engine = SpeechEngine(command: .init(executable: "/nonexistent")) { told.append($0) }
    engine.recognise([1], for: .interim) { _ in }
    engine.recognise([1]) { _ in }
    #expect(told.all == [.working(part: .recogniser)])
  }

  @Test func theEngineGetsNoVariableButThoseItNeeds() async throws {
    let allowed = Set(SpeechEngineEnvironment.variables)
    #expect(!allowed.isSuperset(of: ProcessInfo.processInfo.environment.keys))
    try await withEngine { running in
      running.ask(1, [77])
      guard case (1, .success(let names)) = try await running.text() else { throw CancellationError() }
      #expect(!names.isEmpty)
      #expect(allowed.isSuperset(of: names.split(separator: " ").map(String.init)), "\(names)")
    }
  }

  @Test func theEngineExpectsWhatItWasToldAndSoDoesTheNextOne() async throws {
    try await withEngine { running in
      running.engine.expect([ExpectedWord("NumPy", heard: ["num pie"])], names: [])
      running.engine.expect([ExpectedWord("nginx")], names: ["EventInbox"])
      running.ask(1, [88])
      let expected = "nginx, Nginx, EventInbox, event inbox, Event inbox, Event Inbox"
      try await #expect(running.text() == (1, .success(expected)))
      running.ask(2, [666])
      running.ask(3, [88])
      _ = try await running.text()
      try await #expect(running.text() == (3, .success(expected)))
    }
  }

  @Test func aRequestThatFailsTellsWhyAndTheNextOneWorks() async throws {
    try await withEngine { running in
      running.ask(1, [13])
      running.ask(2, [1])
      try await #expect(running.text() == (1, .failure(SpeechFailure("an unlucky sound"))))
      try await #expect(running.text() == (2, .success("1 samples")))
    }
  }

  @Test func speechThatIsCancelledEndsAndTheNextIsSpoken() async throws {
    try await withEngine { running in
      let request = running.speak(1, "for ever")
      try await #expect(running.speech() == (1, .audio(samples: [1, 2, 3])))
      _ = running.speak(2, "next")
      running.engine.cancelSynthesis(request)
      let end = try await running.happenings.next {
        if case .speech(1, let event) = $0, event != .audio(samples: [1, 2, 3]) { event } else { nil }
      }
      #expect(end == .finished)
      try await #expect(running.speech() == (2, .audio(samples: [1, 1, 1, 1])))
    }
  }

  @Test func recognitionDoesNotWaitForSpeech() async throws {
    try await withEngine { running in
      _ = running.speak(1, "for ever")
      _ = try await running.speech()
      running.ask(2, [1])
      try await #expect(running.text() == (2, .success("1 samples")))
    }
  }

  @Test func aPartThatCannotBeLoadedFailsItsRequestsWithTheReasonAndNoOthers() async throws {
    try await RunningEngine.with(arguments: ["simulated", "mute"]) { running in
      _ = running.speak(1, "hello")
      try await #expect(running.speech() == (1, .failed(reason: "there is no voice")))
      running.ask(2, [1])
      try await #expect(running.text() == (2, .success("1 samples")))
    }
  }

  @Test func speechThatIsCancelledBeforeTheEngineRunsIsFinishedAtOnce() {
    let events = Journal<SynthesisEvent>()
    let engine = SpeechEngine(command: .init(executable: "unused"))
    engine.cancelSynthesis(engine.synthesise("hello", rate: 1) { events.append($0) })
    #expect(events.all == [.finished])
  }

  @Test func whatIsSaidWhileTheRecogniserLoadsIsUnderstoodThen() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/go"
    try #require(mkfifo(pipe, 0o600) == 0)
    try await RunningEngine.with(arguments: ["simulated", "slow", pipe]) { running in
      try await #expect(running.status() == .loading(part: .recogniser))
      try await #expect(running.status() == .loading(part: .voice))
      // One does not wait for the other.
      try await #expect(running.status() == .ready(part: .voice))
      running.ask(1, [1])
      running.ask(2, [1, 2])
      try await #expect(running.status() == .working(part: .recogniser))
      // Now it may load.
      let writer = open(pipe, O_WRONLY)
      close(writer)
      try await #expect(running.text() == (1, .success("1 samples")))
      try await #expect(running.text() == (2, .success("2 samples")))
      let told = running.happenings.all.compactMap { if case .status(let status) = $0 { status } else { nil } }
      #expect(told.contains(.ready(part: .recogniser)))
    }
  }

  @Test func whatThePartsAreDoingIsToldInOrder() async throws {
    try await withEngine { running in
      _ = running.speak(1, "for ever")
      running.ask(2, [1])
      _ = try await running.text()
      #expect(
        await running.happenings.wait { happenings in
          let told = happenings.compactMap { if case .status(let status) = $0 { status } else { nil } }
          guard let start = told.firstIndex(of: .working(part: .recogniser)),
            let end = told.lastIndex(of: .idle(part: .recogniser))
          else { return false }
          return start < end && !told.contains(.idle(part: .voice))
        })
    }
  }

  @Test func moreSpeechThanMayWaitIsRefusedAndSaid() {
    let answers = Journal<Result<HeardSpeech, SpeechFailure>>()
    // Never run, so nothing is answered.
    let engine = SpeechEngine(command: .init(executable: "unused"))
    let minute = [Int16](repeating: 0, count: 960_000)
    for _ in 0..<10 { engine.recognise(minute) { answers.append($0) } }
    #expect(answers.all.isEmpty)
    engine.recognise(minute) { answers.append($0) }
    #expect(answers.all == [.failure(SpeechFailure("10 minutes of speech wait to be understood already"))])
  }

  @Test func speechThatNobodyWantsAnyMoreTakesNoPlace() {
    let answers = Journal<Result<HeardSpeech, SpeechFailure>>()
    let engine = SpeechEngine(command: .init(executable: "unused"))
    let minute = [Int16](repeating: 0, count: 960_000)
    for _ in 0..<20 { engine.cancelRecognition(engine.recognise(minute) { answers.append($0) }) }
    #expect(answers.all == [Result<HeardSpeech, SpeechFailure>](repeating: .success(HeardSpeech("")), count: 20))
  }

  @Test func tooManyRequestsAreRefusedAtOnce() async {
    let answers = Journal<Result<HeardSpeech, SpeechFailure>>()
    // Never run, so nothing is answered.
    let engine = SpeechEngine(command: .init(executable: "unused"))
    for _ in 0...SpeechEngine.longestQueue { engine.recognise([1]) { answers.append($0) } }
    #expect(answers.all == [.failure(SpeechFailure("the speech engine has too much to do"))])
  }

  @Test func stoppingTheEngineFailsWhatIsOpen() async throws {
    let answers = Journal<RunningEngine.Happening>()
    try await withEngine { running in
      _ = running.engine.synthesise("for ever", rate: 1) { answers.append(.speech(request: 1, event: $0)) }
      _ = try await answers.next { if case .speech = $0 { true } else { nil } }
    }
    guard case .speech(1, .failed)? = answers.all.last else {
      Issue.record("open speech was left hanging")
      return
    }
  }
}
