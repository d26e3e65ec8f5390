import VoiceCore
import VoiceLanguage
import VoiceVocabulary

/// How steps make turns.
extension SessionHistory {
  /// Take a step. Returns the number of the turn that it belongs to, if it belongs to one.
  mutating func follow(_ step: VoiceStep, _ moment: Moment) -> Int? {
    let own = happened(step.event, moment)
    var turn = own
    var decisive: Int?
    for action in step.actions {
      let concerned = decided(action, step.event, moment, turn)
      if action.isDecisive { decisive = decisive ?? concerned }
      turn = concerned ?? turn
    }
    // A decision is a matter of what is decided, not of what is presented next, nor of the words that decided it.
    if case .agentReported = step.event { turn = own ?? decisive ?? turn } else { turn = decisive ?? own ?? turn }
    if let own, let decisive, own != decisive, step.event.isSpoken { turns[own - 1].decidedTurn = decisive }
    turn = turn ?? turns.last?.number
    // Why the session ended is no matter of its last turn.
    if let turn, outcome == nil { turns[turn - 1].reasons += step.reasons.map { .init(moment: moment, text: $0) } }
    return turn
  }

  // MARK: Events

  /// What an event says; the turn that it belongs to, where that is not simply the latest.
  private mutating func happened(_ event: VoiceEvent, _ moment: Moment) -> Int? {
    switch event {
    case .sessionStarted(let settings): self.settings = settings
    case .voiceStarted(let detector): voiceStarted(detector, moment)
    case .voiceEnded(let detector): voiceEnded(detector, moment)
    case .soundLevelChanged(let level): soundLevelChanged(level, moment)
    case .userTranscribed(_, let text, _, _): return transcribed(text, moment)
    case .instructionProposed(_, let text): return proposed(text, moment)
    case .stopRequested: return stopRequested(moment)
    case .commandGiven(.say(let text)): return typed(text, moment)
    case .agentReady(let agent): self.agent = agent
    case .agentReported(let run, let event): return reported(event, of: run, moment)
    case .playbackStarted(let speech): return playbackStarted(speech, moment)
    case .playbackEnded(let speech): return playbackEnded(speech, moment)
    case .playbackCleared(let speech, let milliseconds): return playbackCleared(speech, milliseconds, moment)
    case .linkReady(let connection, _): update(connection) { $0.ready = moment }
    case .linkClosed(let connection, let failure):
      update(connection) { connection in
        if connection.closed == nil { connection.closed = moment }
        if failure.remedy != .none { connection.reason = failure.reason }
      }
    case .modelTurnEnded: if pending?.ended != nil { closeUtterance() }
    case .modelUsage(let connection, let input, let output): modelTokens[connection] = (input, output)
    case .modelTranscribed(_, let text): return modelSaid(text)
    default: break
    }
    return nil
  }

  private mutating func begin(_ source: Instruction.Source, _ moment: Moment, again: Int? = nil) -> Int {
    let number = turns.count + 1
    let pending = source == .voice && again == nil ? recentVoice(moment) : nil
    var turn = Turn(number: number, source: source, start: pending?.started ?? moment)
    turn.again = again
    if let pending {
      turn.stages[.speechStarted] = pending.started
      turn.stages[.speechEnded] = pending.ended
      for index in utterances.indices.reversed() {
        guard utterances[index].started.time >= pending.started.time else { break }
        utterances[index].turn = utterances[index].turn ?? number
      }
      // What was noted since the user began to speak belongs to this turn, which nothing told then.
      for index in entries.indices.reversed() {
        guard entries[index].moment.time >= pending.started.time else { break }
        if entries[index].text.label == Timeline.hears { entries[index].turn = number }
      }
    }
    turns.append(turn)
    return number
  }

  /// What the user said that words can still come of.
  private func recentVoice(_ moment: Moment) -> (started: Moment, ended: Moment?)? {
    guard let pending else { return nil }
    // Before the pause was noticed nothing could come of it.
    let quiet = pending.ended.map { pauseNoticed ?? $0 } ?? moment
    let latest = quiet.time.advanced(byMilliseconds: Limits.unansweredUtteranceMilliseconds)
    return moment.time <= latest ? pending : nil
  }

