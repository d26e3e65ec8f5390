package import VoiceJSON
package import VoiceVocabulary

/// Codex's app-server: JSON-RPC in lines over standard input and output, without the `jsonrpc` field.
package struct CodexDialect: ChildDialect {
  /// How far the session is.
  enum Phase: Equatable {
    case idle
    case initializing(request: Int)
    case openingThread(request: Int)
    case open
  }

  /// Whether a turn goes on, and whether it is to be stopped.
  enum TurnState: Equatable { case none, working, cancelling }

  static let defaultPolicy = "untrusted"
  static let defaultSandbox = "workspace-write"
  /// Approval policies under which it asks.
  static let askingPolicies = ["untrusted", "on-request", "on-failure"]

  /// What a helper on a thread of its own asks.
  struct HelperRequest {
    /// The server's request.
    let id: JSON
    let method: String
    let parameters: JSON

    /// The helper's thread.
    var thread: String { parameters["threadId"]?.string ?? "" }
  }

  let settings: ChildSettings
  let start: AgentSessionStart
  package internal(set) var description: AgentDescription
  package var effects: [DialectEffect] = []
  var phase = Phase.idle
  var state = TurnState.none
  /// Whether it began the turn by itself.
  var isOwn = false
  var turn = AgentTurn()
  var usage = UsageMeter()
  var unknown = UnknownRequests()
  /// The server's name of the turn, once it is known: by the answer to our request, or because it began one by itself.
  var turnID: String?
  /// Our request for a turn, until it is answered. What comes before the answer is read behind it: only the answer tells whose
  /// it is.
  var turnRequest: Int?
  var early: [JSON] = []
  private var earlyBytes = 0
  /// What the thread works towards, in turns that it begins by itself.
  var goal: CodexGoal?
  /// Why a hook did not let the instruction of this turn through to the model.
  var obstacle: String?
  var hooks = CodexHooks()
  /// The threads of helpers that work, and whether the run is theirs alone.
  var helpers: Set<String> = []
  var isOfHelpers = false
  /// What they asked and nobody has answered.
  var askedByHelpers: [HelperRequest] = []
  /// The commands of the turn by their items' names, and what is asked about those that run on behind an interrupt.
  /// Those that wait for a permission run nowhere.
  var commands: Set<String> = []
  var asking: [JSON: String] = [:]
  var terminals: Terminals?
  /// Instructions on their way into the turn, by our request; those that wait for the turn's name have none yet.
  var steering: [Int: InstructionID] = [:]
  var waitingSteers: [(InstructionID, String)] = []
  /// What it is set to, and what turns are to name of that because the user changed it.
  var approval = CodexDialect.defaultPolicy
  var model: String?
  var models: [String] = []
  var modelRequest: Int?
  var overrides: [String: JSON] = [:]
  var numbers = OwnNumbers()

  package init(_ settings: ChildSettings, start: AgentSessionStart) {
    self.settings = settings
    self.start = start
    description = AgentDescription(
      name: settings.name, capabilities: [.cancel, .steer, .resume, .list, .fork, .rewind])
  }

  /// The approval policy and the sandbox: a mode is `POLICY` or `POLICY/SANDBOX`.
  var policy: (approval: String, sandbox: String) {
    let parts = (settings.preferredMode ?? Self.defaultPolicy).split(separator: "/", maxSplits: 1).map(String.init)
    return (parts.first ?? Self.defaultPolicy, parts.count > 1 ? parts[1] : Self.defaultSandbox)
  }

  /// Send a request. The result is its number, by which the answer is known.
  mutating func request(_ method: String, _ parameters: JSON) -> Int {
    let number = numbers.request()
    effects.append(.send(RPCForm.withoutVersion.request(number, method, parameters)))
    return number
  }

  /// Answer a request of the agent.
  mutating func respond(to request: JSON, _ result: JSON) {
    effects.append(.send(RPCForm.withoutVersion.result(of: request, result)))
  }

  /// The parameters that name the open thread.
  func inThread(_ more: [String: JSON]) -> JSON {
    .object(more.merging(["threadId": .string(description.session?.rawValue ?? "")]) { first, _ in first })
  }

  /// A text as the input of a turn.
  static func input(_ text: String) -> JSON { [["type": "text", "text": .string(text), "text_elements": []]] }
}

// What the dialect is told.
extension CodexDialect {
  /// The first request of every child.
  static let initialization: JSON = [
    "clientInfo": ["name": "parley", "title": "Parley", "version": "1"],
    "capabilities": ["experimentalApi": true],
  ]

