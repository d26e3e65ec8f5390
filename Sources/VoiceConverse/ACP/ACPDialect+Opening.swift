import VoiceJSON
import VoiceVocabulary

/// How a session is opened: initialize, the session, its mode, its model.
extension ACPDialect {
  /// A step of the opening was answered: take the next one, or the session stands.
  mutating func opened(_ step: Step, _ result: Result<JSON, RPCError>) {
    switch step {
    case .initializing: initialized(result)
    case .openingSession(_, let wanted): sessionOpened(result, wanted)
    case .settingMode(_, let mode, let target): modeSet(result, mode, target: target)
    case .settingModel(_, let model): modelSet(result, model)
    }
  }

  private mutating func refuse(_ reason: String) {
    phase = .idle
    effects.append(.unusable(reason: reason))
  }

  private mutating func initialized(_ result: Result<JSON, RPCError>) {
    switch result {
    case .failure(let error): refuse(sentence(error))
    case .success(let answer):
      if let info = answer["agentInfo"], let name = info["title"]?.string ?? info["name"]?.string, !name.isEmpty {
        description.name = name.shortened(to: ConverseLimits.titleCharacters)
      }
      guard answer["protocolVersion"]?.integer == 1 else {
        let version = answer["protocolVersion"]?.integer.map { "version \($0)" } ?? "an unknown version"
        return refuse(
          """
          \(description.name) speaks \(version) of the Agent Client Protocol, and this program speaks version 1. \
          Use a release of the agent that speaks version 1.
          """)
      }
      abilities = ACPAbilities(answer: answer)
      description.capabilities = abilities.capabilities
      openSession()
    }
  }

  private mutating func openSession() {
    let folder: [String: JSON] = ["cwd": .string(settings.workingFolder), "mcpServers": []]
    func earlier(_ id: AgentSessionID) -> JSON {
      .object(folder.merging(["sessionId": .string(id.rawValue)]) { first, _ in first })
    }
    if let refusal = start.refusal(by: description.name, that: description.capabilities) { return refuse(refusal) }
    let request: Int
    var wanted: AgentSessionID?
    switch start {
    case .new: request = self.request("session/new", .object(folder))
    case .resume(let id):
      wanted = id
      request = self.request(abilities.resumesSessions ? "session/resume" : "session/load", earlier(id))
    case .fork(let id, _): request = self.request("session/fork", earlier(id))
    }
    phase = .opening(.openingSession(request: request, wanted: wanted))
  }

  private mutating func sessionOpened(_ result: Result<JSON, RPCError>, _ wanted: AgentSessionID?) {
    switch result {
    case .failure(let error):
      if let wanted, error.code != RPCError.authenticationRequired {
        let words = error.message.shortened(to: ConverseLimits.reasonCharacters)
        return refuse("\(description.name) cannot go on with the session \(wanted.rawValue): \(words)")
      }
      refuse(sentence(error))
    case .success(let answer):
      // An earlier session keeps its name, and need not repeat it.
      guard let session = answer["sessionId"]?.string ?? wanted?.rawValue else {
        return refuse("\(description.name) opened a session without a name. Update the agent.")
      }
      let opened = AgentSessionID(rawValue: session)
      if let refusal = start.refusal(by: description.name, thatOpened: opened) { return refuse(refusal) }
      description.session = opened
      mode = ACPSetting(.mode, session: answer)
      model = ACPSetting(.model, session: answer)
      chooseMode()
    }
  }

  private mutating func chooseMode() {
    guard let mode else {
      if let preferred = settings.preferredMode {
        let words = "\(description.name) has no modes, so it cannot be put into “\(preferred)”."
        if settings.insistsOnMode { return refuse(words) }
        effects.append(.notice(words))
      }
      return chooseModel()
    }
    guard let target = mode.target(preferred: settings.preferredMode) else {
      let wanted = settings.preferredMode.map { "no mode “\($0)”" } ?? "no mode that is known to ask"
      let offer = mode.offered.joined(separator: ", ").shortened(to: ConverseLimits.reasonCharacters)
      let words = "\(description.name) has \(wanted); it is in “\(mode.current)” and offers: \(offer)."
      if settings.insistsOnMode { return refuse(words) }
      effects.append(.notice(words))
      return chooseModel()
    }
    if settings.preferredMode == nil, target == ACPSetting.readOnly {
      let offer = mode.offered.joined(separator: ", ").shortened(to: ConverseLimits.reasonCharacters)
      effects.append(
        .notice(
          """
          \(description.name) is in the mode “\(target)”: it may refuse to change anything instead of asking. It offers: \
          \(offer).
          """))
    }
    if mode.current == target { return chooseModel() }
    let (method, parameters) = mode.request(target, session: description.session?.rawValue ?? "")
    phase = .opening(.settingMode(request: request(method, parameters), mode, target: target))
  }

  /// Check that the mode took: an option answers with its new value, the old call only without an error.
  private mutating func modeSet(_ result: Result<JSON, RPCError>, _ mode: ACPSetting, target: String) {
    let trouble: String? =
      switch result {
      case .failure(let error): error.message.shortened(to: ConverseLimits.reasonCharacters)
      case .success(let answer):
        if let now = ACPSetting(.mode, session: answer)?.current, now != target { "it stays in “\(now)”" } else { nil }
      }
    if let trouble {
      let words = "\(description.name) did not change to the mode “\(target)”: \(trouble)."
      if settings.insistsOnMode { return refuse(words) }
      effects.append(.notice(words))
      chooseModel()
    } else {
      self.mode?.current = target
      chooseModel()
    }
  }

  private mutating func chooseModel() {
    // A mode may be called “ask” and act unasked: what an agent asks for is known once it has asked.
    description.capabilities.set(settings.asksWithoutModes ? .ask : .mayAsk, true)
    guard let wanted = settings.model else { return becomeReady() }
    guard let model else { return refuse(AgentSpecification.noModels(description.name)) }
    guard model.route != .call || model.offered.contains(wanted) else {
      let offer = model.offered.joined(separator: ", ").shortened(to: ConverseLimits.reasonCharacters)
      return refuse("\(description.name) has no model “\(wanted)”. It offers: \(offer).")
    }
    let (method, parameters) = model.request(wanted, session: description.session?.rawValue ?? "")
    phase = .opening(.settingModel(request: request(method, parameters), model: wanted))
  }

  private mutating func modelSet(_ result: Result<JSON, RPCError>, _ model: String) {
    if case .failure(let error) = result {
      let words = error.message.shortened(to: ConverseLimits.reasonCharacters)
      return refuse("\(description.name) did not change to the model “\(model)”: \(words).")
    }
    self.model?.current = model
    becomeReady()
  }

  private mutating func becomeReady() {
    phase = .open
    effects += [.ready, .controls(controls)]
  }

  /// An error of the agent, as a sentence.
  func sentence(_ error: RPCError) -> String {
    let name = description.name
    let words = error.message.shortened(to: ConverseLimits.reasonCharacters)
    switch error.code {
    case RPCError.authenticationRequired:
      let methods = abilities.authenticationMethods
      let ways = methods.isEmpty ? "" : " (\(methods.joined(separator: ", ")))"
      return "\(name) wants you to sign in first\(ways). Start it once in a terminal and sign in, then try again."
    case RPCError.methodNotFound: return "\(name) does not know a call that it must know: \(words). Update the agent."
    case RPCError.invalidParameters: return "\(name) did not understand the call: \(words). Update the agent."
    default: return words.isEmpty ? "\(name) reported error \(error.code)." : "\(name) reported an error: \(words)"
    }
  }
}