  /// The turn of the words that are coming in; a new one if nothing is open.
  private mutating func speaking(_ moment: Moment) -> Int {
    if let openTurn { return openTurn }
    let number = begin(.voice, moment)
    openTurn = number
    return number
  }

  private mutating func transcribed(_ text: String, _ moment: Moment) -> Int? {
    guard openTurn != nil || !text.allSatisfy(\.isWhitespace) else { return nil }
    // A transcript may trail behind the proposal that was made of the same words.
    if openTurn == nil, pending == nil, !utterances.isEmpty, let last = turns.last, last.source == .voice {
      turns[last.number - 1].heard += text
      return last.number
    }
    let number = speaking(moment)
    turns[number - 1].heard += text
    turns[number - 1].stages[.transcribed] = moment
    return number
  }

  private mutating func proposed(_ text: String, _ moment: Moment) -> Int {
    let number = speaking(moment)
    turns[number - 1].wish = .instruction
    turns[number - 1].proposed = turns[number - 1].proposed ?? text
    turns[number - 1].instruction = text
    turns[number - 1].reach(.proposed, moment)
    closeUtterance()
    return number
  }

  private mutating func stopRequested(_ moment: Moment) -> Int {
    let number = speaking(moment)
    turns[number - 1].wish = .stop
    turns[number - 1].reach(.proposed, moment)
    closeUtterance()
    return number
  }

  private mutating func typed(_ text: String, _ moment: Moment) -> Int {
    let number = begin(.keyboard, moment)
    turns[number - 1].wish = .instruction
    turns[number - 1].proposed = text
    turns[number - 1].instruction = text
    turns[number - 1].reach(.proposed, moment)
    return number
  }

  private mutating func closeUtterance() {
    openTurn = nil
    pending = nil
  }

  private mutating func reported(_ event: AgentEvent, of run: RunID, _ moment: Moment) -> Int? {
    guard let number = turnOfRun[run] else { return nil }
    Self.take(event, moment, &turns[number - 1])
    return number
  }

  private static func take(_ event: AgentEvent, _ moment: Moment, _ turn: inout Turn) {
    switch event {
    case .turnStarted: turn.reach(.acknowledged, moment)
    case .text(let delta):
      if !delta.allSatisfy(\.isWhitespace) { turn.reach(.answered, moment) }
      turn.answer += delta
    case .paragraphEnded: if !turn.answer.isEmpty { turn.answer += "\n\n" }
    case .toolStarted(let tool):
      turn.openTools[tool.id, default: []].append(turn.tools.count)
      turn.tools.append(.init(tool: tool, started: moment))
    case .toolFinished(let id, let outcome):
      if let index = turn.openTools[id]?.popLast() {
        turn.tools[index].ended = moment
        turn.tools[index].outcome = outcome
      }
    case .permissionRequested(let request): turn.requests.append(.init(content: .permission(request), asked: moment))
    case .questionAsked(let question): turn.requests.append(.init(content: .question(question), asked: moment))
    case .usage(let usage): turn.usage = usage
    case .turnEnded(let end):
      turn.end = end
      turn.reach(.runEnded, moment)
      for index in turn.openTools.values.joined() {
        turn.tools[index].ended = moment
        turn.tools[index].outcome = .unknown
      }
      turn.openTools = [:]
    default: break
    }
  }

  // MARK: Actions

  /// What an action says; the turn that it belongs to, if it tells.
  private mutating func decided(
    _ action: VoiceAction, _ event: VoiceEvent, _ moment: Moment, _ turn: Int?
  ) -> Int? {
    switch action {
    case .openLink(let connection, _): connections.append(.init(id: connection, opened: moment))
    case .closeLink(let connection): update(connection) { $0.closed = moment }
    case .enterInLedger(let run, let instruction):
      return entered(instruction, as: run, event, moment, turn)
    case .noteInLedger(let entry): return noted(entry, event, moment, turn)
    case .startRun(let run, let instruction):
      let number = turnOf(instruction, moment, turn)
      turnOfRun[run] = number
      lastDispatched = number
      turns[number - 1].reach(.dispatched, moment)
      return number
    case .steerRun(_, let instruction):
      let number = turnOf(instruction, moment, turn)
      turns[number - 1].reach(.dispatched, moment)
      return number
    case .answerPermission(let run, let permission, let choice, _):
      return answered(run, .choice(choice), moment) { content in
        if case .permission(let request) = content { request.id == permission } else { false }
      }
    case .answerQuestion(let run, let id, let answer):
      return answered(run, .words(nil), moment, words: { $0.words(of: answer) }) { content in
        if case .question(let question) = content { question.id == id } else { false }
      }
    case .speak(let speech, let text, let purpose): return asked(speech, text, purpose, moment)
    case .play(let speech, _): played(speech, moment)
    case .show(let notice): return shown(notice, moment, turn)
    case .end(let outcome): self.outcome = outcome
    default: break
    }
    return nil
  }

