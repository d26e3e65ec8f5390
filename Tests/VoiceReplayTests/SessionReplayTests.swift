import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The log of a fixture: what a recorded session is to a replay.
private func recording(_ slug: String) throws -> [LogLine] { try LogReader(load(slug).expectedPath).lines }

/// Every step, without its number: sound that came in parts is one step when it comes again.
private func steps(_ lines: [LogLine]) -> [VoiceStep] {
  lines.flatMap(\.steps).map { step in
    var step = step
    step.sequence = 0
    return step
  }
}

/// What becomes of a recording in which one event was another: as if the user or the world had done that, while the log
/// still tells the old decisions.
private func verdict(_ slug: String, _ change: (inout VoiceStep) -> Void) async throws -> ReplayVerdict {
  let lines = try recording(slug).map { line in
    var line = line
    change(&line.step)
    return line
  }
  let session = try SessionReplay(lines, slug)
  return session.compare(await session.replay())
}

private func reasons(_ verdict: ReplayVerdict) -> String {
  if case .deviates(let reasons) = verdict { reasons.joined(separator: "\n") } else { "\(verdict)" }
}

@Test(arguments: slugs) func aRecordedSessionTakesPlaceAgainToTheMicrosecond(_ slug: String) async throws {
  let lines = try recording(slug)
  let session = try SessionReplay(lines, slug)
  let replay = await session.replay()
  #expect(replay.breaches.isEmpty)
  #expect(replay.unknown.isEmpty)
  #expect(session.compare(replay) == .same)
  let (expected, actual) = (steps(lines), steps(replay.lines))
  let place = zip(expected, actual).prefix { $0 == $1 }.count
  #expect(expected.count == actual.count)
  #expect(
    place == expected.count,
    "\(expected.dropFirst(place).first.debugDescription)\n\(actual.dropFirst(place).first.debugDescription)")
}

/// As the program is killed anywhere: what was decided up to there is decided again, and nothing is made up behind it.
@Test(arguments: ["review-approve", "permission-allowed", "link-cut", "halt", "barge-in"])
func aLogThatBreaksOffReplaysUpToThere(_ slug: String) async throws {
  let lines = try recording(slug)
  for count in stride(from: 1, to: lines.count, by: 7) {
    let session = try SessionReplay(Array(lines.prefix(count)), slug)
    let replay = await session.replay()
    guard case .sameExcept(let facts) = session.compare(replay) else {
      Issue.record("\(slug), \(count) lines: \(session.compare(replay))")
      continue
    }
    #expect(facts.count == 1 && facts[0].hasPrefix("the log breaks off after "))
    #expect(steps(replay.lines) == steps(Array(lines.prefix(count))))
  }
}

@Test func aTornLastLineIsNoDamage() async throws {
  let temporary = try TemporaryFolder()
  let log = try Data(contentsOf: URL(filePath: load("direct").expectedPath))
  try log.dropLast(20).write(to: URL(filePath: temporary.path + "/events.jsonl"))
  let session = try SessionReplay(temporary.path)
  let verdict = session.compare(await session.replay())
  guard case .sameExcept = verdict else { throw FixtureFailure(reasons(verdict)) }
  #expect(try await LogReplay(temporary.path + "/events.jsonl").run().verdict == .same)
  // In the middle it is damage, and nothing is replayed.
  var torn = log
  torn.removeSubrange((log.count / 2)..<(log.count / 2 + 20))
  try torn.write(to: URL(filePath: temporary.path + "/events.jsonl"))
  #expect(throws: FixtureFailure.self) { try SessionReplay(temporary.path) }
}

@Test func aSessionThatNeverBeganHasNothingToReplay() async throws {
  let temporary = try TemporaryFolder()
  let log = temporary.path + "/events.jsonl"
  try Data(LogCodec().encode(LogHeader.current)).write(to: URL(filePath: log))
  let session = try SessionReplay(temporary.path)
  #expect(
    session.compare(await session.replay()) == .sameExcept(["the program was ended before the session began"]))
  #expect(try await LogReplay(log).run().verdict == .same)
}

// What a replay must notice: in each of these the session decides otherwise than the log tells.

@Test func anApprovalThatIsARejectionIsNoticed() async throws {
  let verdict = try await verdict("review-approve") { step in
    if step.event == .commandGiven(command: .approve) { step.event = .commandGiven(command: .reject(reason: nil)) }
  }
  let reasons = reasons(verdict)
  #expect(reasons.contains("decided, number 1: in the session “approved: "), "\(reasons)")
  #expect(reasons.contains("handed on, number 1: "), "\(reasons)")
}