  package mutating func launched() {
    phase = .initializing(request: request("initialize", Self.initialization))
  }

  package mutating func receive(_ message: JSON) {
    switch RPCMessage(message) {
    case .answer(let request, let result): answered(request, result)
    case .request where turnRequest != nil, .notification where turnRequest != nil: keepEarly(message)
    case .request(let id, let method, let parameters): asked(id, method, parameters)
    case .notification(let method, let parameters): notified(method, parameters)
    case nil: break
    }
  }

  /// A Codex that never names its turn must not fill the memory.
  private mutating func keepEarly(_ message: JSON) {
    early.append(message)
    earlyBytes += message.line.count
    guard earlyBytes > ConverseLimits.earlyBytes else { return }
    (early, earlyBytes) = ([], 0)
    let words = "does not say which turn it began, so it was ended. It is started again when it is needed."
    effects.append(.unusable(reason: "\(description.name) \(words)"))
  }

  package mutating func startTurn(_ text: String) {
    earlyBytes = 0
    (state, isOwn, isOfHelpers) = (.working, false, false)
    (turn, commands, asking) = (AgentTurn(), [], [:])
    turnID = nil
    usage.startRun()
    turnRequest = request("turn/start", inThread(overrides.merging(["input": Self.input(text)]) { _, own in own }))
  }

  package mutating func cancelTurn() {
    guard state == .working else { return }
    state = .cancelling
    report(refusedSteers())
    // What it asks is resolved by the interrupt itself.
    declineHelpers()
    report(turn.withdrawAll().events)
    commands.subtract(asking.values)
    interruptIfKnown()
    // What they work on would go on behind an interrupt, and their commands too.
    if !helpers.isEmpty { effects.append(.stopChild) }
    guard isOwn, goal?.isActive == true else { return }
    // Otherwise the next turn would begin by itself.
    _ = request("thread/goal/set", inThread(["status": "paused"]))
    report([.status(text: "Codex's goal is paused.")])
  }

  /// Interrupt the turn that is to be stopped, once it has a name.
  mutating func interruptIfKnown() {
    guard state == .cancelling, let turnID else { return }
    _ = request("turn/interrupt", inThread(["turnId": .string(turnID)]))
  }

  package mutating func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice) {
    guard let open = turn.close(permission, choosing: choice) else { return }
    forget(open.request)
    asking[open.request] = nil
    // Never more than the user said: what is not offered is a no.
    respond(to: open.request, open.options[choice] ?? open.options[.rejectOnce] ?? ["decision": "decline"])
  }

  package mutating func answer(_ question: QuestionID, with answer: AgentQuestion.Answer) {
    let (events, finished) = turn.answer(question, answer)
    report(events)
    guard let form = finished else { return }
    forget(form.request)
    if let elicitation = form.elicitation { return answered(form, of: elicitation) }
    var answers: [String: JSON] = [:]
    if !form.isDeclined {
      for (question, words) in zip(form.questions, form.answers) {
        // The server's own name of the question stands behind ours.
        let name = question.id.rawValue.split(separator: "/", maxSplits: 1).last.map(String.init) ?? ""
        answers[name] = ["answers": words.map { [.string($0)] } ?? []]
      }
    }
    respond(to: form.request, ["answers": .object(answers)])
  }

  package mutating func steer(_ instruction: InstructionID, _ text: String) {
    guard state == .working else {
      return report([.steeringRefused(instruction: instruction, reason: "Codex is not at work any more.")])
    }
    guard let turnID else { return waitingSteers.append((instruction, text)) }
    let parameters = inThread(["expectedTurnId": .string(turnID), "input": Self.input(text)])
    steering[request("turn/steer", parameters)] = instruction
    hooks.steered()
  }

  /// What has not left for a turn that is over. What has, and is not answered, may have been taken: the end of the run tells.
  mutating func refusedSteers() -> [AgentEvent] {
    defer { waitingSteers = [] }
    return waitingSteers.map {
      .steeringRefused(instruction: $0.0, reason: "The work ended before it could be sent.")
    }
  }

  package mutating func abandonTurn() {
    guard state != .none else { return }
    (state, turnRequest, early, terminals, helpers) = (.none, nil, [], nil, [])
    (askedByHelpers, obstacle, hooks, steering) = ([], nil, CodexHooks(), [:])
    report(refusedSteers() + turn.end())
  }
}
