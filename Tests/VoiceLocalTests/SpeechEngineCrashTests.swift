import Testing
import VoiceLanguage
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLocal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What becomes of work when the speech engine's child ends, or never begins.
@Suite(.timeLimit(.minutes(5)))
struct SpeechEngineCrashTests {
  /// Children follow each other at once.
  private static let impatient: SpeechEngine.Patience = {
    var patience = SpeechEngine.Patience()
    patience.restartMilliseconds = [0, 0, 0]
    return patience
  }()

  @Test func whoWaitsIsToldOnceEveryPartIsReadyOrGivenUp() async throws {
    try await RunningEngine.with(arguments: ["simulated"]) { running in
      await withCheckedContinuation { continuation in running.engine.whenReady { continuation.resume() } }
      let told = Locked(false)
      running.engine.whenReady { told.withLock { $0 = true } }
      #expect(told.withLock { $0 })
    }
    try await RunningEngine.with(executable: "/nowhere/engine", arguments: [], patience: Self.impatient) { running in
      await withCheckedContinuation { continuation in running.engine.whenReady { continuation.resume() } }
    }
  }

  @Test func aCrashCostsTheRequestThatWasBeingWorkedOnAndNoOther() async throws {
    try await RunningEngine.with(arguments: ["simulated"]) { running in
      running.ask(1, [666])
      running.ask(2, [1, 2])
      running.ask(3, [1, 2, 3])
      let first = try await running.text()
      #expect(first.request == 1)
      guard case .failure(let failure) = first.result else {
        Issue.record("a crash answered")
        return
      }
      #expect(failure.reason.hasPrefix("the speech engine ended"))
      try await #expect(running.text() == (2, .success("2 samples")))
      try await #expect(running.text() == (3, .success("3 samples")))
    }
  }

  @Test func aCrashOfTheVoiceIsSurvivedAsWell() async throws {
    try await RunningEngine.with(arguments: ["simulated"]) { running in
      _ = running.speak(1, "crash")
      _ = running.speak(2, "four")
      guard case (1, .failed) = try await running.speech() else {
        Issue.record("a crash spoke")
        return
      }
      try await #expect(running.speech() == (2, .audio(samples: [1, 1, 1, 1])))
    }
  }

  @Test func anExecutableThatCannotRunFailsEveryRequestWithItsName() async throws {
    try await RunningEngine.with(executable: "/nowhere/parley", arguments: [], patience: Self.impatient) { running in
      running.ask(1, [1])
      let final = try await running.happenings.next {
        if case .status(.failed(let reason)) = $0 { reason } else { nil }
      }
      #expect(final.contains("4 times in a row"))
      guard case .failure(let failure) = try await running.text().result else {
        Issue.record("an engine that is not there answered")
        return
      }
      #expect(failure.reason.contains("/nowhere/parley"))
      running.ask(2, [1])
      #expect(try await running.text().request == 2)
    }
  }

  @Test func whatWaitsForAPartIsKeptWhenTheChildEndsBeforeItHasLoadedIt() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/go"
    try #require(mkfifo(pipe, 0o600) == 0)
    try await RunningEngine.with(arguments: ["simulated", "slow", pipe], patience: Self.impatient) { running in
      try await running.hasLoaded(.voice)
      running.ask(1, [1])
      running.ask(2, [1, 2])
      // It dies of this.
      var writer = open(pipe, O_WRONLY)
      #expect(write(writer, "x", 1) == 1)
      close(writer)
      let reason = try await running.happenings.next {
        if case .status(.restarting(let reason)) = $0 { reason } else { nil }
      }
      #expect(reason.hasPrefix("the speech engine ended"))
      // The next one may load.
      try await running.hasLoaded(.voice)
      writer = open(pipe, O_WRONLY)
      close(writer)
      try await #expect(running.text() == (1, .success("1 samples")))
      try await #expect(running.text() == (2, .success("2 samples")))
    }
  }

  @Test func aChildThatEndsIsFollowedByAnotherAfterAWait() async throws {
    var patience = SpeechEngine.Patience()
    patience.restartMilliseconds = [40, 80]
    let begun = ContinuousClock.now
    try await RunningEngine.with(executable: "/nowhere/parley", arguments: [], patience: patience) { running in
      let final = try await running.happenings.next {
        if case .status(.failed(let reason)) = $0 { reason } else { nil }
      }
      #expect(final.contains("3 times in a row"))
      #expect(ContinuousClock.now - begun >= .milliseconds(120))
    }
  }

  @Test func anEngineIsStoppedBetweenTwoChildrenAsWell() async throws {
    var patience = SpeechEngine.Patience()
    // Longer than the time limit of the test.
    patience.restartMilliseconds = [3_600_000]
    let answers = Journal<Result<HeardSpeech, SpeechFailure>>()
    let arguments = ["simulated"]
    try await RunningEngine.with(executable: "/nowhere/parley", arguments: arguments, patience: patience) { running in
      running.engine.recognise([1]) { answers.append($0) }
      _ = try await running.happenings.next { if case .status(.restarting) = $0 { true } else { nil } }
      #expect(answers.all.isEmpty)
    }
    #expect(answers.all == [.failure(SpeechFailure("the speech engine was stopped"))])
  }

  /// Nobody waits for a wake phrase; but without it the microphone would stay closed for ever.
  @Test(arguments: [SpeechEngineMessage.Purpose.text, .wake])
  func aChildThatHangsIsReplacedAndWhatWaitsIsAskedAgain(purpose: SpeechEngineMessage.Purpose) async throws {
    var patience = SpeechEngine.Patience()
    (patience.checkMilliseconds, patience.checks) = (100, 30)
    try await RunningEngine.with(arguments: ["simulated"], patience: patience) { running in
      running.ask(1, [44], for: purpose)
      if purpose == .text { running.ask(2, [1, 2]) }
      let first = try await running.text()
      guard first.request == 1, case .failure(let failure) = first.result else {
        Issue.record("a process that hangs answered")
        return
      }
      #expect(failure.reason.contains("it had work and did nothing"))
      if purpose == .wake { running.ask(2, [1, 2]) }
      try await #expect(running.text() == (2, .success("2 samples")))
    }
  }
}
