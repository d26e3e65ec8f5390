package import VoiceJSON
import VoiceLanguage
package import VoiceVocabulary

/// Everything that is decided about one child-process agent, over the life of as many children as it takes: what happened
/// comes in as a call, what is to be done goes out as effects. What the lines mean is the dialect's business. Pure and
/// without a clock.
package struct ChildSession<Dialect: ChildDialect>: Sendable {
  private(set) var settings: ChildSettings
  private(set) var dialect: Dialect
  private(set) var phase = ChildPhase.down
  private var opening = Opening.answered
  /// The session that the next child begins with.
  var start: AgentSessionStart
  /// Whether it was compared with the one that the child told.
  var isStartCompared = false
  /// How many children became ready.
  private(set) var timesReady = 0
  /// Whether this child became ready, and was handed an instruction.
  private(set) var (wasReady, wasAsked) = (false, false)
  /// Whether this child has carried out anything.
  private(set) var hasWorked = false
  /// The instruction in the agent's hands.
  var run: Run?
  /// What the agent began by itself. The instruction in its hands waits behind that.
  var own: Run?
  /// The run of this child that ended last, unless it was halted.
  var endedLast: RunID?
  /// How much it has begun by itself, and whether it will come back to something.
  var (ownCount, owes) = (0, false)
  /// Why the child is being ended, where it is not the user who wanted it.
  private var reasonOfEnd: String?
  /// Runs that wait for the agent, oldest first.
  private var waiting: [Waiting] = []
  /// To be told with the next run.
  private var notices: [String] = []
  /// What the agent is set to, as it was told last.
  var toldControls: AgentControls?
  private var check = CommandCheck()
  /// Whether it was told that the child sent what cannot be read.
  var toldOfUnreadable = false
  private var effects: [ChildEffect] = []

  package init(settings: ChildSettings) {
    self.settings = settings
    start = settings.start
    dialect = Dialect(settings, start: settings.start)
  }

  /// Do this, in the order of the decisions.
  mutating func act(_ effect: ChildEffect) { effects.append(effect) }

  /// Tell the session this of a run.
  mutating func report(_ events: [AgentEvent], of run: RunID) {
    effects += events.map { .post(.agentReported(run: run, event: $0)) }
  }

  /// The effects of a call, with those of the dialect.
  mutating func taken() -> [ChildEffect] {
    defer { effects = [] }
    return effects
  }

  /// Let the dialect do something, and do what it wants.
  mutating func tell(_ body: (inout Dialect) -> Void) {
    body(&dialect)
    let wanted = dialect.effects
    dialect.effects = []
    for effect in wanted { follow(effect) }
    // What the agent began by itself at the end of a turn goes before what waits.
    if wanted.contains(where: \.endsWork) { proceed() }
  }

  private mutating func follow(_ effect: DialectEffect) {
    switch effect {
    case .send(let bytes): act(.send(bytes))
    case .closeInput: act(.closeInput)
    case .ready: becomeReady()
    case .unusable(let reason): end(because: reason)
    case .report(let event):
      pass(event)
      if case .sessionReady(let session) = event { opened(session) }
    case .began(let reason): ownBegan(reason)
    case .withdrawn(let end): finishRun(end)
    case .owes(let work):
      owes = !work.isEmpty
      act(.post(.agentOwes(work: work)))
    case .endedAsking(let end, let asked, let reason):
      hasWorked = true
      endAsking(end, asked, reason)
    case .ended(let end):
      hasWorked = true
      // What an agent says that is being ended is of its own end: the run has stopped when no process is left.
      guard phase != .ending || !isHalted || (Dialect.lifetime == .turn && end == .completed) else { return }
      if let own { endOwn(own.state == .cancelling && end != .completed ? .cancelled : end) } else { turnEnded(end) }
      if Dialect.lifetime == .turn { terminate() }
    case .notice(let text): note(text)
    case .watch(let hook): act(.arm(.hook(hook), milliseconds: ConverseLimits.hookMilliseconds))
    case .controls(let controls): tell(of: controls)
    case .settingRefused(let setting, let value, let reason): refuse(setting, value, reason)
    case .serve(let request): act(.serve(request))
    case .stopChild: terminate(isUrgent: true)
    }
  }

  /// Tell it with the run that goes on, or with the next one.
  mutating func note(_ text: String) {
    if (own ?? run)?.state == .working { pass(.status(text: text)) } else { notices.append(text) }
  }

  /// The agent reports something of what it works on.
  mutating func pass(_ event: AgentEvent) {
    guard let id = own?.id ?? run?.id else { return }
    // In place: it may hold thousands of names, which are not to be copied for each event.
    let isNews = own == nil ? run?.take(event) : own?.take(event)
    if isNews == true { report([event], of: id) }
  }
}

// What the session is told.
extension ChildSession {
  /// Start the agent, or say again that it is ready.
  package mutating func open() -> [ChildEffect] {
    opening = .asked
    switch phase {
    case .ready: announce()
    case .down: launch()
    case .launching, .opening, .ending, .over: break
    }
    return taken()
  }

