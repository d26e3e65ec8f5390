import VoiceCore
import VoiceVocabulary

/// What the agent begins by itself stands in the ledger as its own, from its beginning to its end, and is never handed to it.
struct OwnRunRule {
  private var current: RunID?

  /// What is broken by a step.
  mutating func check(_ event: VoiceEvent, _ actions: [VoiceAction], _ unseen: inout UnseenWorkRule) -> [String] {
    var entries = actions.compactMap { if case .noteInLedger(let entry) = $0 { entry } else { nil } }
    var broken: [String] = []
    switch event {
    case .agentStartedRun(let run, let text) where current == nil:
      current = run
      let isEntered = entries.contains {
        if case .entered(let instruction, run) = $0 {
          instruction.source == .agent && instruction.text == text
        } else {
          false
        }
      }
      if !isEntered { broken.append("run \(run), which the agent began by itself, is not in the ledger") }
      entries = []
    case .agentReported(let run, .turnEnded(let end)) where run == current:
      current = nil
      unseen.ended(end)
      let isClosed = entries.contains { if case .ended(run, _) = $0 { true } else { false } }
      if !isClosed { broken.append("run \(run), which the agent began by itself, has no end in the ledger") }
    default: break
    }
    for case .entered(_, let run) in entries { broken.append("run \(run) stands in the ledger as the agent's own") }
    for case .startRun(let run, let instruction) in actions where instruction.source == .agent || run.rawValue < 1 {
      broken.append("run \(run) was begun by the agent, and is handed to it")
    }
    return broken
  }
}
