package import VoiceCore

/// Everything that is decided about one ACP agent, over the life of as many child processes as it takes: what happened
/// comes in as a call, what is to be done goes out as effects.
///
/// Pure and without a clock. Protocol: Agent Client Protocol version 1, lines of JSON-RPC over standard input and
/// output.
package struct ACPSession: Sendable {
  /// What is known before the agent starts.
  package struct Settings: Equatable, Sendable {
    /// How the agent is called in sentences until it says its own name.
    package var name: String
    /// Absolute; the agent works here.
    package var workingFolder: String
    /// The session mode to be in; nil takes the best one that asks before it acts.
    package var preferredMode: String?
    /// Whether the agent asks before it acts although it has no modes; true for the guide.
    package var asksWithoutModes: Bool
    /// Put before each spoken instruction, such as a note that the words were dictated; nil puts nothing.
    package var voiceNote: String?

    package init(
      name: String, workingFolder: String, preferredMode: String? = nil, asksWithoutModes: Bool = false,
      voiceNote: String? = nil
    ) {
      self.name = name
      self.workingFolder = workingFolder
      self.preferredMode = preferredMode
      self.asksWithoutModes = asksWithoutModes
      self.voiceNote = voiceNote
    }
  }

  /// Something to be done, in this order.
  package enum Effect: Equatable, Sendable {
    /// Start the child process; `launched` or `ended` follows.
    case launch
    /// Write these bytes, whole lines, to the child.
    case send([UInt8])
    /// End the child; `ended` follows.
    case hangUp
    /// Call `passed` with this deadline after this time, unless the child has ended.
    case arm(Deadline, milliseconds: Int)
    case post(VoiceEvent)
  }

  package enum Deadline: Hashable, Sendable {
    /// The session must stand.
    case start
    /// The prompt of this request must have ended after it was cancelled.
    case cancellation(request: Int)
  }

  enum Phase: Equatable {
    /// No child. Exits: `starting` (open, a run).
    case down
    /// The child starts and is asked, in order: nothing yet, initialize, session/new, the mode.
    /// Exits: `ready`, `ending` (a fatal answer, the deadline), `down` (it died).
    case starting(Step)
    /// Exits: `ending` (its output is over, or it went mad), `down`.
    case ready(session: String)
    /// The child is being ended; runs that come now wait for the next one. Exits: `down`.
    case ending
    /// The program ends, and nothing is started any more. No exit.
    case over
  }

  enum Step: Equatable {
    case launching
    case initializing(request: Int)
    case openingSession(request: Int)
    case settingMode(request: Int, ACPMode, target: String, session: String)
  }

  struct Run: Equatable {
    let id: RunID
    let request: Int
    let session: String
    var turn = ACPTurn()
    var state = State.working

    enum State: Equatable { case working, cancelling }
  }

  /// Whether `openAgent` waits for its one answer.
  enum Opening: Equatable { case answered, asked }

  struct Waiting: Equatable {
    let id: RunID
    let instruction: Instruction
  }

  let settings: Settings
  var phase = Phase.down
  var opening = Opening.answered
  /// How many children became ready; each but the first has forgotten the conversation.
  var timesReady = 0
  /// The prompt in the agent's hands.
  var run: Run?
  /// Runs that wait for the agent, oldest first.
  var waiting: [Waiting] = []
  /// To be told with the next run.
  var notices: [String] = []
  var description: AgentDescription
  var authenticationMethods: [String] = []
  /// Tokens and money that the session had used when the run began: agents count over the whole session.
  var usedBefore = AgentUsage(inputTokens: 0, outputTokens: 0, costInDollars: 0)
  var used = AgentUsage(inputTokens: 0, outputTokens: 0, costInDollars: 0)
  private var lastRequest = 0
  private var lastPermission = 0
  private var effects: [Effect] = []

  package init(settings: Settings) {
    self.settings = settings
    description = AgentDescription(name: settings.name, capabilities: [.cancel])
  }

  mutating func act(_ effect: Effect) { effects.append(effect) }

  mutating func report(_ events: [AgentEvent], of run: RunID) {
    effects += events.map { .post(.agentReported(run: run, event: $0)) }
  }

  mutating func request(_ method: String, _ parameters: JSON) -> Int {
    lastRequest += 1
    act(.send(RPCMessage.request(lastRequest, method, parameters)))
    return lastRequest
  }

  mutating func nextPermission() -> PermissionID {
    lastPermission += 1
    return PermissionID(rawValue: "permission-\(lastPermission)")
  }

  private mutating func taken() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

// What the session is told.
extension ACPSession {
  /// Start the agent, or say again that it is ready.
  package mutating func open() -> [Effect] {
    opening = .asked
    switch phase {
    case .ready: announce()
    case .down: launch()
    case .starting, .ending, .over: break
    }
    return taken()
  }

  package mutating func start(_ id: RunID, _ instruction: Instruction) -> [Effect] {
    waiting.append(Waiting(id: id, instruction: instruction))
    proceed()
    return taken()
  }

  package mutating func cancel(_ id: RunID) -> [Effect] {
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index)
      report([.turnEnded(end: .cancelled)], of: id)
    } else if var current = run, current.id == id {
      switch current.state {
      case .working:
        current.state = .cancelling
        run = current
        act(.send(RPCMessage.notification("session/cancel", ["sessionId": .string(current.session)])))
        for permission in current.turn.permissions { dismiss(permission.id) }
        act(.arm(.cancellation(request: current.request), milliseconds: ConverseLimits.cancelMilliseconds))
      case .cancelling: end(because: nil)  // Told twice: the user does not want to wait any more.
      }
    }
    return taken()
  }

  package mutating func answer(
    _ permission: PermissionID, of id: RunID, with choice: PermissionRequest.Choice
  ) -> [Effect] {
    guard run?.id == id, let open = run?.turn.close(permission, choosing: choice) else { return [] }
    // Never more than the user said: a choice that is not offered is no answer, not the next best one.
    if let option = open.options[choice] {
      let outcome: JSON = ["outcome": ["outcome": "selected", "optionId": .string(option)]]
      act(.send(RPCMessage.result(of: open.request, outcome)))
    } else {
      act(.send(RPCMessage.result(of: open.request, Self.cancelledOutcome)))
    }
    return taken()
  }

  /// The child runs.
  package mutating func launched() -> [Effect] {
    guard case .starting(.launching) = phase else { return [.hangUp] }
    act(.arm(.start, milliseconds: ConverseLimits.startMilliseconds))
    let request = request(
      "initialize",
      [
        "protocolVersion": 1,
        "clientInfo": ["name": "parley", "version": "1"],
        "clientCapabilities": ["fs": ["readTextFile": false, "writeTextFile": false], "terminal": false],
      ])
    phase = .starting(.initializing(request: request))
    return taken()
  }

  /// A line of the child's standard output.
  package mutating func receive(_ line: [UInt8]) -> [Effect] {
    switch RPCMessage(line: line) {
    case .answer(let request, let result): answered(request, result)
    case .request(let id, let method, let parameters): asked(id, method, parameters)
    case .notification(let method, let parameters): notified(method, parameters)
    case nil: break
    }
    return taken()
  }

  /// The child cannot be used any more, although it may still run: it sent a line beyond all bounds, or does not read.
  package mutating func misbehaved(_ what: String) -> [Effect] {
    end(because: "\(description.name) \(what), so it was ended. It is started again with the next instruction.")
    return taken()
  }

  package mutating func passed(_ deadline: Deadline) -> [Effect] {
    switch deadline {
    case .start:
      guard case .starting = phase else { break }
      let seconds = ConverseLimits.startMilliseconds / 1000
      end(because: "\(description.name) was not ready after \(seconds) seconds. Start it in a terminal to see why.")
    case .cancellation(let request):
      guard run?.request == request, run?.state == .cancelling else { break }
      end(because: nil)
    }
    return taken()
  }

  /// The child closed its output: nothing more comes, and it is ended.
  package mutating func outputEnded() -> [Effect] {
    if case .ready = phase { phase = .ending }
    return taken()
  }

  /// The child is gone.
  package mutating func ended(_ end: ChildEnd) -> [Effect] {
    switch phase {
    case .starting: fail(because: end.reason(of: settings.name, .beforeReady))
    case .ready, .ending, .down: failRun(because: end.reason(of: description.name, .inTurn))
    case .over: return []
    }
    phase = .down
    if opening == .asked { launch() }
    proceed()
    return taken()
  }

  /// The program ends: every run gets its end now.
  package mutating func shutDown() -> [Effect] {
    guard phase != .over else { return [] }
    fail(because: Self.overReason)
    phase = .over
    act(.hangUp)
    return taken()
  }
}