@Test func aPermissionThatIsDeniedIsNoticedAndWhatIsNotKnownIsSaid() async throws {
  let verdict = try await verdict("permission-allowed") { step in
    if step.event == .commandGiven(command: .approve) { step.event = .commandGiven(command: .reject(reason: nil)) }
  }
  let reasons = reasons(verdict)
  #expect(reasons.contains("now “rejectOnce: "), "\(reasons)")
  let unknown = "the recording does not tell what the agent would have done in run 1 after “permission-1: rejectOnce”"
  #expect(reasons.contains(unknown), "\(reasons)")
  // The rest of the session goes on: it comes to its end.
  #expect(!reasons.contains("session, number"), "\(reasons)")
}

/// What the agent did once it was allowed is not what it does when it is denied.
@Test func whatFollowedAnotherDecisionDoesNotHappenAgain() async throws {
  let lines = try recording("permission-allowed").map { line in
    var line = line
    if line.step.event == .commandGiven(command: .approve) {
      line.step.event = .commandGiven(command: .reject(reason: nil))
    }
    return line
  }
  let replay = await (try SessionReplay(lines, "permission-allowed")).replay()
  let denied = try #require(
    replay.lines.firstIndex { line in
      line.step.actions.contains { if case .answerPermission = $0 { true } else { false } }
    })
  let reports = replay.lines[(denied + 1)...].compactMap { line in
    if case .agentReported(_, let event) = line.step.event { event } else { nil as AgentEvent? }
  }
  #expect(reports == [.turnEnded(end: .completed)])
}

@Test func whatIsHeldInsteadOfHandedOnIsNoticed() async throws {
  let verdict = try await verdict("direct") { step in
    guard case .sessionStarted(var settings) = step.event else { return }
    settings.mode = .review
    step.event = .sessionStarted(settings: settings)
  }
  let reasons = reasons(verdict)
  #expect(reasons.contains("held, number 1: in the session nothing more, now “"), "\(reasons)")
  #expect(reasons.contains("handed on, number 1: in the session “"), "\(reasons)")
}

@Test func aFrameThatIsNotSentIsNoticed() async throws {
  let lines = try recording("direct").flatMap(\.steps).map { LogLine(step: $0) }
  let first = try #require(
    lines.firstIndex { if case .sendAudio = $0.step.actions.first { $0.step.time.seconds > 1 } else { false } })
  var changed = lines
  // The session of the log did not send it; this one does.
  changed[first].step.actions = []
  let session = try SessionReplay(changed, "direct")
  let reasons = reasons(session.compare(await session.replay()))
  #expect(reasons.contains("now “(garbled)”"), "\(reasons)")
}

@Test func aHaltThatNobodyGaveIsNoticed() async throws {
  let verdict = try await verdict("halt") { step in
    if step.event == .commandGiven(command: .halt) { step.event = .commandGiven(command: .help) }
  }
  let reasons = reasons(verdict)
  #expect(reasons.contains("interrupted, number "), "\(reasons)")
  #expect(reasons.contains("ended, number 1: in the session “cancelled”"), "\(reasons)")
}

/// What looked like a key in a transcript that came in pieces is in the log; in the instruction it is not.
@Test func wordsThatWereTakenOutOfALogMayBeAnything() async throws {
  let lines = try recording("review-approve")
  let texts = lines.flatMap(\.step.actions).compactMap { action -> String? in
    if case .startRun(_, let instruction) = action { instruction.text } else { nil }
  }
  let text = try #require(texts.first)
  let words = text.split(separator: " ").map(String.init)
  try #require(words.count > 2)
  let codec = LogCodec()
  func verdict(_ other: String) async throws -> ReplayVerdict {
    let cleaned = try lines.map { line in
      var line = line
      let json = String(decoding: codec.encode(line).dropLast(), as: UTF8.self)
      line.step.actions = try codec.decodeLine(Array(json.replacing(text, with: other).utf8)).step.actions
      return line
    }
    let session = try SessionReplay(cleaned, "review-approve")
    return session.compare(await session.replay())
  }
  let secret = try await verdict((words.prefix(1) + ["(secret)"] + words.suffix(1)).joined(separator: " "))
  #expect(secret == .sameExcept(["words that looked like a key are not in the log"]))
  let other = try await verdict((["other", "(secret)"] + words.suffix(1)).joined(separator: " "))
  #expect(reasons(other).contains("held, number 1: in the session “other (secret)"), "\(reasons(other))")
}
