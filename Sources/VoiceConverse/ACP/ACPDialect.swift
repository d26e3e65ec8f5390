package import VoiceJSON
package import VoiceVocabulary

/// The Agent Client Protocol, version 1: JSON-RPC in lines over standard input and output.
package struct ACPDialect: ChildDialect {
  package static var tellsOwnEnds: Bool { false }

  /// What is being waited for while the session is opened.
  enum Step: Equatable {
    case initializing(request: Int)
    /// `wanted` is one to go on with: what it tells of its history meanwhile is not news.
    case openingSession(request: Int, wanted: AgentSessionID?)
    case settingMode(request: Int, ACPSetting, target: String)
    case settingModel(request: Int, model: String)
  }

  /// How far the session is.
  enum Phase: Equatable {
    case opening(Step)
    case open
    /// It was told that it cannot be used, or nothing was told yet.
    case idle
  }

  /// The prompt that the agent works on.
  struct Prompt: Equatable {
    /// nil for what the agent began by itself.
    let request: Int?
    /// Whether it is one of the agent's own commands, which may have nothing to say.
    var isCommand = false
    var turn = AgentTurn()
    var state = State.working

    /// Whether it is to be answered or to be stopped.
    enum State: Equatable { case working, cancelling }
  }

  let settings: ChildSettings
  let start: AgentSessionStart
  package internal(set) var description: AgentDescription
  package var effects: [DialectEffect] = []
  var phase = Phase.idle
  /// The prompt in the agent's hands.
  var prompt: Prompt?
  /// The one before, of which more may come late.
  var lastPrompt: Prompt?
  /// What was seen in this mode: that it asked for permission, and that it acted before it ever had.
  var (hasAsked, hasActedUnasked) = (false, false)
  var usage = UsageMeter()
  var unknown = UnknownRequests()
  var abilities = ACPAbilities()
  package internal(set) var commands: [String] = []
  /// What can be set, as the session told it when it was opened, and what became of it; nil where it has no such setting.
  var mode: ACPSetting?
  var model: ACPSetting?
  /// Changes that were asked for, by our request.
  var changes: [Int: SettingChange] = [:]
  var numbers = OwnNumbers()

  package init(_ settings: ChildSettings, start: AgentSessionStart) {
    self.settings = settings
    self.start = start
    description = AgentDescription(name: settings.name, capabilities: [.cancel])
  }

  /// Send one line.
  mutating func send(_ bytes: [UInt8]) { effects.append(.send(bytes)) }

  /// Send a request. The result is its number, by which the answer is known.
  mutating func request(_ method: String, _ parameters: JSON) -> Int {
    let number = numbers.request()
    send(RPCForm.complete.request(number, method, parameters))
    return number
  }

  /// The parameters that name the open session.
  func inSession(_ more: [String: JSON] = [:]) -> JSON {
    .object(more.merging(["sessionId": .string(description.session?.rawValue ?? "")]) { first, _ in first })
  }
}

// What the dialect is told.
extension ACPDialect {
  static let cancelledOutcome: JSON = ["outcome": ["outcome": "cancelled"]]

  /// The first request of every child.
  static let initialization: JSON = [
    "protocolVersion": 1,
    "clientInfo": ["name": "parley", "version": "1"],
    "clientCapabilities": ["fs": ["readTextFile": true, "writeTextFile": true], "terminal": false],
  ]

  package mutating func launched() {
    phase = .opening(.initializing(request: request("initialize", Self.initialization)))
  }

  package mutating func receive(_ message: JSON) {
    switch RPCMessage(message) {
    case .answer(let request, let result): answered(request, result)
    case .request(let id, let method, let parameters): asked(id, method, parameters)
    case .notification(let method, let parameters): notified(method, parameters)
    case nil: break
    }
  }

  package mutating func startTurn(_ text: String) { startTurn([["type": "text", "text": .string(text)]]) }