extension ACPSession {
  private static let overReason = "The session is over."
  static let cancelledOutcome: JSON = ["outcome": ["outcome": "cancelled"]]

  mutating func launch() {
    description.name = settings.name
    phase = .starting(.launching)
    act(.launch)
  }

  /// The one answer to `openAgent`, if it waits for it.
  mutating func announce() {
    guard opening == .asked else { return }
    opening = .answered
    act(.post(.agentReady(agent: description)))
  }

  /// Hand on the next run if the agent is free, and start the agent if there is none.
  mutating func proceed() {
    guard run == nil, let next = waiting.first else { return }
    switch phase {
    case .starting, .ending: break
    case .over: fail(because: Self.overReason)
    case .down:
      if timesReady > 0 { notices.append("\(settings.name) is started again; it remembers nothing of before.") }
      launch()
    case .ready(let session):
      waiting.removeFirst()
      var text = next.instruction.text
      if let note = settings.voiceNote, next.instruction.source == .voice { text = note + "\n\n" + text }
      let request = request(
        "session/prompt",
        ["sessionId": .string(session), "prompt": [["type": "text", "text": .string(text)]]])
      run = Run(id: next.id, request: request, session: session)
      usedBefore = used
      report([.turnStarted] + notices.map { .status(text: $0) }, of: next.id)
      notices = []
    }
  }