  /// Note the answer to what the agent asked last and that matches.
  private mutating func answered(
    _ run: RunID, _ answer: Turn.Request.Answer, _ moment: Moment, words: (AgentQuestion) -> String? = { _ in nil },
    where matches: (Turn.Request.Content) -> Bool
  ) -> Int? {
    guard let number = turnOfRun[run] else { return nil }
    let requests = turns[number - 1].requests
    guard let index = requests.lastIndex(where: { matches($0.content) && $0.answered == nil }) else { return number }
    turns[number - 1].requests[index].answered = moment
    var answer = answer
    if case .question(let question) = requests[index].content { answer = .words(words(question)) }
    turns[number - 1].requests[index].answer = answer
    return number
  }

  /// The turn of an instruction: the one that it was named in before, or the one that this step concerns.
  private mutating func turnOf(_ instruction: Instruction, _ moment: Moment, _ turn: Int?) -> Int {
    if let known = turnOfInstruction[instruction.id] { return known }
    // One that is offered again, because its run failed, is a wish anew.
    let again = turn.flatMap { turns[$0 - 1].stages[.dispatched] == nil ? nil : $0 }
    let number = if let turn, again == nil { turn } else { begin(instruction.source, moment, again: again) }
    turns[number - 1].reach(.proposed, moment)
    turnOfInstruction[instruction.id] = number
    if turns[number - 1].heard.isEmpty { turns[number - 1].heard = instruction.heard ?? "" }
    turns[number - 1].proposed = turns[number - 1].proposed ?? instruction.text
    (turns[number - 1].wish, turns[number - 1].instruction) = (.instruction, instruction.text)
    return number
  }

  private mutating func entered(
    _ instruction: Instruction, as run: RunID, _ event: VoiceEvent, _ moment: Moment, _ turn: Int?
  ) -> Int {
    let number = turnOf(instruction, moment, turn)
    let wasHeld = turns[number - 1].stages[.held] != nil
    if turns[number - 1].decision == nil {
      turns[number - 1].decision = wasHeld ? .approved(Self.author(event)) : .sentAtOnce
      turns[number - 1].reach(.decided, moment)
    }
    turns[number - 1].instruction = instruction.text
    held.removeAll { $0.id == instruction.id }
    return number
  }

  /// The ledger names the instruction that was decided on; the notice of it stands behind the entry.
  private mutating func noted(_ entry: LedgerEntry, _ event: VoiceEvent, _ moment: Moment, _ turn: Int?) -> Int? {
    switch entry {
    case .proposed(let instruction): return turnOf(instruction, moment, turn)
    case .held(let id):
      guard let number = turnOfInstruction[id] else { return nil }
      turns[number - 1].reach(.held, moment)
      return number
    case .amended(let id, let text):
      if let index = held.firstIndex(where: { $0.id == id }) { held[index].text = text }
      guard let number = turnOfInstruction[id] else { return nil }
      turns[number - 1].instruction = text
      return number
    case .approved(let id):
      held.removeAll { $0.id == id }
      return decide(turnOfInstruction[id], .approved(Self.author(event)), moment)
    case .rejected(let id):
      held.removeAll { $0.id == id }
      return decide(turnOfInstruction[id], .rejected(reason: Self.reason(event)), moment)
    // The notice that follows has the reason.
    case .lapsed(let id):
      held.removeAll { $0.id == id }
      return decide(turnOfInstruction[id], .lapsed(reason: ""), moment)
    // Noted only of what the agent began by itself.
    case .entered(let instruction, let run):
      let number = turnOf(instruction, moment, nil)
      turnOfRun[run] = number
      turns[number - 1].reach(.dispatched, moment)
      return number
    case .dispatched, .acknowledged, .withdrawn, .denied, .halted, .ended, .settled, .takenOver: return nil
    }
  }

