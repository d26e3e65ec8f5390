import Testing
import VoiceConverse
import VoiceJSON
import VoiceLanguage
import VoiceReplay
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Everything that real agents wrote, through the whole pure part: the client must make of it what stands beside it.
struct RecordingTests {
  static let names = [
    "acp/agentao", "acp/claude-code-py", "acp/deepagents", "acp/echo", "acp/fast-agent", "acp/fast-agent-nofs",
    "acp/gptme", "acp/hermes", "acp/openhands", "acp/vibe", "acp/vibe-ask", "claude/ask-user-question",
    "claude/bad-resume", "claude/error-400", "claude/error-529", "claude/permission-always", "claude/plan-mode",
    "claude/stream-json", "codex/app-server", "codex/patch", "codex/older", "codex/exec",
    "a2a/release-0.3", "a2a/release-1.0",
  ]

  @Test(arguments: names) func aRecordedAgentIsUnderstoodAsWrittenDown(_ name: String) throws {
    let found = try Recording.play(name, cut: .wholeLines).lines
    let path = "\(Fixtures.recordings)/\(name).events"
    if ProcessInfo.processInfo.environment["PARLEY_ACCEPT_RECORDINGS"] != nil {
      try Data(found.utf8).write(to: URL(filePath: path))
    }
    let expected = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(found == expected)
  }

  @Test(arguments: names) func bytesMayArriveOneByOne(_ name: String) throws {
    #expect(try Recording.play(name, cut: .singleBytes).lines == Recording.play(name, cut: .wholeLines).lines)
  }

  @Test(arguments: names) func bytesMayArriveInAnyPieces(_ name: String) throws {
    let whole = try Recording.play(name, cut: .wholeLines).lines
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(try Recording.play(name, cut: .random(seed: seed)).lines == whole, "seed \(seed)")
    }
  }

  @Test(arguments: names.filter { $0 != "claude/bad-resume" })
  func everyRunEndsOnceAndNothingFollowsIt(_ name: String) throws {
    let played = try Recording.play(name, cut: .wholeLines)
    #expect(played.runs > 0)
    for run in 1...played.runs {
      let events = Journal.reports(of: RunID(rawValue: run), in: played.events)
      let ends = events.indices.filter { if case .turnEnded = events[$0] { true } else { false } }
      #expect(ends == [events.count - 1])
      #expect(events.first == .turnStarted)
      // Whatever was opened is closed.
      for case .toolStarted(let tool) in events {
        #expect(events.contains { if case .toolFinished(tool.id, _) = $0 { true } else { false } }, "\(tool.title)")
      }
    }
  }
}

/// A recording played against a session.
enum Recording {
  enum Cut: Equatable {
    case wholeLines, singleBytes
    case random(seed: UInt64)
    /// The agent dies after each byte; or else after each line, and in the middle of it.
    case deaths(everyByte: Bool)

    func pieces(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
      switch self {
      case .wholeLines: return [bytes]
      case .singleBytes, .deaths(everyByte: true): return bytes.map { [$0] }
      case .deaths(everyByte: false):
        let middle = bytes.count / 2
        return [Array(bytes[..<middle]), Array(bytes[middle...])]
      case .random:
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let piece = rest.prefix(Int.random(in: 1...97, using: &generator))
          pieces.append(Array(piece))
          rest = rest.dropFirst(piece.count)
        }
        return pieces
      }
    }
  }

  struct Played {
    var lines: String
    var events: [VoiceEvent]
    var runs: Int
  }

  /// What came of it that the agent died at some place, and of the next agent.
  struct Death {
    /// How many bytes it had written, and of how many turns it had said that they are over.
    var place, ends: Int
    /// The runs that had been halted.
    var halted: Set<RunID>
    /// What was told before it died, and all in all.
    var before, after: [VoiceEvent]
    /// How often the instruction of each run went out, to the one or the other.
    var sent: [RunID: Int]
    /// The run that was started behind it.
    var last: RunID
  }

  /// - Parameter judge: gets each death, if the agent is to die.
  static func play(_ name: String, cut: Cut, judge: @escaping (Death) -> Void = { _ in }) throws -> Played {
    let data = try Data(contentsOf: URL(filePath: "\(Fixtures.recordings)/\(name).jsonl"))
    let entries = try data.split(separator: 0x0A).map { try #require(JSON(parsing: $0)) }
    switch name.split(separator: "/").first {
    case "codex" where name == "codex/exec": return played(CodexExecDialect.self, entries, cut, judge, Self.codexExec)
    case "a2a": return try ExchangeReplay(entries, cut, messageName: "m").play()
    case "claude": return played(ClaudeDialect.self, entries, cut, judge, Self.claude)
    case "codex": return played(CodexDialect.self, entries, cut, judge, Self.codex)
    default: return played(ACPDialect.self, entries, cut, judge, Self.acp)
    }
  }

  private static func played<Dialect: ChildDialect>(
    _ dialect: Dialect.Type, _ entries: [JSON], _ cut: Cut, _ judge: @escaping (Death) -> Void,
    _ reading: @escaping RecordingReplay<Dialect>.Reading
  ) -> Played {
    var replay = RecordingReplay<Dialect>(entries, cut, judge: judge, reading)
    return replay.play()
  }

  /// What a recorded client did, in the words of the port.
  enum Operation {
    case launch, start, cancel
    case steer(String)
    case choose(PermissionRequest.Choice)
    case answer([String])
    /// A request of which only the answer matters.
    case request
    /// The child ended by itself.
    case exit
  }

  private static func acp(_ message: JSON, _ kinds: [String: String], _ session: String?) -> Operation? {
    switch message["method"]?.string {
    case "initialize": return .launch
    case "session/new", "session/set_mode": return .request
    case "session/prompt": return message["params"]?["sessionId"]?.string == session ? .start : nil
    case "session/cancel": return .cancel
    case nil:
      guard let option = message["result"]?["outcome"]?["optionId"]?.string else { return nil }
      switch kinds[option] {
      case "allow_once": return .choose(.allowOnce)
      case "allow_always": return .choose(.allowAlways)
      case "reject_always": return .choose(.rejectAlways)
      default: return .choose(.rejectOnce)
      }
    default: return nil
    }
  }

  private static func claude(_ message: JSON, _ kinds: [String: String], _ session: String?) -> Operation? {
    switch (message["type"]?.string, message["request"]?["subtype"]?.string) {
    case ("control_request", "initialize"): return .launch
    case ("control_request", "interrupt"): return .cancel
    case ("user", _): return .start
    case ("control_response", _):
      let answer = message["response"]?["response"] ?? .null
      if case .object(let answers)? = answer["updatedInput"]?["answers"] {
        return .answer(answers.values.compactMap(\.string))
      }
      if answer["behavior"]?.string == "deny" { return .choose(.rejectOnce) }
      return .choose(answer["updatedPermissions"] == nil ? .allowOnce : .allowAlways)
    default: return nil
    }
  }

  private static func codexExec(_ message: JSON, _ kinds: [String: String], _ session: String?) -> Operation? {
    switch message["process"]?.string {
    case "started": .launch
    case "instructed": .start
    case "ended": .exit
    default: nil
    }
  }

  private static func codex(_ message: JSON, _ kinds: [String: String], _ session: String?) -> Operation? {
    let isOurs = message["params"]?["threadId"]?.string == session
    switch message["method"]?.string {
    case "initialize": return .launch
    case "thread/start": return .request
    case "turn/start": return isOurs ? .start : nil
    case "turn/interrupt": return .cancel
    case "turn/steer": return .steer(message["params"]?["input"]?.elements.first?["text"]?.string ?? "")
    case nil:
      switch message["result"]?["decision"]?.string {
      case "accept": return .choose(.allowOnce)
      case "acceptForSession": return .choose(.allowAlways)
      case nil: return nil
      default: return .choose(.rejectOnce)
      }
    default: return nil
    }
  }
}

