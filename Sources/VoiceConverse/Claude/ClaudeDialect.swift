package import VoiceJSON
package import VoiceVocabulary

/// Claude Code's stream-json: one JSON object a line in both directions, with control requests for permissions, questions
/// and interrupts.
package struct ClaudeDialect: ChildDialect {
  /// How far the session is.
  enum Phase: Equatable {
    case idle
    /// Waiting for the answer to `initialize`.
    case initializing
    /// The mode is not the wanted one, and is being set.
    case settingMode
    case open
  }

  /// Whether a turn goes on, and whether it is to be stopped.
  enum TurnState: Equatable { case none, working, cancelling }

  /// Whose turn goes on.
  enum Owner: Equatable { case nobody, user, agent }

  /// A message of ours.
  struct Prompt: Equatable {
    let name: String
    /// Whether its turn has begun.
    var hasBegun = false
    /// Whether it is one of the agent's own commands.
    let isCommand: Bool
    /// Whether it was to be taken back.
    var isWithdrawn = false
    /// Why it will reach no model, if that was told.
    var obstacle: String?
  }

  static let defaultMode = "default"
  /// Modes in which it asks before it edits or runs.
  static let askingModes = ["default", "manual", "plan"]

  let settings: ChildSettings
  /// The session that it begins with.
  let start: AgentSessionStart
  package internal(set) var description: AgentDescription
  package var effects: [DialectEffect] = []
  var phase = Phase.idle
  var state = TurnState.none
  /// Whose turn goes on. Turns begin with an `init`, at least those of newer ones, which also tell what becomes of each message
  /// by its name; where neither is told, a turn begins when it is asked for.
  var owner = Owner.nobody
  /// The name of our message, until its turn ends, and what became of it so far.
  var prompt: Prompt?
  var announcesTurns = false
  var followsPrompts = false
  /// What it does in the background, by its name, and what has ended of that and is not spoken of yet.
  var background = ClaudeBackground()
  /// Whether the turn that goes on is only what a helper in the background asks.
  var isOfBackground = false
  var turn = AgentTurn()
  /// The message that ended the last turn.
  var lastResult: JSON?
  var usage = UsageMeter()
  var unknown = UnknownRequests()
  var decoder = ClaudeDecoder()
  /// The inputs of tools that wait for a permission or an answer, by the request's identifier: they are echoed.
  var inputs: [JSON: JSON] = [:]
  /// What it asks and nobody has answered: a helper in the background waits on behind the turn in which it asked.
  var openRequests: [OpenRequest] = []
  var mode: String
  /// The model, once it is told, and those that there are.
  var model: String?
  var models: [String] = []
  /// Changes that were asked for, by our request.
  var changes: [String: SettingChange] = [:]
  package internal(set) var commands: [String] = []
  private var lastPrompt = 0
  var numbers = OwnNumbers()

  /// What it asks.
  struct OpenRequest {
    let id: JSON
    let request: JSON
  }

  package init(_ settings: ChildSettings, start: AgentSessionStart) {
    self.settings = settings
    self.start = start
    mode = settings.preferredMode ?? Self.defaultMode
    description = AgentDescription(
      name: settings.name, capabilities: [.cancel, .resume, .list, .fork, .rewind, .hearReason])
  }

  /// The command line that opens such a session.
  static func arguments(_ settings: ChildSettings, start: AgentSessionStart) -> [String] {
    var arguments = [
      "--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--include-partial-messages",
      "--permission-prompt-tool", "stdio", "--permission-mode", settings.preferredMode ?? defaultMode,
    ]
    if let model = settings.model { arguments += ["--model", model] }
    // One word each: the value is optional, and two words can be misread.
    switch start {
    case .new: break
    case .resume(let id): arguments.append("--resume=\(id.rawValue)")
    case .fork(let id, let message):
      arguments += ["--resume=\(id.rawValue)", "--fork-session"]
      if let message { arguments.append("--resume-session-at=\(message)") }
    }
    return arguments
  }

  /// Send one line.
  mutating func send(_ message: JSON) { effects.append(.send(message.line)) }

  /// Send a control request under a new name. The result is that.
  @discardableResult mutating func control(_ request: JSON) -> String {
    let name = "parley-\(numbers.request())"
    send(["type": "control_request", "request_id": .string(name), "request": request])
    return name
  }

  /// Answer a control request of the agent.
  mutating func respond(to request: JSON, _ response: JSON) {
    send([
      "type": "control_response",
      "response": ["subtype": "success", "request_id": request, "response": response],
    ])
  }
}

