import VoiceCore
import VoiceJSON
import VoiceReplay
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// Plays the agent's side of a recording against a session, and the client's side as calls.
struct RecordingReplay<Dialect: ChildDialect> {
  typealias Reading = (JSON, [String: String], String?) -> Recording.Operation?

  private let entries: [JSON]
  private var cut: Recording.Cut
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
  private var sent: [RunID: Int] = [:]
  private var halted: Set<RunID> = []
  /// How many bytes the agent has written.
  private var place = 0
  /// How many turns it has said the end of.
  private var ends = 0
  private let judge: (Recording.Death) -> Void

  init(
    _ entries: [JSON], _ cut: Recording.Cut, judge: @escaping (Recording.Death) -> Void = { _ in },
    _ reading: @escaping Reading
  ) {
    self.entries = entries
    self.cut = cut
    self.judge = judge
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

  mutating func play() -> Recording.Played {
    perform(session.open())
    for entry in entries {
      let message = entry["msg"] ?? .null
      if entry["dir"]?.string == "in" { client(message) } else { agent(message) }
    }
    return .init(lines: transcript.text, events: events, runs: runs)
  }

  /// The agent dies here; another is started for one more instruction, and opened as the recording has it.
  private func death() -> Recording.Death {
    var next = self
    next.cut = .wholeLines
    next.splitter = LineSplitter(limit: ConverseLimits.lineBytes)
    next.perform(next.session.outputEnded())
    next.perform(next.session.ended(.exited(code: 1, errorTail: "")))
    let last = next.startRun()
    for entry in entries {
      let message = entry["msg"] ?? .null
      if entry["dir"]?.string != "in" {
        next.agent(message)
      } else if case .start? = reading(message, optionKinds, firstSession) {
        break
      } else {
        next.client(message)
      }
    }
    return .init(
      place: place, ends: ends, halted: halted, before: events, after: next.events, sent: next.sent,
      last: last)
  }

  private mutating func startRun() -> RunID {
    runs += 1
    let run = RunID(rawValue: runs)
    perform(session.start(run, Instruction("instruction \(runs)")))
    return run
  }

  /// The first session that the recording opens; some open another one later.
  private var firstSession: String? {
    entries.lazy.compactMap { $0["msg"]?["result"] }.compactMap {
      $0["sessionId"]?.string ?? $0["thread"]?["id"]?.string
    }.first
  }

  private mutating func client(_ message: JSON) {
    guard let operation = reading(message, optionKinds, firstSession) else { return }
    let run = RunID(rawValue: runs)
    lastSent = nil
    switch operation {
    case .launch: perform(session.launched())
    case .request: return pair(message, with: lastRequest)
    case .exit: perform(session.ended(.exited(code: 0, errorTail: "")))
    case .start: _ = startRun()
    case .cancel:
      halted.insert(run)
      perform(session.cancel(run))
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
  private mutating func pair(_ message: JSON, with ours: JSON?) {
    if let recorded = message["id"] ?? message["request_id"], let ours { numbers[recorded] = ours }
  }

  private mutating func agent(_ message: JSON) {
    var message = message
    if message["method"] == nil, message["id"] != nil, case .object(var members) = message {
      members["id"] = numbers[message["id"] ?? .null] ?? 999_999
      message = .object(members)
    }
    for option in message["params"]?["options"]?.elements ?? [] {
      optionKinds[option["optionId"]?.string ?? ""] = option["kind"]?.string
    }
    for part in cut.pieces(of: message.bytes + [0x0A], &generator) {
      for case .line(let line) in splitter.append(part) {
        if Self.isEnd(message) { ends += 1 }
        perform(session.receive(line))
      }
      place += part.count
      if case .deaths = cut { judge(death()) }
    }
  }

  /// Whether an agent says with this that a turn is over, in any dialect.
  private static func isEnd(_ message: JSON) -> Bool {
    let types = ["result", "turn.completed", "turn.failed"]
    return types.contains(message["type"]?.string ?? "") || message["method"]?.string == "turn/completed"
      || message["result"]?["stopReason"] != nil || message["error"] != nil
  }

  private mutating func perform(_ effects: [ChildEffect]) {
    for effect in effects {
      switch effect {
      case .post(let event):
        events.append(event)
        if case .agentReported(_, .permissionRequested(let request)) = event { openPermission = request }
        if case .agentReported(_, .questionAsked(let question)) = event { openQuestion = question }
        transcript.write(event)
      case .send(let bytes):
        let text = String(decoding: bytes, as: UTF8.self)
        for run in 0..<max(runs, 1) where text.contains("instruction \(run + 1)") {
          sent[RunID(rawValue: run + 1), default: 0] += 1
        }
        guard let message = JSON(parsing: bytes) else {
          transcript.add("-> \(text)")
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