/// What a client made of a recording, one line for each event; text that belongs together in one.
struct Transcript {
  private(set) var lines: [String] = []

  /// As it stands in a file.
  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func add(_ line: String) { lines.append(line) }

  mutating func write(_ event: VoiceEvent) {
    switch event {
    case .agentReady(let agent):
      let capabilities = agent.capabilities.inOrder.map(\.rawValue).joined(separator: " ")
      lines.append("ready \(agent.name): \(capabilities)")
    case .agentUnavailable(let reason): lines.append("unavailable \(reason)")
    case .agentReported(let run, let event):
      if case .text(let delta) = event, let last = lines.last, last.hasPrefix("\(run.rawValue) text") {
        return lines[lines.count - 1] += delta.replacing("\n", with: "⏎")
      }
      if case .thought(let delta) = event, let last = lines.last, last.hasPrefix("\(run.rawValue) thought") {
        return lines[lines.count - 1] += delta.replacing("\n", with: "⏎")
      }
      lines.append("\(run.rawValue) \(Self.words(event).replacing("\n", with: "⏎"))")
    case .agentControlsTold(let controls):
      let settings = AgentSetting.allCases.compactMap { setting in
        controls[setting].map { "\(setting.rawValue) \($0.current ?? "?") of \($0.offered.count)" }
      }
      lines.append("controls: \((settings + ["commands \(controls.commands.count)"]).joined(separator: ", "))")
    default: break
    }
  }

  private static func words(_ event: AgentEvent) -> String {
    switch event {
    case .text(let delta): "text \(delta)"
    case .thought(let delta): "thought \(delta)"
    case .toolStarted(let tool): "tool started \(tool.kind): \(tool.title)"
    case .toolUpdated(_, let title): "tool updated \(title)"
    case .toolResult(_, let result):
      "tool did “\(result.title)”\(words(result.change)) [\(result.detail)] → \(result.output ?? "nothing told")"
    case .toolFinished(_, let outcome): "tool finished \(outcome)"
    case .permissionRequested(let request):
      "asks “\(request.title)” [\(request.detail)] \(request.choices.map(\.rawValue).joined(separator: " "))"
        + " \(words(request.subject))"
    case .questionAsked(let question): "question \(question.spoken) (\(question.selection))"
    case .questionWithdrawn(let id): "question withdrawn \(id.rawValue)"
    case .usage(let usage): "usage \(usage.inputTokens ?? -1) \(usage.outputTokens ?? -1)"
    case .plan(let entries): "plan \(entries.map { "\($0.text): \($0.status)" }.joined(separator: ", "))"
    case .permissionWithdrawn(let id): "withdrawn \(id.rawValue)"
    case .sessionReady(let session): "session \(session.rawValue)"
    case .steered(let instruction): "steered \(instruction.rawValue)"
    case .steeringRefused(_, let reason): "not steered: \(reason)"
    case .turnEnded(.failed(let reason)): "failed \(reason)"
    case .turnEnded(let end): "ended \(end)"
    default: "\(event)"
    }
  }

  private static func words(_ change: ChangeSummary?) -> String {
    change.map { " \($0.files) files +\($0.linesAdded) -\($0.linesRemoved)" } ?? ""
  }

  private static func words(_ subject: PermissionSubject) -> String {
    let change = words(subject.change)
    let paths = subject.paths.isEmpty ? "" : " paths \(subject.paths.joined(separator: " "))"
    return "<\(subject.kind)\(subject.command.map { " command \($0)" } ?? "")\(paths)\(change)>"
  }
}
