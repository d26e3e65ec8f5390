package import VoiceCore

/// Watches a session's steps and says which of the promises of the design was broken, if any.
package struct SessionRules {
  package private(set) var violations: [String] = []

  private var mode = InteractionMode.review
  private var runningID: RunID?
  private var started: Set<InstructionID> = []
  private var inLedger: Set<InstructionID> = []
  private var written: Set<InstructionID> = []
  private var held: [HeldItem] = []
  private var approved: Set<InstructionID> = []
  private var answered: Set<CallID> = []
  private var cleared: Set<SpeechID> = []
  private var played: Set<SpeechID> = []
  private var openConnection: ConnectionID?
  private var ready: Set<ConnectionID> = []
  private var closed: Set<ConnectionID> = []
  private var armed: Set<TimerID> = []
  private var sentPosition: [ConnectionID: Int] = [:]
  /// Proposed, and neither sent nor dropped so far.
  private var undecided: Set<InstructionID> = []
  private var hasEnded = false

  package init() {}

  package mutating func check(_ event: VoiceEvent, _ actions: [VoiceAction]) {
    if hasEnded { fail("an event after the end: \(event)") }
    observe(event)
    for action in actions { check(action, after: event) }
  }

  private mutating func fail(_ text: String) { violations.append(text) }

  private mutating func observe(_ event: VoiceEvent) {
    switch event {
    case .sessionStarted(let settings): mode = settings.mode
    case .commandGiven(.mode(let new)): mode = new
    case .commandGiven(.approve), .commandGiven(.steer):
      if case .instruction(let instruction) = held.first?.content { approved.insert(instruction.id) }
    case .ledgerEntered(let instruction): if inLedger.contains(instruction) { written.insert(instruction) }
    case .agentReported(let run, .turnEnded): if run == runningID { runningID = nil }
    case .linkReady(let connection, _): ready.insert(connection)
    case .linkClosed(let connection, _): closed.insert(connection)
    case .timerFired(let timer): armed.remove(timer)
    default: break
    }
  }

  private mutating func check(_ action: VoiceAction, after event: VoiceEvent) {
    if hasEnded { fail("an action after the end: \(action)") }
    switch action {
    case .enterInLedger(_, let instruction):
      if case .timerFired = event { fail("time sent an instruction") }
      if mode == .review, !approved.contains(instruction.id), !wasApprovedEarlier(instruction.id, event) {
        fail("instruction \(instruction.id) goes out in review mode without an approval")
      }
      if event == .commandGiven(command: .steer), !held.isEmpty { held.removeFirst() }
      inLedger.insert(instruction.id)
    case .startRun(let run, let instruction):
      if let runningID { fail("run \(run) starts while \(runningID) runs") }
      if !written.contains(instruction.id) { fail("run \(run) starts before it is in the ledger") }
      if !started.insert(instruction.id).inserted { fail("instruction \(instruction.id) is sent twice") }
      runningID = run
    case .steerRun(let run, let instruction):
      if run != runningID { fail("run \(run) is steered and does not run") }
      if !written.contains(instruction.id) { fail("run \(run) is steered before it is in the ledger") }
      if !started.insert(instruction.id).inserted { fail("instruction \(instruction.id) is sent twice") }
    case .cancelRun:
      switch event {
      case .voiceStarted, .modelInterrupted: fail("a barge-in cancelled a run")
      default: break
      }
    case .answerPermission:
      if event != .commandGiven(command: .approve), !event.isRejection, !event.isChoice {
        fail("a permission was answered by \(event)")
      }
    case .answerQuestion:
      if !event.isRejection, !event.isChoice { fail("a question was answered by \(event)") }
    case .answerCall(let call, _):
      if !answered.insert(call).inserted { fail("call \(call.id) was answered twice") }
      if closed.contains(call.connection) { fail("call \(call.id) was answered on a closed connection") }
    case .openLink(let connection, _):
      if let openConnection, !closed.contains(openConnection) { fail("\(connection) opens beside \(openConnection)") }
      openConnection = connection
    case .closeLink(let connection): closed.insert(connection)
    case .sendAudio(let connection, let frame):
      if !ready.contains(connection) || closed.contains(connection) {
        fail("sound on \(connection), which is not open")
      }
      if let last = sentPosition[connection], frame.position <= last { fail("sound went backwards on \(connection)") }
      sentPosition[connection] = frame.position
    case .play(let speech, _):
      if cleared.contains(speech) { fail("\(speech) plays after it was cleared") }
      played.insert(speech)
    case .clearPlayback: cleared.formUnion(played)
    case .startTimer(let timer, _): armed.insert(timer)
    case .cancelTimer(let timer):
      if armed.remove(timer) == nil { fail("\(timer) was cancelled but not armed") }
    case .show(.held(let item, _)): held.append(item)
    case .show(.approved), .show(.rejected), .show(.permissionAnswered), .show(.questionAnswered):
      if !held.isEmpty { held.removeFirst() }
    case .show(.lapsed(let title, _)):
      held.removeAll {
        switch $0.content {
        case .permission(_, let request): request.title == title
        case .question(_, let question): question.text == title
        case .instruction: false
        }
      }
    case .noteInLedger(let entry): take(entry)
    case .end:
      hasEnded = true
      for instruction in undecided.sorted() { fail("instruction \(instruction.rawValue) is lost at the end") }
    default: break
    }
  }

  private mutating func take(_ entry: LedgerEntry) {
    switch entry {
    case .proposed(let instruction): undecided.insert(instruction.id)
    case .dispatched(let instruction), .rejected(let instruction), .lapsed(let instruction):
      if undecided.remove(instruction) == nil { fail("instruction \(instruction.rawValue) has two fates") }
    // Also of what was sent into a run that did not take it.
    case .withdrawn(let instruction): undecided.remove(instruction)
    default: break
    }
  }

  /// An instruction that was let through in direct mode may still wait for its turn after the mode changed.
  private func wasApprovedEarlier(_ instruction: InstructionID, _ event: VoiceEvent) -> Bool {
    if case .agentReported(_, .turnEnded) = event { return !held.contains { $0.isInstruction(instruction) } }
    return false
  }
}

extension VoiceEvent {
  fileprivate var isChoice: Bool {
    switch self {
    case .commandGiven(.choose), .commandGiven(.answer): true
    default: false
    }
  }

  fileprivate var isRejection: Bool {
    if case .commandGiven(.reject) = self { return true }
    return false
  }
}

extension HeldItem {
  fileprivate func isInstruction(_ id: InstructionID) -> Bool {
    if case .instruction(let instruction) = content { return instruction.id == id }
    return false
  }
}