  /// Withdraw an open permission request on both sides.
  mutating func dismiss(_ permission: PermissionID) {
    guard let id = run?.id, let open = run?.turn.close(permission, choosing: nil) else { return }
    act(.send(RPCMessage.result(of: open.request, Self.cancelledOutcome)))
    report([.permissionWithdrawn(id: permission)], of: id)
  }

  /// The one end of the run in the agent's hands.
  mutating func endRun(_ end: AgentTurnEnd) {
    guard var current = run else { return }
    run = nil
    for permission in current.turn.permissions {
      act(.send(RPCMessage.result(of: permission.request, Self.cancelledOutcome)))
    }
    report(current.turn.end() + [.turnEnded(end: current.state == .cancelling ? .cancelled : end)], of: current.id)
  }

  func failure(_ reason: String?) -> AgentTurnEnd { reason.map { .failed(reason: $0) } ?? .cancelled }

  /// The way to the agent broke, or the user did not want to wait any more.
  mutating func failRun(because reason: String?) { endRun(reason.map { .unconfirmed(reason: $0) } ?? .cancelled) }

  /// Nothing that was asked of this child will come: not the opening, not the run, not those that wait for it.
  mutating func fail(because reason: String?) {
    if opening == .asked, let reason {
      opening = .answered
      act(.post(.agentUnavailable(reason: reason)))
    }
    failRun(because: reason)
    for next in waiting { report([.turnEnded(end: failure(reason))], of: next.id) }
    waiting = []
  }

  /// End the child. During the start that fails everything, later only the run in its hands; without a reason, the
  /// user wanted it.
  mutating func end(because reason: String?) {
    if case .starting = phase { fail(because: reason) } else { failRun(because: reason) }
    guard phase != .down, phase != .over else { return }
    phase = .ending
    act(.hangUp)
  }
}