  /// A remark is a block of its own, whose annotation says that it is for the agent: an agent that looks knows it from
  /// the user's words, and one that does not puts it behind them.
  package mutating func startTurn(_ text: String, remark: String) {
    startTurn([
      ["type": "text", "text": .string(text)],
      ["type": "text", "text": .string(remark), "annotations": ["audience": ["assistant"]]],
    ])
  }

  private mutating func startTurn(_ content: JSON) {
    usage.startRun()
    let isCommand = content.elements.first?["text"]?.string?.hasPrefix("/") == true
    prompt = Prompt(request: request("session/prompt", inSession(["prompt": content])), isCommand: isCommand)
  }

  package mutating func cancelTurn() {
    guard var current = prompt else { return }
    send(RPCForm.complete.notification("session/cancel", inSession()))
    let open = current.turn.withdrawAll()
    current.state = .cancelling
    prompt = current
    for request in open.requests { send(RPCForm.complete.result(of: request, Self.cancelledOutcome)) }
    report(open.events)
  }

  package mutating func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice) {
    guard let open = prompt?.turn.close(permission, choosing: choice) else { return }
    // Never more than the user said: a choice that is not offered is no answer, not the next best one.
    if let option = open.options[choice] {
      send(RPCForm.complete.result(of: open.request, ["outcome": ["outcome": "selected", "optionId": option]]))
    } else {
      send(RPCForm.complete.result(of: open.request, Self.cancelledOutcome))
    }
  }

  /// Version 1 has no questions.
  package mutating func answer(_ question: QuestionID, with answer: AgentQuestion.Answer) {}

  package mutating func served(_ request: FileRequest, _ answer: Result<JSON, RPCError>) {
    switch answer {
    case .success(let result):
      send(RPCForm.complete.result(of: request.request, result))
      // It is Parley that wrote: the user sees it, whatever the agent tells.
      guard case .write = request.operation else { return }
      let path = request.path.shortened(to: ConverseLimits.reasonCharacters)
      report([.status(text: "\(description.name) had \(path) written.")])
    case .failure(let error): send(RPCForm.complete.error(of: request.request, code: error.code, error.message))
    }
  }

  package mutating func abandonTurn() {
    guard var current = prompt.take() else { return }
    report(current.turn.end())
  }

  package mutating func settle() {
    guard let current = prompt, current.request == nil, !current.turn.isOpen else { return }
    (prompt, lastPrompt) = (nil, current)
    report([.status(text: "\(description.name) tells no end of what it begins by itself; nothing of it is open.")])
    effects.append(.ended(.completed))
  }

  package mutating func terminate() {
    if abilities.closesSessions { _ = request("session/close", inSession()) }
  }
}

/// What an agent told of itself in the answer to `initialize`.
struct ACPAbilities: Equatable, Sendable {
  var resumesSessions = false
  var loadsSessions = false
  var forksSessions = false
  var listsSessions = false
  var closesSessions = false
  var deletesSessions = false
  var authenticationMethods: [String] = []

  init() {}

  /// What an agent said of itself when it was initialised.
  init(answer: JSON) {
    let agent = answer["agentCapabilities"] ?? .null
    let sessions = agent["sessionCapabilities"] ?? .null
    // An ability is there as an object, or as true.
    func has(_ name: String) -> Bool { sessions[name].map { $0 != .null && $0 != .bool(false) } ?? false }
    resumesSessions = has("resume")
    forksSessions = has("fork")
    listsSessions = has("list")
    closesSessions = has("close")
    deletesSessions = has("delete")
    loadsSessions = agent["loadSession"]?.bool ?? false
    authenticationMethods = (answer["authMethods"]?.elements ?? []).compactMap { $0["name"]?.string }
  }

  /// The same in the words of the contract.
  var capabilities: AgentCapabilities {
    var capabilities: AgentCapabilities = [.cancel]
    capabilities.set(.resume, resumesSessions || loadsSessions)
    capabilities.set(.fork, forksSessions)
    capabilities.set(.list, listsSessions)
    return capabilities
  }
}
