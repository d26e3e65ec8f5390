import Testing
import VoiceConverse
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Every recorded agent dies wherever it can: no instruction goes out twice, and each run ends as the agent had said by then.
///
/// After each line and in the middle of it, unless the environment has `PARLEY_EVERY_BYTE`: then after each byte.
struct DyingAgentTests {
  @Test(arguments: RecordingTests.names.filter { !$0.hasPrefix("a2a/") && $0 != "claude/bad-resume" })
  func whereverAnAgentDiesTheEndIsTrue(_ name: String) throws {
    let everyByte = ProcessInfo.processInfo.environment["PARLEY_EVERY_BYTE"] != nil
    let recorded = Self.reports(try Recording.play(name, cut: .wholeLines).events).mapValues { Self.ends($0) }
    var (deaths, done, failed, halted, unconfirmed) = (0, 0, 0, 0, 0)
    _ = try Recording.play(name, cut: .deaths(everyByte: everyByte)) { death in
      deaths += 1
      for wrong in Self.wrong(death, recorded) { Issue.record("\(name), dead after \(death.place) bytes: \(wrong)") }
      for (run, events) in Self.reports(death.after) where run != death.last {
        switch Self.ends(events).first {
        case .completed, .stopped: done += 1
        case .failed: failed += 1
        case .cancelled: halted += 1
        case .unconfirmed, nil: unconfirmed += 1
        }
      }
    }
    #expect(deaths > 0)
    print("deaths: \(name), \(deaths): \(done) done, \(failed) failed, \(halted) halted, \(unconfirmed) unconfirmed")
  }

  /// What is untrue of what was told.
  /// - Parameter recorded: how each run ends where the agent lives.
  private static func wrong(_ death: Recording.Death, _ recorded: [RunID: [AgentTurnEnd]]) -> [String] {
    var wrong: [String] = []
    let before = reports(death.before)
    let after = reports(death.after)
    let told = before.mapValues { ends($0) }.filter { !$0.value.isEmpty }
    if told.count > death.ends { wrong.append("more has ended than the agent said") }
    for (run, ends) in told where ends != recorded[run] {
      wrong.append("run \(run.rawValue) ended as \(ends), and is recorded as \(recorded[run] ?? [])")
    }
    if death.sent[death.last] != 1 {
      wrong.append("the next instruction went out \(death.sent[death.last] ?? 0) times")
    }
    for (run, events) in after where run != death.last {
      let (ends, sent) = (ends(events), death.sent[run] ?? 0)
      if sent > 1 { wrong.append("instruction \(run.rawValue) went out \(sent) times") }
      guard let end = ends.first, ends.count == 1, events.last == .turnEnded(end: end) else {
        wrong.append(
          "run \(run.rawValue) ended \(ends.count) times, the last of it is \(events.last.map { "\($0)" } ?? "")")
        continue
      }
      if told[run] == nil, !isTrue(end, wasHalted: death.halted.contains(run)) {
        wrong.append("run \(run.rawValue) ended as \(end)")
      }
      for case .toolStarted(let tool) in events
      where !events.contains(where: { if case .toolFinished(tool.id, _) = $0 { true } else { false } }) {
        wrong.append("the tool “\(tool.title)” is still shown")
      }
    }
    return wrong
  }

  /// Whether a run that was in its hands can end like this: what it had begun to do nobody knows, but a halted one has stopped.
  private static func isTrue(_ end: AgentTurnEnd, wasHalted: Bool) -> Bool {
    switch end {
    case .unconfirmed: !wasHalted
    case .cancelled: wasHalted
    default: false
    }
  }

  private static func reports(_ events: [VoiceEvent]) -> [RunID: [AgentEvent]] {
    events.reduce(into: [:]) { reports, event in
      if case .agentReported(let run, let event) = event { reports[run, default: []].append(event) }
    }
  }

  private static func ends(_ events: [AgentEvent]) -> [AgentTurnEnd] {
    events.compactMap { if case .turnEnded(let end) = $0 { end } else { nil } }
  }
}
