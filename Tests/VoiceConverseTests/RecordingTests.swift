import Testing
import VoiceConverse
import VoiceCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Everything that real agents wrote, through the whole pure part: the client must make of it what stands beside it.
struct RecordingTests {
  static let names = [
    "agentao", "claude-code-py", "deepagents", "echo", "fast-agent", "fast-agent-nofs", "gptme", "hermes", "openhands",
    "vibe", "vibe-ask",
  ]

  @Test(arguments: names) func aRecordedAgentIsUnderstoodAsWrittenDown(_ name: String) throws {
    let replay = try RecordingReplay(name)
    let found = try replay.play(cut: .wholeLines)
    let path = "\(Fixtures.recordings)/\(name).events"
    if ProcessInfo.processInfo.environment["PARLEY_ACCEPT_RECORDINGS"] != nil {
      try Data(found.utf8).write(to: URL(filePath: path))
    }
    let expected = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(found == expected)
  }

  @Test(arguments: names) func bytesMayArriveOneByOne(_ name: String) throws {
    let replay = try RecordingReplay(name)
    #expect(try replay.play(cut: .singleBytes) == replay.play(cut: .wholeLines))
  }

  @Test(arguments: names) func everyRunEndsOnceAndNothingFollowsIt(_ name: String) throws {
    let replay = try RecordingReplay(name)
    _ = try replay.play(cut: .wholeLines)
    #expect(replay.runs > 0)
    for run in 1...replay.runs {
      let events = Journal.reports(of: RunID(rawValue: run), in: replay.events)
      let ends = events.indices.filter { if case .turnEnded = events[$0] { true } else { false } }
      #expect(ends == [events.count - 1])
      #expect(events.first == .turnStarted)
    }
  }
}

/// Plays the agent's side of a recording against a session, and the client's side as calls.
private final class RecordingReplay {
  enum Cut { case wholeLines, singleBytes }

  private(set) var events: [VoiceEvent] = []
  private(set) var runs = 0
  private let entries: [JSON]
  private var session: ACPSession
  private var splitter = LineSplitter()
  private var lines: [String] = []
  /// Our request numbers by the recording's.
  private var numbers: [Int: Int] = [:]
  private var sentRequests: [(method: String, id: Int)] = []
  private var openPermission: PermissionRequest?
  private var optionKinds: [String: String] = [:]

