import VoiceConverse
import VoiceCore
import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// However a stream is cut, it gives the same lines, and a line holds no line end.
@Sendable func readLines(_ bytes: [UInt8]) {
  func pieces(cutAt cuts: [Int]) -> [LineSplitter.Piece] {
    var splitter = LineSplitter(limit: 512)
    var pieces: [LineSplitter.Piece] = []
    var start = 0
    for cut in cuts + [bytes.count] {
      pieces += splitter.append(Array(bytes[start..<cut]))
      start = cut
    }
    return pieces
  }
  let whole = pieces(cutAt: [])
  precondition(pieces(cutAt: [bytes.count / 2]) == whole, "a cut in the middle changed the lines")
  precondition(pieces(cutAt: Array(bytes.indices)) == whole, "cuts everywhere changed the lines")
  for case .line(let line) in whole {
    precondition(!line.isEmpty && !line.contains(0x0A) && line.count <= 512, "a line is none")
  }
}

/// A child that says these lines, with a user who does something wherever a line begins with “!”: whatever comes, each run
/// ends once, nothing is told of it afterwards, and what was opened in it is closed.
func driveChild<Dialect: ChildDialect>(_ dialect: Dialect.Type, _ bytes: [UInt8]) {
  var driver = ChildDriver<Dialect>()
  driver.act(UInt8(ascii: "n"))
  driver.tell { $0.launched() }
  for line in bytes.split(separator: 0x0A) {
    if line.first == UInt8(ascii: "!") {
      driver.act(line.dropFirst().first ?? 0)
    } else {
      driver.tell { $0.receive(Array(line)) }
    }
  }
  driver.tell { $0.shutDown() }
  driver.checkEnds()
}

private struct ChildDriver<Dialect: ChildDialect> {
  private var session = ChildSession<Dialect>(
    settings: ChildAgentSpecification.presets[0].settings(
      in: AgentEnvironment(workingFolder: "/home/dev/project", executablePath: "")))
  private var runs = 0
  private var events: [RunID: [AgentEvent]] = [:]

  let instruction = Instruction(id: InstructionID(rawValue: 1), text: "do it", heard: nil, source: .keyboard)

  private var run: RunID { RunID(rawValue: runs) }

  mutating func nextRun() -> RunID {
    runs += 1
    return run
  }

  mutating func tell(_ change: (inout ChildSession<Dialect>) -> [ChildEffect]) {
    for effect in change(&session) {
      switch effect {
      case .post(.agentReported(let run, let event)): events[run, default: []].append(event)
      case .serve(let request): tell { $0.served(request, .success([:])) }
      case .launch: tell { $0.launched() }
      case .send(let bytes):
        precondition(
          Dialect.lifetime == .turn || (bytes.last == 0x0A && JSON(parsing: bytes) != nil), "a message is no line")
      case .post, .closeInput, .terminate, .terminateAtOnce, .arm: break
      }
    }
  }

  mutating func act(_ operation: UInt8) {
    let run = run
    let instruction = instruction
    switch operation {
    case UInt8(ascii: "n"):
      let next = nextRun()
      tell { $0.start(next, instruction) }
    case UInt8(ascii: "c"): tell { $0.cancel(run) }
    case UInt8(ascii: "a"), UInt8(ascii: "r"):
      for case .permissionRequested(let request) in events[run] ?? [] {
        tell { $0.answer(request.id, of: run, with: operation == UInt8(ascii: "a") ? .allowAlways : .rejectOnce) }
      }
    case UInt8(ascii: "q"):
      for case .questionAsked(let question) in events[run] ?? [] {
        tell { $0.answer(question.id, of: run, with: .text(text: "yes")) }
      }
    case UInt8(ascii: "s"): tell { $0.steer(run, instruction) }
    case UInt8(ascii: "o"): tell { $0.outputEnded() }
    case UInt8(ascii: "d"): tell { $0.ended(.exited(code: 1, errorTail: "")) }
    default: tell { $0.open() }
    }
  }

  func checkEnds() {
    for run in 1...runs {
      let told = events[RunID(rawValue: run)] ?? []
      var open: Set<String> = []
      for (index, event) in told.enumerated() {
        switch event {
        case .toolStarted(let tool): precondition(open.insert(tool.id).inserted, "a tool started twice")
        case .toolFinished(let id, _): precondition(open.remove(id) != nil, "a tool finished that did not run")
        case .turnEnded:
          // A steered instruction may be refused after its run, by nobody but the session itself.
          let rest = told[(index + 1)...].filter { if case .steeringRefused = $0 { false } else { true } }
          precondition(rest.isEmpty, "something was told after the end")
        default: break
        }
      }
      precondition(open.isEmpty, "a tool was left open")
      let ends = told.filter { if case .turnEnded = $0 { true } else { false } }
      precondition(ends.count == 1, "a run ended \(ends.count) times")
    }
  }
}
