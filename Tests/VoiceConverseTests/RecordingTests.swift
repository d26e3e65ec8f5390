import Testing
import VoiceConverse
import VoiceJSON
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

    func pieces(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
      switch self {
      case .wholeLines: return [bytes]
      case .singleBytes: return bytes.map { [$0] }
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

  static func play(_ name: String, cut: Cut) throws -> Played {
    let data = try Data(contentsOf: URL(filePath: "\(Fixtures.recordings)/\(name).jsonl"))
    let entries = try data.split(separator: 0x0A).map { try #require(JSON(parsing: $0)) }
    switch name.split(separator: "/").first {
    case "codex" where name == "codex/exec":
      return RecordingReplay<CodexExecDialect>(entries, cut, Self.codexExec).play()
    case "a2a": return ExchangeReplay(entries, cut, messageName: "m").play()
    case "claude": return RecordingReplay<ClaudeDialect>(entries, cut, Self.claude).play()
    case "codex": return RecordingReplay<CodexDialect>(entries, cut, Self.codex).play()
    default: return RecordingReplay<ACPDialect>(entries, cut, Self.acp).play()
    }
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

/// Plays the agent's side of a recording against a session, and the client's side as calls.
private final class RecordingReplay<Dialect: ChildDialect> {
  typealias Reading = (JSON, [String: String], String?) -> Recording.Operation?

  private let entries: [JSON]
  private let cut: Recording.Cut
  private let reading: Reading
  private var events: [VoiceEvent] = []
  private var runs = 0
  private var session: ChildSession<Dialect>
  private var splitter = LineSplitter(limit: ConverseLimits.lineBytes)
  private var transcript = Transcript()
  /// Our request numbers by the recording's.
  private var numbers: [JSON: JSON] = [:]
  private var lastSent: JSON?
  private var openPermission: PermissionRequest?
  private var openQuestion: AgentQuestion?
  private var optionKinds: [String: String] = [:]
  private var generator: SeededGenerator

  init(_ entries: [JSON], _ cut: Recording.Cut, _ reading: @escaping Reading) {
    self.entries = entries
    self.cut = cut
    self.reading = reading
    let messages = entries.map { $0["msg"] ?? .null }
    let chosen = messages.lazy.compactMap { $0["params"]?["modeId"]?.string }.first
    let current = messages.lazy.compactMap {
      $0["result"]?["modes"]?["currentModeId"]?.string
        ?? $0["response"]?["response"]?["current_permission_mode"]?.string
    }.first
    session = ChildSession(
      settings: .init(name: "agent", workingFolder: "/home/dev/project", preferredMode: chosen ?? current))
    if case .random(let seed) = cut {
      generator = SeededGenerator(seed: seed)
    } else {
      generator = SeededGenerator(seed: 0)
    }
  }

  func play() -> Recording.Played {
    perform(session.open())
    for entry in entries {
      let message = entry["msg"] ?? .null
      if entry["dir"]?.string == "in" { client(message) } else { agent(message) }
    }
    return .init(lines: transcript.text, events: events, runs: runs)
  }

  /// The first session that the recording opens; some open another one later.
  private var firstSession: String? {
    entries.lazy.compactMap { $0["msg"]?["result"] }.compactMap {
      $0["sessionId"]?.string ?? $0["thread"]?["id"]?.string
    }.first
  }

  private func client(_ message: JSON) {
    guard let operation = reading(message, optionKinds, firstSession) else { return }
    let run = RunID(rawValue: runs)
    lastSent = nil
    switch operation {
    case .launch: perform(session.launched())
    case .request: return pair(message, with: lastRequest)
    case .exit: perform(session.ended(.exited(code: 0, errorTail: "")))
    case .start:
      runs += 1
      perform(session.start(RunID(rawValue: runs), Instruction("instruction \(runs)")))
    case .cancel: perform(session.cancel(run))
    case .steer(let text): perform(session.steer(run, Instruction(text)))
    case .choose(let choice):
      guard let permission = openPermission.take() else { return }
      perform(session.answer(permission.id, of: run, with: choice))
    case .answer(let labels):
      guard let question = openQuestion.take() else { return }
      let indices = labels.compactMap { label in question.options.firstIndex { $0.label == label } }
      perform(session.answer(question.id, of: run, with: .options(indices: indices)))
    }
    pair(message, with: lastSent)
  }

  private var lastRequest: JSON?

  /// The recorded request is the one that the session sent last.
  private func pair(_ message: JSON, with ours: JSON?) {
    if let recorded = message["id"] ?? message["request_id"], let ours { numbers[recorded] = ours }
  }

  private func agent(_ message: JSON) {
    var message = message
    if message["method"] == nil, message["id"] != nil, case .object(var members) = message {
      members["id"] = numbers[message["id"] ?? .null] ?? 999_999
      message = .object(members)
    }
    for option in message["params"]?["options"]?.elements ?? [] {
      optionKinds[option["optionId"]?.string ?? ""] = option["kind"]?.string
    }
    for part in cut.pieces(of: message.bytes + [0x0A], &generator) {
      for case .line(let line) in splitter.append(part) { perform(session.receive(line)) }
    }
  }

  private func perform(_ effects: [ChildEffect]) {
    for effect in effects {
      switch effect {
      case .post(let event):
        events.append(event)
        if case .agentReported(_, .permissionRequested(let request)) = event { openPermission = request }
        if case .agentReported(_, .questionAsked(let question)) = event { openQuestion = question }
        transcript.write(event)
      case .send(let bytes):
        guard let message = JSON(parsing: bytes) else {
          transcript.add("-> \(String(decoding: bytes, as: UTF8.self))")
          continue
        }
        if message["method"] != nil || message["request"] != nil, let id = message["id"] ?? message["request_id"] {
          lastSent = id
          lastRequest = id
        }
        let method = message["method"]?.string ?? message["type"]?.string ?? "answer"
        transcript.add("-> \(method) \(String(decoding: (message["params"] ?? message).bytes, as: UTF8.self))")
      case .launch: transcript.add("launch")
      case .closeInput: transcript.add("close the input")
      case .terminate, .terminateAtOnce: transcript.add("hang up")
      case .serve(let request): transcript.add("serve \(request.path)")
      case .arm: break
      }
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