  init(_ name: String) throws {
    let data = try Data(contentsOf: URL(filePath: "\(Fixtures.recordings)/\(name).jsonl"))
    entries = try data.split(separator: 0x0A).map { try #require(JSON(parsing: $0)) }
    session = ACPSession(settings: .init(name: name, workingFolder: "/home/dev/project"))
  }

  func play(cut: Cut) throws -> String {
    events = []
    lines = []
    numbers = [:]
    sentRequests = []
    runs = 0
    let messages = entries.map { ($0["dir"]?.string, $0["msg"] ?? .null) }
    let chosen = messages.lazy.compactMap { $0.1["params"]?["modeId"]?.string }.first
    let current = messages.lazy.compactMap { $0.1["result"]?["modes"]?["currentModeId"]?.string }.first
    session = ACPSession(
      settings: .init(name: "agent", workingFolder: "/home/dev/project", preferredMode: chosen ?? current))
    perform(session.open())
    for (direction, message) in messages {
      if direction == "in" { client(message) } else { agent(message, cut) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func client(_ message: JSON) {
    let session = message["params"]?["sessionId"]?.string
    switch message["method"]?.string {
    case "initialize":
      perform(self.session.launched())
      pair(message)
    case "session/new", "session/set_mode": pair(message)
    case "session/prompt" where session == firstSession:
      runs += 1
      let text = message["params"]?["prompt"]?.elements.first?["text"]?.string ?? ""
      perform(self.session.start(RunID(rawValue: runs), Instruction(text)))
      pair(message)
    case "session/cancel": perform(self.session.cancel(RunID(rawValue: runs)))
    case nil:
      guard let option = message["result"]?["outcome"]?["optionId"]?.string, let permission = openPermission else {
        return
      }
      openPermission = nil
      perform(self.session.answer(permission.id, of: RunID(rawValue: runs), with: choice(option)))
    default: break
    }
  }

  private var firstSession: String? {
    entries.lazy.compactMap { $0["msg"]?["result"]?["sessionId"]?.string }.first
  }

  /// The recorded request is the one that the session sent last.
  private func pair(_ message: JSON) {
    if let recorded = message["id"]?.integer, let ours = sentRequests.last?.id { numbers[recorded] = ours }
  }

  private func agent(_ message: JSON, _ cut: Cut) {
    var message = message
    if message["method"] == nil, case .object(var members) = message {
      members["id"] = .integer(numbers[message["id"]?.integer ?? -1] ?? 999_999)
      message = .object(members)
    }
    for option in message["params"]?["options"]?.elements ?? [] {
      optionKinds[option["optionId"]?.string ?? ""] = option["kind"]?.string
    }
    let bytes = message.bytes + [0x0A]
    for part in cut == .wholeLines ? [bytes] : bytes.map({ [$0] }) {
      for case .line(let line) in splitter.append(part) { perform(session.receive(line)) }
    }
  }

  private func choice(_ option: String) -> PermissionRequest.Choice {
    switch optionKinds[option] {
    case "allow_once": .allowOnce
    case "allow_always": .allowAlways
    case "reject_always": .rejectAlways
    default: .rejectOnce
    }
  }

  private func perform(_ effects: [ACPSession.Effect]) {
    for effect in effects {
      switch effect {
      case .post(let event):
        events.append(event)
        write(event)
      case .send(let bytes):
        guard let message = JSON(parsing: bytes) else { continue }
        let method = message["method"]?.string ?? "answer"
        if let id = message["id"]?.integer, message["method"] != nil { sentRequests.append((method, id)) }
        lines.append("-> \(method) \(String(decoding: (message["params"] ?? message).bytes, as: UTF8.self))")
      case .launch: lines.append("launch")
      case .hangUp: lines.append("hang up")
      case .arm: break
      }
    }
  }

  private func write(_ event: VoiceEvent) {
    if case .agentReady(let agent) = event {
      lines.append("ready \(agent.name), \(agent.asksPermission ? "asks" : "is not known to ask")")
    }
    guard case .agentReported(let run, let event) = event else { return }
    if case .permissionRequested(let request) = event { openPermission = request }
    let words: String
    switch event {
    case .text(let delta):
      if let last = lines.last, last.hasPrefix("\(run.rawValue) text") {
        return lines[lines.count - 1] += delta.replacing("\n", with: "⏎")
      }
      words = "text \(delta)"
    case .thought(let delta): words = "thought \(delta)"
    case .toolStarted(let tool): words = "tool started \(tool.kind): \(tool.title)"
    case .toolUpdated(_, let title): words = "tool updated \(title)"
    case .toolFinished(_, let outcome): words = "tool finished \(outcome)"
    case .permissionRequested(let request):
      words = "asks “\(request.title)” [\(request.detail)] \(request.choices.map(\.rawValue).joined(separator: " "))"
    case .usage(let usage): words = "usage \(usage.inputTokens ?? -1) \(usage.outputTokens ?? -1)"
    case .plan(let entries): words = "plan \(entries.map { "\($0.text): \($0.status)" }.joined(separator: ", "))"
    case .permissionWithdrawn(let id): words = "withdrawn \(id.rawValue)"
    case .turnEnded(.failed(let reason)): words = "failed \(reason)"
    case .turnEnded(let end): words = "ended \(end)"
    default: words = "\(event)"
    }
    lines.append("\(run.rawValue) \(words.replacing("\n", with: "⏎"))")
  }
}