  /// The turn of an instruction that was approved, and not sent because the session ended: it is no held item any more.
  private func turnOfLapsed(_ text: String, _ item: HeldItemID?) -> Int? {
    guard item == nil else { return nil }
    return turns.last { $0.instruction == text && $0.stages[.dispatched] == nil && $0.decision == .lapsed(reason: "") }?
      .number
  }

  private static func reason(_ event: VoiceEvent) -> String? {
    if case .commandGiven(.reject(let reason)) = event { reason } else { nil }
  }

  private static func author(_ event: VoiceEvent) -> Turn.Decision.By {
    if case .commandGiven = event { .command } else { .voice }
  }

  /// The turn of a held instruction; it is held no longer.
  private mutating func takeHeld(_ item: HeldItemID?) -> Int? {
    guard let index = held.firstIndex(where: { $0.item == item }) else { return nil }
    return turnOfInstruction[held.remove(at: index).id]
  }

  /// The turn that an item belongs to.
  private func turnOf(_ content: HeldItem.Content) -> Int? {
    switch content {
    case .instruction(let instruction): turnOfInstruction[instruction.id]
    case .permission(let run, _), .question(let run, _): turnOfRun[run]
    }
  }

  private mutating func shown(_ notice: Notice, _ moment: Moment, _ turn: Int?) -> Int? {
    switch notice {
    case .held(let item, _):
      guard case .instruction(let instruction) = item.content else {
        requestTurns[item.id] = turnOf(item.content)
        return nil
      }
      let number = turnOf(instruction, moment, turn)
      turns[number - 1].reach(.held, moment)
      held.append((item.id, instruction.id, instruction.text))
      heldTurns[item.id] = number
      return number
    case .amended(let item, _): return heldTurns[item]
    case .lapsed(let item, let text, let reason):
      // The ledger's entry stands before this notice, and told everything but the reason.
      let number = takeHeld(item) ?? item.flatMap { heldTurns[$0] } ?? turnOfLapsed(text, item)
      return decide(number, .lapsed(reason: reason), moment)
    case .kept(_, let instruction, _): addIncident(notice, moment, turnOfInstruction[instruction.id])
    case .queued(let instruction):
      let number = turnOf(instruction, moment, turn)
      if turns[number - 1].decision == nil { decide(number, .sentAtOnce, moment) }
      return number
    case .warning, .error, .bargedIn, .quieted, .halting, .haltUnconfirmed, .linkLost, .rotating, .duplicateIgnored:
      addIncident(notice, moment, turn ?? turns.last?.number)
    default: break
    }
    return nil
  }

  private mutating func addIncident(_ notice: Notice, _ moment: Moment, _ number: Int?) {
    guard let number, let text = NoticeText(notice) else { return }
    turns[number - 1].incidents.append(.init(moment: moment, notice: text))
  }

  @discardableResult
  private mutating func decide(_ number: Int?, _ decision: Turn.Decision, _ moment: Moment) -> Int? {
    guard let number else { return nil }
    turns[number - 1].decision = decision
    turns[number - 1].stages[.decided] = moment
    return number
  }

  private mutating func update(_ id: ConnectionID, _ change: (inout Connection) -> Void) {
    guard let index = connections.lastIndex(where: { $0.id == id }) else { return }
    change(&connections[index])
  }
}

extension VoiceAction {
  /// Whether it decides on something that waited, or hands something on.
  fileprivate var isDecisive: Bool {
    switch self {
    case .enterInLedger, .startRun, .steerRun, .answerPermission, .answerQuestion: true
    case .noteInLedger(.approved), .noteInLedger(.rejected), .noteInLedger(.amended), .noteInLedger(.lapsed): true
    case .show(.queued): true
    default: false
    }
  }
}

extension VoiceEvent {
  /// Whether it is something that the user said.
  fileprivate var isSpoken: Bool {
    switch self {
    case .instructionProposed, .stopRequested, .userTranscribed, .modelTurnEnded: true
    default: false
    }
  }
}