  /// Hand over an instruction; it waits until the agent is ready and free.
  package mutating func start(_ id: RunID, _ instruction: Instruction) -> [ChildEffect] {
    waiting.append(Waiting(id: id, instruction: instruction))
    if own?.state == .working, !Dialect.tellsOwnEnds { tell { $0.settle() } }
    proceed()
    if own != nil { reportWait(of: id) }
    return taken()
  }

  /// Stop a run. One that still waits is over at once.
  package mutating func cancel(_ id: RunID) -> [ChildEffect] {
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index)
      report([.turnEnded(end: .cancelled)], of: id)
    } else if isWorking(on: id) {
      // One that waits behind what the agent began by itself is taken back.
      let waits = own != nil && run?.id == id
      if run?.id == id { run?.state = .cancelling } else { own?.state = .cancelling }
      tell { if waits { $0.withdrawTurn() } else { $0.cancelTurn() } }
      act(.arm(.cancellation(id), milliseconds: ConverseLimits.cancelMilliseconds))
    } else if isCancelling(id) {
      end(because: nil)  // Told twice: the user does not want to wait any more.
    }
    return taken()
  }

  package mutating func answer(
    _ question: QuestionID, of id: RunID, with answer: AgentQuestion.Answer
  ) -> [ChildEffect] {
    guard isWorking(on: id) || id == endedLast else { return taken() }
    tell { $0.answer(question, with: answer) }
    if id == endedLast, let current = own ?? run { report([.questionWithdrawn(id: question)], of: current.id) }
    return taken()
  }

  package mutating func steer(_ id: RunID, _ instruction: Instruction) -> [ChildEffect] {
    if isWorking(on: id), dialect.description.capabilities.contains(.steer) {
      let text = instruction.prompt(introduction: settings.voiceNote)
      tell { $0.steer(instruction.id, text) }
    } else {
      report([.steeringRefused(instruction: instruction.id, reason: "The work is over, or cannot be steered.")], of: id)
    }
    return taken()
  }

  package mutating func served(_ request: FileRequest, _ answer: Result<JSON, RPCError>) -> [ChildEffect] {
    tell { $0.served(request, answer) }
    return taken()
  }

  /// The child runs.
  package mutating func launched() -> [ChildEffect] {
    guard phase == .launching else { return [.terminate] }
    phase = .opening
    act(.arm(.slowStart, milliseconds: ConverseLimits.slowStartMilliseconds))
    act(.arm(.start, milliseconds: ConverseLimits.startMilliseconds))
    tell { $0.launched() }
    return taken()
  }

  /// The child cannot be used any more, although it may still run: it sent a line beyond all bounds, or does not read.
  package mutating func misbehaved(_ what: String) -> [ChildEffect] {
    end(because: "\(name) \(what), so it was ended. It is started again when it is needed.")
    return taken()
  }

  /// The time for this is over.
  package mutating func passed(_ deadline: ChildDeadline) -> [ChildEffect] {
    switch deadline {
    case .slowStart:
      guard phase == .opening else { break }
      let seconds = ConverseLimits.slowStartMilliseconds / 1000
      let reason =
        "\(name) is not ready after \(seconds) seconds; still waiting. Start it in a terminal to see why."
      act(.post(.agentDelayed(reason: reason)))
    case .start:
      guard phase == .opening else { break }
      let seconds = ConverseLimits.startMilliseconds / 1000
      end(because: "\(name) was not ready after \(seconds) seconds. Start it in a terminal to see why.")
    case .cancellation(let id):
      if isCancelling(id) { end(because: nil) }
    case .hook(let hook): tell { $0.passed(hook: hook) }
    case .quiet(let id, let told): ownMayBeOver(id, told)
    }
    return taken()
  }

  /// The user does not want to wait for the end of a cancelled run any longer: the child is ended.
  package mutating func abandon(_ id: RunID) -> [ChildEffect] {
    if isCancelling(id) { end(because: nil) }
    return taken()
  }

  /// The child closed its output: nothing more comes, and it is ended.
  package mutating func outputEnded() -> [ChildEffect] {
    if phase == .ready { phase = .ending }
    return taken()
  }

  /// The child is gone.
  package mutating func ended(_ end: ChildEnd) -> [ChildEffect] {
    switch phase {
    case .launching, .opening: fail(because: end.reason(of: settings.name, .beforeReady))
    case .ready, .ending, .down:
      let isExpected = Dialect.lifetime == .turn && hasWorked && end.remains == .nothing
      let wanted = end.remains == .nothing ? reasonOfEnd : nil
      if run == nil, own == nil, phase == .ready || phase == .ending, opening == .answered, waiting.isEmpty, !isExpected
      {
        act(.post(.agentClosed(reason: wanted ?? end.reason(of: name, .idle))))
      }
      failRun(because: wanted ?? end.reason(of: name, .inTurn), end.remains)
    case .over: return taken()
    }
    reasonOfEnd = nil
    phase = .down
    planNextStart()
    if opening == .asked { launch() }
    proceed()
    return taken()
  }

  /// The program ends: every run gets its end now.
  package mutating func shutDown() -> [ChildEffect] {
    guard phase != .over else { return [] }
    fail(because: Self.overReason)
    if phase == .ready { tell { $0.terminate() } }
    phase = .over
    act(.terminate)
    return taken()
  }
}

