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
    let deaths = try Recording.play(name, cut: .deaths(everyByte: everyByte)).deaths
    #expect(!deaths.isEmpty)
    for death in deaths {
      for wrong in Self.wrong(death) { Issue.record("\(name), dead after \(death.place) bytes: \(wrong)") }
    }
    print("deaths: \(name), \(deaths.count)")
  }

  /// What is untrue of what was told.
  private static func wrong(_ death: Recording.Death) -> [String] {
    var wrong: [String] = []
    let before = reports(death.before)
    let after = reports(death.after)
    if before.values.filter({ !ends($0).isEmpty }).count > death.ends {
      wrong.append("more has ended than the agent said")
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
      if events.count != before[run]?.count, !isTrue(end, wasHalted: death.halted.contains(run)) {
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
