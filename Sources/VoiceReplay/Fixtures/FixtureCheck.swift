import VoiceCore
import VoiceFoundation
import VoiceJSON
import VoiceLanguage
import VoiceRecording
import VoiceVocabulary

extension Fixture {
  /// An hour: longer than any fixture waits.
  private static let longestMilliseconds = 3_600_000
  private static let longestList = 10_000

  /// What makes the script unusable, as a clause for people; nil if nothing does. Whatever passes here cannot stop the
  /// program.
  var defect: String? {
    if title.isEmpty { return "its title is empty" }
    if max(user.count, model.count, agent.count) > Self.longestList { return "it has over \(Self.longestList) steps" }
    for (index, step) in user.enumerated() {
      if let defect = defect(of: step) { return "step \(index + 1) of the user: \(defect)" }
    }
    for (index, answer) in model.enumerated() {
      if let times = answer.times, !(1...100).contains(times) {
        return "answer \(index + 1) comes \(Counted(times, "time").digits)"
      }
      if let says = answer.says, says.count > Limits.spokenPieceCharacters {
        return "answer \(index + 1) says more than \(Limits.spokenPieceCharacters) characters"
      }
    }
    for (index, steps) in agent.enumerated() {
      for step in steps {
        if let defect = defect(of: step) { return "run \(index + 1) of the agent: \(defect)" }
      }
    }
    for fault in faults ?? [] where fault.place == .anywhere { return "the fault “\(fault)” has no place" }
    return nil
  }

  /// Whether a recording lies anywhere but in the fixture's folder, or in `recordings` beside it: a fixture may be somebody else's.
  private static func leadsOut(_ recording: String) -> Bool {
    let shared = Array("../recordings/".utf8)
    let name = Array(recording.utf8)
    let rest = name.starts(with: shared) ? name[shared.count...] : name[...]
    // A sign that is written over a slash makes none another.
    return rest.first == UInt8(ascii: "/") || rest.contains(0)
      || rest.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }

  private func defect(of step: UserStep) -> String? {
    if case .say(let name, _) = step.do, Self.leadsOut(name) { return "\(name) is not a recording of its own" }
    if let times = step.times, !(1...Self.longestList).contains(times) {
      return "it awaits something \(Counted(times, "time").digits)"
    }
    if let after = step.after, let defect = defect(ofMilliseconds: after) { return defect }
    switch step.do {
    case .command(let line): return UserCommand(line: line) == nil ? "“\(line)” is not a command" : nil
    case .expireLink(let milliseconds): return defect(ofMilliseconds: milliseconds)
    case .refuseLink(let times): return (1...100).contains(times) ? nil : "\(times) attempts are refused"
    case .happen(let event):
      switch event {
      case .sessionStarted, .microphoneFrame, .timerFired: return "this event comes from the world alone"
      default: return nil
      }
    default: return nil
    }
  }

  private func defect(of step: AgentStep) -> String? {
    switch step {
    case .wait(let milliseconds): return defect(ofMilliseconds: milliseconds)
    case .permission(_, _, let choices, let allowed, let denied):
      if choices?.isEmpty ?? false { return "a permission has no choices" }
      return (allowed + denied).lazy.compactMap(defect).first
    case .question(_, let options, let otherwise):
      return (options.flatMap(\.steps) + otherwise).lazy.compactMap(defect).first
    case .report(.turnEnded): return "a run ends by itself, or with “fail”"
    default: return nil
    }
  }

  private func defect(ofMilliseconds count: Int) -> String? {
    (0...Self.longestMilliseconds).contains(count) ? nil : "\(count) ms is no time to wait"
  }
}