extension ChildSession {
  private static var overReason: String { "The session is over." }

  private var name: String { dialect.description.name }

  /// Whether this run is in the agent's hands and was not halted.
  func isWorking(on id: RunID) -> Bool { [run, own].contains { $0?.id == id && $0?.state == .working } }

  /// Whether this run was halted, and has not ended.
  private func isCancelling(_ id: RunID) -> Bool { [run, own].contains { $0?.id == id && $0?.state == .cancelling } }

  /// Whether what the agent works on was halted.
  private var isHalted: Bool { (own ?? run)?.state == .cancelling }

  private mutating func launch() {
    settings.child += 1
    dialect = Dialect(settings, start: start)
    (wasReady, wasAsked, hasWorked) = (false, false, false)
    (endedLast, isStartCompared, toldOfUnreadable) = (nil, false, false)
    phase = .launching
    act(.launch(start))
  }

  private mutating func becomeReady() {
    guard phase == .opening else { return }
    phase = .ready
    // What was damaged while it was started says nothing of what it will ask.
    toldOfUnreadable = false
    timesReady += 1
    wasReady = true
    announce()
    proceed()
  }

  /// The one answer to `openAgent`, if it waits for it.
  private mutating func announce() {
    guard opening == .asked else { return }
    opening = .answered
    act(.post(.agentReady(agent: dialect.description)))
  }

  /// Dispatch the next run if the agent is free, and start the agent if there is none.
  private mutating func proceed() {
    guard run == nil, own == nil, let next = waiting.first else { return }
    switch phase {
    case .launching, .opening, .ending: break
    case .over: fail(because: Self.overReason)
    case .down:
      if timesReady > 0, Dialect.lifetime == .session || (hasWorked && start == .new) {
        let memory = if case .resume = start { "goes on where it was" } else { "remembers nothing of before" }
        notices.append("\(settings.name) is started again; it \(memory).")
      }
      launch()
    case .ready:
      waiting.removeFirst()
      if let refusal = check.refusal(of: next.instruction.text, knowing: dialect.commands, by: name) {
        report([.turnEnded(end: .failed(reason: refusal))], of: next.id)
        return proceed()
      }
      run = Run(id: next.id)
      wasAsked = true
      if Dialect.lifetime == .turn { hasWorked = true }
      let text = next.instruction.introduced(by: settings.voiceNote)
      let told = notices.map { AgentEvent.status(text: $0) }
      notices = []
      report([.turnStarted] + told, of: next.id)
      if let remark = next.instruction.bracketedRemark {
        tell { $0.startTurn(text, remark: remark) }
      } else {
        tell { $0.startTurn(text) }
      }
    }
  }

  /// The agent says how the turn ended. After a halt, all but the end of all its work confirms that it stopped.
  private mutating func turnEnded(_ end: AgentTurnEnd) {
    let wasHalted = run?.state == .cancelling
    finishRun(wasHalted && end != .completed ? .cancelled : end)
  }

  /// The one end of the run in the agent's hands.
  private mutating func finishRun(_ end: AgentTurnEnd) {
    if let current = run.take() { tellEnd(end, of: current) }
  }

  /// The way to the agent is gone, or is being left.
  private mutating func failRun(because reason: String, _ left: ChildEnd.Remains) {
    if owes { follow(.owes([])) }
    guard run != nil || own != nil else { return }
    tell { $0.abandonTurn() }
    let unknown = AgentTurnEnd.unconfirmed(reason: reason, mayGoOn: left == .something ? true : nil)
    let isStopped = { (run: Run?) in left == .nothing && run?.state == .cancelling }
    endOwn(isStopped(own) ? .cancelled : unknown)
    finishRun(isStopped(run) ? .cancelled : unknown)
  }

  /// Nothing that was asked of this child will come: not the opening, not the run, not those that wait for it.
  private mutating func fail(because reason: String) {
    if opening == .asked {
      opening = .answered
      act(.post(.agentUnavailable(reason: reason)))
    }
    failRun(because: reason, .beingEnded)
    for next in waiting { report([.turnEnded(end: .failed(reason: reason))], of: next.id) }
    waiting = []
  }

  /// End the child. During the start that fails everything; later the run in its hands ends with the child, since only then
  /// nothing of it works any more. Without a reason, the user wanted it.
  private mutating func end(because reason: String?) {
    switch phase {
    case .launching, .opening: if let reason { fail(because: reason) }
    case .down, .ready, .ending, .over: reasonOfEnd = reasonOfEnd ?? reason
    }
    terminate(isUrgent: reason == nil)
  }

  private mutating func terminate(isUrgent: Bool = false) {
    guard phase != .down, phase != .over else { return }
    phase = .ending
    act(isUrgent ? .terminateAtOnce : .terminate)
  }
}
