import VoiceJSON
package import VoiceVocabulary

/// A server behind the port, as a pure value: what is asked of it and what it answers go in, effects come out.
///
/// A request is never repeated by itself. Each run ends exactly once; what comes later is ignored.
package struct HTTPExchange<Dialect: HTTPDialect>: Sendable {
  private enum Life: Sendable { case open, over }

  /// What is asked of the server, and what its answers mean.
  var dialect: Dialect
  private var life = Life.open
  private var probe: HTTPCall?
  private var run: Run?
  private var lastCall = 0
  private var toldSession: AgentSessionID?
  /// What takes the tokens of all requests out of words that are cut before they are told.
  var redaction: TokenRedaction? {
    didSet { run?.turn.redaction = redaction }
  }

  package init(_ dialect: Dialect) {
    self.dialect = dialect
    toldSession = dialect.session
  }

  // What the port is told.

  /// Ask the server whether it is there; `agentReady` or `agentUnavailable` follows.
  package mutating func open() -> [Effect] {
    guard life == .open, probe == nil else { return [] }
    return sendProbe(dialect.probe)
  }

  package mutating func start(_ id: RunID, _ instruction: Instruction) -> [Effect] {
    let refusal: String
    if life == .over {
      refusal = Self.overReason
    } else if run != nil {
      refusal = "\(dialect.server.kind) is still at work on the instruction before; this one was not sent."
    } else {
      run = Run(id: id, turn: HTTPTurn(redaction), waiting: instruction)
      // What the opening sets or looks for holds for the instruction, too.
      return probe == nil ? startWaiting() : []
    }
    return [Self.report(.turnEnded(end: .failed(reason: refusal)), id)]
  }

  /// Stop the work. The run is `cancelled` only where the server says so, or where nothing was under way there, be it that the
  /// request is taken back before any of it leaves; a stream whose closing would stop nothing is read on, so that the end of the
  /// work is known.
  package mutating func stop(_ id: RunID) -> [Effect] {
    guard run?.id == id, run?.progress != .stopping else { return [] }
    run?.progress = .stopping
    // An answer to a question from before the stop is of no interest any more.
    let forgotten =
      run?.isHandingOver == true ? [] : run?.question.take().map { [Effect.cancel(call: $0.number)] } ?? []
    if run?.hasLeft == false { return forgotten + end(.cancelled) }
    if let call = run?.leaving { return forgotten + [.withdraw(call: call)] }
    return forgotten + tellToStop()
  }

  private mutating func tellToStop() -> [Effect] {
    life == .over ? endLeft() : advance { $0.stop(&$1) } + endIfIdle(dialect.server.unstopped())
  }

  /// After a halt: what was to be handed over did not reach the server, or it did not take it.
  private mutating func endUntaken() -> [Effect] {
    if life == .over { return end(.cancelled) }
    return advance { $0.notTaken(&$1) } + endIfIdle(dialect.server.unstopped())
  }

  /// The user does not want to wait for the end of a stopped run any longer: the way to it is closed, and it may go on.
  package mutating func abandon(_ id: RunID) -> [Effect] {
    guard run?.id == id, run?.progress == .stopping else { return [] }
    return end(dialect.server.unstopped())
  }

  /// The user's answer to a permission request; one that is not open any more is ignored.
  package mutating func decide(
    _ permission: PermissionID, of id: RunID, _ choice: PermissionRequest.Choice, because reason: String? = nil
  ) -> [Effect] {
    guard isWorking(on: id), let asked = run?.turn.close(permission, choice) else { return [] }
    return advance { $0.decided(asked, choice, because: reason, &$1) } + endIfIdle(dialect.server.cutOff())
  }

  /// The user's answer to a question; one that is not open any more is ignored.
  package mutating func decide(_ question: QuestionID, of id: RunID, _ answer: AgentQuestion.Answer) -> [Effect] {
    guard isWorking(on: id) else { return [] }
    return advance { dialect, turn in
      if let form = turn.answer(question, answer) { dialect.decided(form, &turn) }
    } + endIfIdle(dialect.server.cutOff())
  }

  /// Whether this run goes on and was not halted.
  private func isWorking(on id: RunID) -> Bool { run?.id == id && run?.progress != .stopping }

  /// The program ends, and nothing is sent any more. What becomes of a run that goes on is not known, unless its instruction did not
  /// leave yet: that is taken back.
  package mutating func shutDown() -> [Effect] {
    life = .over
    guard let run else { return [] }
    guard run.hasLeft else { return end(.failed(reason: Self.overReason)) }
    guard !run.isTaken, let call = run.leaving else { return endLeft() }
    self.run?.progress = .stopping
    return [.withdraw(call: call)]
  }

  private mutating func endLeft() -> [Effect] { end(dialect.server.left(Self.overReason)) }

  private static var overReason: String { "The session is over." }

  // What the network brings.

  /// What came of the transfer of this number.
  package mutating func receive(_ event: HTTPEvent, of number: Int) -> [Effect] {
    if probe?.number == number { return receiveProbe(event) }
    let isStream = run?[stream: number] != nil
    guard isStream || run?.question?.number == number else { return [] }
    let isOpening = isStream && run?.isOpening == true
    let effects = isStream ? receiveStream(event, number) : receiveAnswer(event)
    guard run?.leaving == number, event.showsThatItLeft(overSocket: isOpening) else { return effects }
    run?.leaving = nil
    run?.isTaken = true
    return run?.progress == .stopping ? effects + tellToStop() : effects
  }

  private mutating func receiveStream(_ event: HTTPEvent, _ number: Int) -> [Effect] {
    if case .whole = run?[stream: number]?.reader { return receiveWhole(event, number) }
    switch event {
    case .head(let head):
      if case .waiting = run?[stream: number]?.reader { run?[stream: number]?.begin(head) }
      run?.isOpening = false
      var effects: [Effect] = []
      if let id = run?.id, run?.progress == .asked {
        run?.progress = .working
        effects.append(Self.report(.turnStarted, id))
      }
      return effects + advance { $0.streamStarted(head, &$1) }
    case .bytes(let bytes): return receive(bytes, number)
    case .ended(.complete):
      var effects: [Effect] = []
      if case .events(var reader) = run?[stream: number]?.reader, let last = reader.finish() {
        run?[stream: number]?.reader = .events(reader)
        effects += advance { $0.received(last, over: number, &$1) }
      }
      guard run?[stream: number] != nil else { return effects }
      run?[stream: number] = nil
      effects += advance { $0.streamEnded(&$1) }
      return effects + endIfIdle(dialect.server.cutOff())
    case .ended(.withdrawn):
      run?[stream: number] = nil
      return endUntaken()
    case .ended(.cancelled): return life == .over ? endLeft() : []
    case .hasLeft: return []
    case .ended(.refused(let head, let body)):
      return broke(number, dialect.server.refused(head, body, hasLeft: hasLeft))
    case .ended(.failed(let failure)): return broke(number, dialect.server.failed(failure, hasLeft: hasLeft))
    }
  }

  /// An answer in one piece came where a stream was asked for. Whoever gives it has the instruction.
  private mutating func receiveWhole(_ event: HTTPEvent, _ number: Int) -> [Effect] {
    switch run?[stream: number]?.take(event) {
    case .more?, .withdrawn?, nil: return []
    case .refused(let head, let body)?: return broke(number, dialect.server.refused(head, body, hasLeft: hasLeft))
    case .failed(let failure)?: return broke(number, dialect.server.failed(failure, hasLeft: hasLeft))
    case .answer(let head, let answer)?:
      let effects = answer.map { answer in advance { $0.receivedWhole(answer, over: number, &$1) } } ?? []
      return effects + endStream(number, dialect.server.noStream(head, answer))
    }
  }

  /// Whether the instruction was in a request that was sent, whole or in part.
  private var hasLeft: Bool { run?.hasLeft == true && run?.isOpening == false }

  /// A stream is over. That ends the run, unless it is told over another one, too.
  private mutating func endStream(_ number: Int, _ end: AgentTurnEnd) -> [Effect] {
    guard let run, run[stream: number] != nil else { return [] }
    guard run.streams.count > 1 else { return self.end(end) }
    self.run?[stream: number] = nil
    return [.cancel(call: number)] + (end.reason.isEmpty ? [] : [Self.report(.status(text: end.reason), run.id)])
  }

  /// A stream failed. A server that was told to stop may do so by hanging up, and answers the question for that still.
  private mutating func broke(_ number: Int, _ end: AgentTurnEnd) -> [Effect] {
    if run?.isHandingOver == true, run?.question != nil {
      // Whether the server has the instruction is what its answer tells.
      run?[stream: number] = nil
      return []
    }
    guard run?.progress == .stopping, run?.streams.count == 1 else {
      return endStream(number, run?.streams.count == 1 ? ofWork(end) : end)
    }
    run?[stream: number] = nil
    if case .failed = end { return endUntaken() }
    return endIfIdle(dialect.server.unstopped())
  }

  private func ofWork(_ end: AgentTurnEnd) -> AgentTurnEnd {
    // One that was never taken is not worked on, however much else is told.
    run?.progress == .working && hasLeft && run?.isHandingOver != true ? dialect.server.amidWork(end) : end
  }

  private mutating func receive(_ bytes: [UInt8], _ number: Int) -> [Effect] {
    var events: [ServerSentEvent]
    switch run?[stream: number]?.reader {
    case .messages?: events = [ServerSentEvent(data: String(decoding: bytes, as: UTF8.self))]
    case .events(var reader)?:
      // Emptied first, so that the reader's buffers are not copied.
      run?[stream: number]?.reader = .waiting
      do {
        events = try reader.append(bytes)
      } catch {
        return endStream(number, dialect.server.tooLong())
      }
      run?[stream: number]?.reader = .events(reader)
    case .waiting?, .whole?, nil: return []
    }
    var effects: [Effect] = []
    for event in events {
      effects += advance { $0.received(event, over: number, &$1) }
      guard run?[stream: number] != nil else { break }
    }
    return effects
  }

  private mutating func receiveAnswer(_ event: HTTPEvent) -> [Effect] {
    let server = dialect.server
    switch run?.question?.take(event) {
    case .more?, nil: return []
    case .refused(let head, let body)?: return endAsked(server.refused(head, body, hasLeft: hasLeft))
    case .failed(let failure)?: return endAsked(server.failed(failure, hasLeft: hasLeft))
    case .withdrawn?:
      run?.question = nil
      return endUntaken()
    case .answer(_, let answer)?:
      run?.question = nil
      guard let answer else { return endAsked(run?.isHandingOver == true ? server.cutOff() : server.strange()) }
      run?.isHandingOver = false
      return advance { $0.answered(answer, &$1) } + endIfIdle(server.cutOff())
    }
  }

  /// A question to the server failed. If it was the wish to stop, that is what was not confirmed; while the stream lives, it
  /// tells how the work ends.
  private mutating func endAsked(_ end: AgentTurnEnd) -> [Effect] {
    guard run?.progress == .stopping, let id = run?.id else { return self.end(ofWork(end)) }
    if run?.isHandingOver == true {
      run?.question = nil
      if case .failed = end { return endUntaken() }
      return self.end(dialect.server.unstopped())
    }
    run?.question = nil
    guard run?.streams.isEmpty == false else { return self.end(dialect.server.unstopped()) }
    return [Self.report(.status(text: dialect.server.notStopped), id)]
  }

  // The opening.

  private mutating func sendProbe(_ request: HTTPRequest) -> [Effect] {
    var request = request
    request.connectMilliseconds = ConverseLimits.probeMilliseconds
    request.silenceMilliseconds = ConverseLimits.probeMilliseconds
    let call = nextCall(.whole([]))
    probe = call
    return [.send(call: call.number, request)]
  }

  private mutating func receiveProbe(_ event: HTTPEvent) -> [Effect] {
    let outcome = probe?.take(event)
    if case .more? = outcome { return [] }
    probe = nil
    let opening: HTTPOpening
    switch outcome {
    case .more?, .withdrawn?, nil: return []
    case .failed(let failure)?: opening = .unavailable(reason: dialect.server.failed(failure, hasLeft: false).reason)
    case .refused(let head, let body)?:
      // That a server does not know the probe says nothing about the calls of a run.
      let isThere = [400, 404, 405].contains(head.status) && !ServerWords.refusesKey(body)
      opening =
        isThere
        ? dialect.opened(nil)
        : .unavailable(reason: dialect.server.refused(head, body, hasLeft: false).reason)
    case .answer(_, let answer)?: opening = dialect.opened(answer)
    }
    switch opening {
    case .ready:
      let agent = AgentDescription(
        name: dialect.server.kind, session: dialect.session, capabilities: dialect.capabilities)
      return [.post(.agentReady(agent: agent))] + tellControls() + startWaiting()
    case .ask(let request): return sendProbe(request)
    case .unavailable(let reason):
      return (run?.waiting == nil ? [] : end(.failed(reason: reason))) + [.post(.agentUnavailable(reason: reason))]
    }
  }

  // The run.

  private mutating func startWaiting() -> [Effect] {
    guard life == .open, let instruction = run?.waiting.take() else { return [] }
    return advance { $0.start(instruction, &$1) }
  }

  private mutating func nextCall(_ reader: HTTPCall.Reader) -> HTTPCall {
    lastCall += 1
    return HTTPCall(number: lastCall, reader: reader)
  }

  /// Let the dialect decide, and do what it wants.
  private mutating func advance(_ body: (inout Dialect, inout HTTPTurn) -> Void) -> [Effect] {
    guard var turn = run?.turn, let id = run?.id else { return [] }
    // The run gives its turn away for the time, so that its buffers are not copied.
    run?.turn = HTTPTurn()
    body(&dialect, &turn)
    let steps = turn.takeSteps()
    run?.turn = turn
    var effects: [Effect] = []
    if let session = dialect.session, session != toldSession {
      toldSession = session
      effects.append(Self.report(.sessionReady(session: session), id))
    }
    for step in steps { effects += perform(step, id) }
    return effects
  }

  private mutating func perform(_ step: HTTPTurn.Step, _ id: RunID) -> [Effect] {
    switch step {
    case .report(let event): return [Self.report(event, id)]
    case .keep(let record): return [.keep(record, of: id)]
    case .save(let file): return dialect.session.map { [.save(file, beside: $0, of: id)] } ?? []
    case .stream(let request): return begin(request)
    case .streamBeside(let request): return begin(request, keeping: ConverseLimits.streamsInRun - 1)
    case .socket(let request, let message, let hasInstruction):
      let call = nextCall(.messages)
      run?.isOpening = hasInstruction
      if hasInstruction { run?.leaving = call.number }
      return addStream(call, hasInstruction: hasInstruction) + [
        .connect(call: call.number, request, message: message)
      ]
    case .ask(let request, let hasInstruction):
      let call = nextCall(.whole([]))
      let before = run?.question.map { [Effect.cancel(call: $0.number)] } ?? []
      run?.question = call
      run?.isHandingOver = hasInstruction
      if hasInstruction {
        run?.hasLeft = true
        run?.leaving = call.number
      }
      return before + [.send(call: call.number, request)]
    case .endStream(let number, let end): return endStream(number, end)
    case .end(let end): return finish(end)
    }
  }

  private mutating func begin(_ request: HTTPRequest, keeping kept: Int = 0) -> [Effect] {
    let call = nextCall(.waiting)
    run?.leaving = call.number
    return addStream(call, keeping: kept) + [.send(call: call.number, request)]
  }

  /// Begin a stream in the place of those before, or beside so many of them.
  private mutating func addStream(_ call: HTTPCall, keeping kept: Int = 0, hasInstruction: Bool = true) -> [Effect] {
    let before = run?.streams.dropLast(kept) ?? []
    run?.streams.removeFirst(before.count)
    run?.streams.append(call)
    if hasInstruction { run?.hasLeft = true }
    return before.map { .cancel(call: $0.number) }
  }

  /// A run for which nothing is under way any more, neither at the server nor at the user, is over.
  ///
  /// A stopped run waits for no user; that it is idle here does not show that it is at the server.
  private mutating func endIfIdle(_ end: AgentTurnEnd) -> [Effect] {
    guard let run, run.streams.isEmpty, run.question == nil else { return [] }
    if run.progress == .stopping { return self.end(dialect.server.unstopped()) }
    return run.turn.waitsForUser ? [] : self.end(end)
  }

  private mutating func end(_ end: AgentTurnEnd) -> [Effect] { advance { $1.end(end) } }

  private mutating func finish(_ end: AgentTurnEnd) -> [Effect] {
    guard let current = run.take() else { return [] }
    var turn = HTTPTurn()
    dialect.ended(end, &turn)
    var effects = turn.takeSteps().compactMap { step -> Effect? in
      if case .keep(let record) = step { .keep(record, of: current.id) } else { nil }
    }
    // What the server sends after the end is of no interest.
    effects += (current.streams + [current.question].compactMap(\.self)).map { .cancel(call: $0.number) }
    return effects + [Self.report(.turnEnded(end: end), current.id)]
  }
}
