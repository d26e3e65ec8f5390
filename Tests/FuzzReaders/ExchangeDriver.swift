import VoiceConverse
import VoiceCore
import VoiceVocabulary

extension FuzzReader {
  /// Be the network and the user of an agent: the bytes are cut at each 0xFF into what the server says to one request after
  /// the other. Two runs follow one another; each must end once, with nothing behind its end.
  static func drive<Dialect: HTTPDialect>(_ dialect: Dialect, _ bytes: [UInt8]) {
    var driver = ExchangeDriver(HTTPExchange(dialect), bytes)
    driver.step { $0.open() }
    for number in 1...2 {
      let run = RunID(rawValue: number)
      let instruction = Instruction(
        id: InstructionID(rawValue: number), text: number == 1 ? "hello" : "/regenerate", heard: nil, source: .keyboard)
      driver.step { $0.start(run, instruction) }
      driver.step { $0.stop(run) }
      driver.failWhatIsOpen()
      precondition(driver.ended == number, "a run did not end, or ended twice")
    }
    driver.step { $0.shutDown() }
    precondition(driver.ended == 2, "the end of the session ended a run that was over")
  }
}

private struct ExchangeDriver<Dialect: HTTPDialect> {
  private var exchange: HTTPExchange<Dialect>
  private var answers: ArraySlice<ArraySlice<UInt8>>
  private var openCalls: [Int] = []
  private var openTools: Set<String> = []
  private var decisions = 0
  private var requests = 0
  private(set) var ended = 0

  init(_ exchange: HTTPExchange<Dialect>, _ bytes: [UInt8]) {
    self.exchange = exchange
    answers = bytes.split(separator: 0xFF, omittingEmptySubsequences: false)[...]
  }

  mutating func step(_ decide: (inout HTTPExchange<Dialect>) -> [HTTPExchange<Dialect>.Effect]) {
    var effects = decide(&exchange)[...]
    while let effect = effects.popFirst() { effects += perform(effect) }
  }

  mutating func failWhatIsOpen() {
    for call in openCalls {
      step { $0.receive(.ended(.failed(HTTPFailure(kind: .brokenOff, detail: "over"))), of: call) }
    }
    openCalls = []
  }

  private mutating func perform(_ effect: HTTPExchange<Dialect>.Effect) -> [HTTPExchange<Dialect>.Effect] {
    switch effect {
    case .keep, .save: return []
    case .withdraw(let call): return exchange.receive(.hasLeft, of: call)
    case .cancel(let call):
      openCalls.removeAll { $0 == call }
      return []
    case .send(let call, let request):
      requests += 1
      precondition(requests < 200, "requests go on without an end")
      openCalls.append(call)
      return serve(call, isStream: request.headers.contains("Accept: text/event-stream"))
    case .connect(let call, _, _):
      openCalls.append(call)
      return serveMessages(call)
    case .post(.agentReported(let run, let event)): return take(event, run)
    case .post: return []
    }
  }

  private mutating func serve(_ call: Int, isStream: Bool) -> [HTTPExchange<Dialect>.Effect] {
    // What no answer is left for stays open.
    guard let answer = answers.popFirst() else { return [] }
    let type = isStream ? "text/event-stream" : "application/json"
    var effects = exchange.receive(
      .head(HTTPHead(status: 200, headers: ["content-type": type, "x-stream-id": "s"])), of: call)
    let middle = answer.startIndex + answer.count / 3
    for part in [answer[..<middle], answer[middle...]] where !part.isEmpty {
      effects += exchange.receive(.bytes(Array(part)), of: call)
    }
    effects += exchange.receive(.ended(.complete), of: call)
    openCalls.removeAll { $0 == call }
    return effects
  }

  private mutating func serveMessages(_ call: Int) -> [HTTPExchange<Dialect>.Effect] {
    guard let answer = answers.popFirst() else { return [] }
    var effects = exchange.receive(.head(HTTPHead(status: 200)), of: call)
    for message in answer.split(separator: 0x0A) { effects += exchange.receive(.bytes(Array(message)), of: call) }
    effects += exchange.receive(.ended(.complete), of: call)
    openCalls.removeAll { $0 == call }
    return effects
  }

  private mutating func take(_ event: AgentEvent, _ run: RunID) -> [HTTPExchange<Dialect>.Effect] {
    precondition(run.rawValue == ended + 1, "something was told of a run that is over")
    switch event {
    case .turnEnded:
      precondition(openTools.isEmpty, "a tool was left open")
      ended += 1
    case .toolStarted(let tool): precondition(openTools.insert(tool.id).inserted, "a tool started twice")
    case .toolFinished(let id, _): precondition(openTools.remove(id) != nil, "a tool ended that had not started")
    case .text(let delta), .thought(let delta): precondition(!delta.isEmpty, "nothing was said")
    case .permissionRequested(let request):
      decisions += 1
      return exchange.decide(request.id, of: run, decisions.isMultiple(of: 3) ? .rejectOnce : .allowOnce)
    case .questionAsked(let question):
      decisions += 1
      let answer: AgentQuestion.Answer =
        question.options.isEmpty ? .text(text: "yes") : decisions.isMultiple(of: 3) ? .declined : .options(indices: [0])
      return exchange.decide(question.id, of: run, answer)
    default: break
    }
    return []
  }
}
