import VoiceLanguage
import VoiceVocabulary

/// What the agent's tools did in the newest run, as far as the agent tells: the answer to a user who asks while nothing is held.
package struct WorkRegion: Equatable, Sendable {
  /// A tool call that is over.
  private struct Call: Equatable, Sendable {
    let result: AgentToolResult
    let outcome: AgentTool.Outcome
  }

  /// The newest calls, oldest first.
  private var calls: [Call] = []
  /// Older calls, which are only counted.
  private var forgotten = 0
  /// What was told of calls that are not over.
  private var results: [String: AgentToolResult] = [:]
  private var changed: Set<String> = []
  private var counted = WorkTally()

  /// Another run began.
  mutating func begin() { self = WorkRegion() }

  /// The agent told something of the run.
  mutating func report(_ event: AgentEvent) {
    switch event {
    case .toolResult(let id, let result):
      // What is told of a call that is known replaces what was told before, however many there are.
      if results[id] != nil || results.count < Limits.rememberedCalls { results[id] = result }
    case .toolFinished(let id, let outcome): if let result = results.removeValue(forKey: id) { finish(result, outcome) }
    default: break
    }
  }

  private mutating func finish(_ result: AgentToolResult, _ outcome: AgentTool.Outcome) {
    calls.append(Call(result: result, outcome: outcome))
    if calls.count > Limits.rememberedCalls {
      calls.removeFirst()
      forgotten += 1
    }
    if outcome == .declined {
      counted.declined += 1
    } else if result.kind == "execute" {
      counted.commands += 1
      if outcome == .failed { counted.failedCommands += 1 }
    } else if outcome == .failed {
      counted.failedOthers += 1
    } else if result.change != nil || ["edit", "delete", "move"].contains(result.kind) {
      add(result)
    }
  }

  private mutating func add(_ result: AgentToolResult) {
    if changed.count < Limits.countedFiles { changed.formUnion(result.paths.isEmpty ? [result.title] : result.paths) }
    counted.linesAdded = counted.linesAdded.addingSaturated(result.change?.linesAdded ?? 0)
    counted.linesRemoved = counted.linesRemoved.addingSaturated(result.change?.linesRemoved ?? 0)
  }

  /// Whether the agent told of anything that was done.
  var isEmpty: Bool { calls.isEmpty }

  /// What was done, counted.
  var tally: WorkTally {
    var tally = counted
    tally.changedFiles = changed.count
    return tally
  }

  /// What was done, a line each, for the screen: every call with its change or its command, and what came of it. Of very much the
  /// newest.
  var lines: [String] {
    var lines = forgotten > 0 ? ["… \(Counted(forgotten, "earlier step").digits)"] : []
    for call in calls {
      lines.append(call.result.title + (call.outcome == .completed ? "" : "  (\(call.outcome.rawValue))"))
      lines += Self.lines(of: call.result.detail, newest: false)
      if let output = call.result.output { lines += Self.lines(of: output, newest: true).map { "> " + $0 } }
    }
    let left = lines.count - Limits.shownWorkLines
    return left > 0 ? ["… \(Counted(left, "line").digits) before"] + lines.suffix(Limits.shownWorkLines) : lines
  }

  /// As many lines of a text as are shown: its beginning, or its end.
  private static func lines(of text: String, newest: Bool) -> [String] {
    let lines = text.lines.filter { !$0.isEmpty }.map(String.init)
    let left = lines.count - Limits.shownResultLines
    guard left > 0 else { return lines }
    let note = "… \(Counted(left, "more line").digits)"
    return newest ? [note] + lines.suffix(Limits.shownResultLines) : lines.prefix(Limits.shownResultLines) + [note]
  }
}

extension WorkRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    for number in [
      calls.count, forgotten, results.count, changed.count, counted.commands, counted.failedCommands,
      counted.failedOthers, counted.declined,
    ] {
      digest.fold(number)
    }
    digest.fold(counted.linesAdded, counted.linesRemoved, calls.last?.result.title)
  }
}
