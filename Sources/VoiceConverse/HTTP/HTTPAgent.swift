import VoiceSystem
package import VoiceVocabulary

/// An agent behind an HTTP server: the port, its transfers, and the thread they run on. What is said to the server and what
/// its answers mean is the dialect's.
///
/// A request is never repeated by itself. `run()` must be awaited beside the session; the connection's thread ends with
/// it.
package final class HTTPAgent<Dialect: HTTPDialect>: ConverseAgent {
  /// What lies around the dialect.
  package struct Environment: Sendable {
    /// A PEM file with the only authorities to be trusted; nil for the system's.
    package var certificateAuthorityFile: String?
    /// nil leaves each request its own.
    package var silenceMilliseconds: Int?
    /// Where conversations are kept that the server does not keep.
    package var store: ConversationStore?
    /// Keeps the one that is gone on with for this process.
    package var lock: ConversationLock?
    package var tap: WireTap?
    package var pace = ReadingPace.unlimited
  }

  /// What a call of the exchange runs on.
  private enum Line: Sendable {
    case starting
    case transfer(HTTPStream.Transfer)
    case socket(HTTPSockets.Socket)
  }

  private struct State: Sendable {
    var exchange: HTTPExchange<Dialect>
    /// Calls under way, by their number.
    var lines: [Int: Line] = [:]
    /// Keeps the conversation that began here for this process.
    var lock: ConversationLock?
    /// What could not be written so far, oldest first: what follows builds on it.
    var unwritten: [ConversationRecord] = []
  }

  private let environment: Environment
  private let http: HTTPStream
  private let sockets: HTTPSockets
  private let receiver: @Sendable (VoiceEvent) -> Void
  /// What is told goes through it, in its order.
  private let redaction = Locked(AnswerRedaction())
  private let state: OrderedEffects<State, HTTPExchange<Dialect>.Effect>
  private let end: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  /// - Parameter post: may be called on any thread.
  package init(
    _ dialect: Dialect, in environment: Environment = Environment(), post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.environment = environment
    receiver = post
    http = HTTPStream(certificateAuthorityFile: environment.certificateAuthorityFile)
    sockets = HTTPSockets(certificateAuthorityFile: environment.certificateAuthorityFile)
    state = OrderedEffects(State(exchange: HTTPExchange(dialect)))
    (end, ending) = AsyncStream.makeStream()
  }

  package func openAgent() { step { $0.open() } }

  package func startRun(_ run: RunID, _ instruction: Instruction) { step { $0.start(run, instruction) } }

  package func cancelRun(_ run: RunID) { step { $0.stop(run) } }

  package func abandonRun(_ run: RunID) { step { $0.abandon(run) } }

  package func changeAgent(_ setting: AgentSetting, to value: String) { step { $0.change(setting, to: value) } }

  package func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) {
    step { $0.decide(permission, of: run, choice, because: reason) }
  }

  package func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {
    step { $0.decide(question, of: run, answer) }
  }

  package func run() async {
    await withTaskCancellationHandler {
      for await _ in end {}
    } onCancel: {
      shutDown()
    }
    await http.close()
    sockets.stop()
    guard let store = environment.store else { return }
    do {
      try writeKept(to: store)
    } catch {
      // That it cannot be written was told when it came.
    }
  }

  package func shutDown() {
    step { $0.shutDown() }
    ending.finish()
  }

  /// A receiver of an event may call the port.
  private func step(
    by source: EffectSource = .caller, _ decide: (inout HTTPExchange<Dialect>) -> [HTTPExchange<Dialect>.Effect]
  ) {
    state.step(by: source, { decide(&$0.exchange) }, perform: perform)
  }

  private func perform(_ effect: HTTPExchange<Dialect>.Effect) {
    switch effect {
    case .post(let event): post(event)
    case .keep(let record, let run): keep(record, of: run)
    case .save(let file, let conversation, let run): save(file, beside: conversation, of: run)
    case .send(let call, var request):
      know(request)
      environment.tap?(.sent(redaction.withLock { $0.redacted(request.body) }))
      if let longest = environment.silenceMilliseconds {
        request.silenceMilliseconds = min(request.silenceMilliseconds, longest)
      }
      begin(call) { receive in .transfer(http.start(request, receive: recordingLines(receive))) }
    case .connect(let call, let request, let message):
      know(request)
      environment.tap?(.sent(redaction.withLock { $0.redacted(Array(message.utf8)) }))
      begin(call) { receive in .socket(sockets.connect(request, message: message, receive: recording(receive))) }
    case .withdraw(let call):
      switch state.withLock({ $0.lines[call] }) {
      case .transfer(let transfer)?: http.withdraw(transfer)
      case .socket(let socket)?: receive(socket.withdraw() ? .ended(.withdrawn) : .hasLeft, of: call)
      case .starting?: preconditionFailure("a call was withdrawn while it was being started")
      case nil: break
      }
    case .cancel(let call):
      switch state.withLock({ $0.lines.removeValue(forKey: call) }) {
      case .transfer(let transfer)?: http.cancel(transfer)
      case .socket(let socket)?: socket.close()
      case .starting?: preconditionFailure("a call was cancelled while it was being started")
      case nil: break
      }
    }
  }

  private func post(_ event: VoiceEvent) {
    for event in redaction.withLock({ $0.take(event) }) { receiver(event) }
  }

  /// The token goes with this request, and may come back from now on.
  private func know(_ request: HTTPRequest) {
    do throws(HTTPFailure) {
      guard let known = try request.credentialLine()?.redaction(of: .whole) else { return }
      let all = redaction.withLock { redaction in
        redaction.know(known)
        return redaction.known
      }
      state.withLock { $0.exchange.redaction = all }
    } catch {
      // Nothing is sent then, and the request's end says why.
    }
  }

  /// Start what a call runs on. Effects are performed one after the other, so its number is known before it can be
  /// cancelled.
  private func begin(_ call: Int, _ start: (@escaping @Sendable (HTTPEvent) -> Void) -> Line) {
    state.withLock { $0.lines[call] = .starting }
    let line = start { event in self.receive(event, of: call) }
    // It may be over by now.
    state.withLock { if $0.lines[call] != nil { $0.lines[call] = line } }
  }

  /// The same, with each message recorded.
  private func recording(_ receive: @escaping @Sendable (HTTPEvent) -> Void) -> @Sendable (HTTPEvent) -> Void {
    guard let tap = environment.tap else { return receive }
    return { [redaction] event in
      if case .bytes(let bytes) = event { tap(.received(redaction.withLock { $0.redacted(bytes) })) }
      receive(event)
    }
  }

  /// The same, with each line recorded once it is whole: a body comes in parts that may end in the middle of a word.
  private func recordingLines(_ receive: @escaping @Sendable (HTTPEvent) -> Void) -> @Sendable (HTTPEvent) -> Void {
    guard let tap = environment.tap else { return receive }
    let lines = Locked(LineSplitter(limit: ConverseLimits.eventBytes))
    return { [redaction] event in
      let pieces: [LineSplitter.Piece] =
        switch event {
        case .bytes(let bytes): lines.withLock { $0.append(bytes) }
        case .ended: lines.withLock { $0.finish() }.map { [$0] } ?? []
        default: []
        }
      for case .line(let line) in pieces { tap(.received(redaction.withLock { $0.redacted(line) })) }
      receive(event)
    }
  }

  private func receive(_ event: HTTPEvent, of call: Int) {
    if case .bytes = event { environment.pace.waitOnThread() }
    step(by: .reader) { $0.receive(event, of: call) }
    if case .ended = event { state.withLock { _ = $0.lines.removeValue(forKey: call) } }
  }

  private func save(_ file: AnswerFile, beside conversation: AgentSessionID, of run: RunID) {
    guard let store = environment.store else {
      let text = "The answer has a file (\(file.mediaType)), and there is no folder to keep it in."
      return post(.agentReported(run: run, event: .status(text: text)))
    }
    let text: String
    do throws(AgentError) {
      text = "The answer has a file (\(file.mediaType)): \(try store.save(file, beside: conversation))"
    } catch {
      text = error.description
    }
    post(.agentReported(run: run, event: .status(text: text)))
  }

  private func keep(_ record: ConversationRecord, of run: RunID) {
    guard let store = environment.store else { return }
    state.withLock { state in state.unwritten.append(redaction.withLock { $0.redacted(record) }) }
    do {
      try writeKept(to: store)
    } catch {
      let text = "\(error.description) It is tried again with what is added next, and at the end."
      return post(.agentReported(run: run, event: .status(text: text)))
    }
    do {
      guard environment.lock == nil, state.withLock({ $0.lock == nil }) else { return }
      let lock = try store.lock(record.conversation)
      state.withLock { $0.lock = lock }
    } catch {
      post(.agentReported(run: run, event: .status(text: error.description)))
    }
  }

  private func writeKept(to store: ConversationStore) throws(AgentError) {
    while let next = state.withLock({ $0.unwritten.first }) {
      try store.append(next)
      state.withLock { _ = $0.unwritten.removeFirst() }
    }
  }
}