// What the dialect is told.
extension ClaudeDialect {
  package mutating func launched() {
    phase = .initializing
    control(["subtype": "initialize", "hooks": .null])
  }

  package mutating func receive(_ message: JSON) {
    switch message["type"]?.string {
    case "control_response": controlAnswered(message["response"] ?? .null)
    case "control_request": controlAsked(message["request_id"] ?? .null, message["request"] ?? .null)
    case "control_cancel_request": withdrawn(message["request_id"] ?? .null)
    case "system": told(message)
    case "result": resulted(message)
    case "command_lifecycle": promptFollowed(message)
    case "stream_event", "assistant", "user":
      if owner != .nobody || state != .none && !announcesTurns { report(decoder.decode(message, into: &turn)) }
    default: break
    }
  }

  package mutating func startTurn(_ text: String) {
    state = .working
    if owner == .nobody { turn = AgentTurn() }
    usage.startRun()
    lastPrompt += 1
    let name = settings.name(of: lastPrompt)
    prompt = Prompt(name: name, isCommand: text.hasPrefix("/"))
    send([
      "type": "user", "session_id": "", "parent_tool_use_id": .null, "uuid": .string(name),
      "message": ["role": "user", "content": .string(text)],
    ])
  }

  package mutating func cancelTurn() {
    guard state == .working else { return }
    state = .cancelling
    control(["subtype": "interrupt"])
    // It withdraws its own requests; nothing is sent for them. What it does not withdraw is asked again.
    report(turn.withdrawAll().events)
    inputs = [:]
  }

  /// It waits in a queue, from which it can be taken as long as its turn has not begun.
  package mutating func withdrawTurn() {
    guard let prompt, !prompt.hasBegun else { return }
    self.prompt?.isWithdrawn = true
    control(["subtype": "cancel_async_message", "message_uuid": .string(prompt.name)])
  }

  package mutating func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice) {
    answer(permission, with: choice, because: nil)
  }

  package mutating func answer(
    _ permission: PermissionID, with choice: PermissionRequest.Choice, because reason: String?
  ) {
    guard let open = turn.close(permission, choosing: choice) else { return }
    openRequests.removeAll { $0.id == open.request }
    let words = reason.map { "The user did not allow this, for this reason: \($0)" } ?? "The user did not allow this."
    // Never more than the user said: what is not offered is a no.
    let answer = choice.allows ? open.options[choice] : nil
    respond(to: open.request, answer ?? Self.denial(words))
  }

  package mutating func answer(_ question: QuestionID, with answer: AgentQuestion.Answer) {
    let (events, finished) = turn.answer(question, answer)
    report(events)
    guard let form = finished else { return }
    openRequests.removeAll { $0.id == form.request }
    if let elicitation = form.elicitation { return answered(form, of: elicitation) }
    guard case .object(var input) = inputs.removeValue(forKey: form.request) ?? .object([:]), !form.isDeclined else {
      return respond(to: form.request, Self.denial("The user does not want to answer."))
    }
    var answers: [String: JSON] = [:]
    for (question, words) in zip(form.questions, form.answers) { answers[question.text] = .string(words ?? "") }
    input["answers"] = .object(answers)
    respond(to: form.request, ["behavior": "allow", "updatedInput": .object(input)])
  }

  package mutating func abandonTurn() {
    (state, owner, prompt, openRequests) = (.none, .nobody, nil, [])
    report(turn.end())
  }

  /// The answer that denies a tool, with these words for the agent.
  static func denial(_ words: String) -> JSON { ["behavior": "deny", "message": .string(words)] }
}
