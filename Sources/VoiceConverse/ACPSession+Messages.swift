import VoiceCore

/// What the agent says.
extension ACPSession {
  mutating func answered(_ request: Int, _ result: Result<JSON, RPCError>) {
    switch phase {
    case .starting(.initializing(request)): initialized(result)
    case .starting(.openingSession(request)): sessionOpened(result)
    case .starting(.settingMode(request, let mode, let target, let session)):
      modeSet(result, mode, target: target, session: session)
    default:
      if run?.request == request { promptEnded(result) }
    }
  }

  private mutating func initialized(_ result: Result<JSON, RPCError>) {
    switch result {
    case .failure(let error): end(because: sentence(error))
    case .success(let answer):
      if let info = answer["agentInfo"], let name = info["title"]?.string ?? info["name"]?.string, !name.isEmpty {
        description.name = name.shortened(to: ConverseLimits.titleCharacters)
      }
      guard answer["protocolVersion"]?.integer == 1 else {
        let version = answer["protocolVersion"]?.integer.map { "version \($0)" } ?? "an unknown version"
        return end(
          because: """
            \(description.name) speaks \(version) of the Agent Client Protocol, and this program speaks version 1. \
            Use a release of the agent that speaks version 1.
            """)
      }
      authenticationMethods = (answer["authMethods"]?.elements ?? []).compactMap { $0["name"]?.string }
      let request = request("session/new", ["cwd": .string(settings.workingFolder), "mcpServers": []])
      phase = .starting(.openingSession(request: request))
    }
  }

  private mutating func sessionOpened(_ result: Result<JSON, RPCError>) {
    switch result {
    case .failure(let error): end(because: sentence(error))
    case .success(let answer):
      guard let session = answer["sessionId"]?.string else {
        return end(because: "\(description.name) opened a session without a name. Update the agent.")
      }
      used = AgentUsage(inputTokens: 0, outputTokens: 0, costInDollars: 0)
      guard let mode = ACPMode(session: answer) else {
        if let preferred = settings.preferredMode {
          notices.append("\(description.name) has no modes, so it cannot be put into “\(preferred)”.")
        }
        return ready(session, asks: settings.asksWithoutModes)
      }
      guard let target = mode.target(preferred: settings.preferredMode) else {
        let wanted = settings.preferredMode.map { "no mode “\($0)”" } ?? "no mode that is known to ask"
        let offer = mode.offered.joined(separator: ", ").shortened(to: ConverseLimits.reasonCharacters)
        notices.append("\(description.name) has \(wanted); it is in “\(mode.current)” and offers: \(offer).")
        return ready(session, asks: ACPMode.asking.contains(mode.current))
      }
      if mode.current == target { return ready(session, asks: ACPMode.asking.contains(target)) }
      let (method, parameters) = mode.request(target, session: session)
      let request = request(method, parameters)
      phase = .starting(.settingMode(request: request, mode, target: target, session: session))
    }
  }

  /// Check that the mode took: an option answers with its new value, the old call only without an error.
  private mutating func modeSet(_ result: Result<JSON, RPCError>, _ mode: ACPMode, target: String, session: String) {
    let trouble: String? =
      switch result {
      case .failure(let error): error.message.shortened(to: ConverseLimits.reasonCharacters)
      case .success(let answer):
        if let now = ACPMode(session: answer)?.current, now != target { "it stays in “\(now)”" } else { nil }
      }
    if let trouble {
      notices.append("\(description.name) did not change to the mode “\(target)”: \(trouble).")
      ready(session, asks: ACPMode.asking.contains(mode.current))
    } else {
      ready(session, asks: ACPMode.asking.contains(target))
    }
  }

  private mutating func ready(_ session: String, asks: Bool) {
    description.capabilities.set(.ask, asks)
    description.session = AgentSessionID(rawValue: session)
    phase = .ready(session: session)
    timesReady += 1
    announce()
    proceed()
  }

  private mutating func promptEnded(_ result: Result<JSON, RPCError>) {
    switch result {
    case .failure(let error): endRun(.failed(reason: sentence(error)))
    case .success(let answer):
      if let usage = answer["usage"] {
        used.inputTokens = usage["inputTokens"]?.integer ?? used.inputTokens
        used.outputTokens = usage["outputTokens"]?.integer ?? used.outputTokens
        reportUsage()
      }
      endRun(end(answer["stopReason"]?.string))
    }
    proceed()
  }

  private func end(_ stopReason: String?) -> AgentTurnEnd {
    switch stopReason {
    case "end_turn", nil: .completed
    case "cancelled": .cancelled
    case "max_tokens": .stopped(reason: "It reached its limit of tokens; say “go on” to continue.")
    case "max_turn_requests": .stopped(reason: "It reached its limit of requests in one turn; say “go on” to continue.")
    case "refusal": .stopped(reason: "It refuses to go on with this.")
    case let other?: .stopped(reason: "It gave this reason: \(other.shortened(to: ConverseLimits.titleCharacters)).")
    }
  }

  private mutating func reportUsage() {
    guard let run else { return }
    func grown(_ now: Int?, _ before: Int?) -> Int? {
      // An agent that counts each run by itself shrinks; then the number is already what is wanted.
      now.map { $0 >= before ?? 0 ? $0 - (before ?? 0) : $0 }
    }
    let cost = (used.costInDollars ?? 0) - (usedBefore.costInDollars ?? 0)
    let usage = AgentUsage(
      inputTokens: grown(used.inputTokens, usedBefore.inputTokens),
      outputTokens: grown(used.outputTokens, usedBefore.outputTokens), costInDollars: cost > 0 ? cost : nil)
    report([.usage(usage: usage)], of: run.id)
  }

  private func sentence(_ error: RPCError) -> String {
    let name = description.name
    let words = error.message.shortened(to: ConverseLimits.reasonCharacters)
    switch error.code {
    case RPCError.authenticationRequired:
      let ways = authenticationMethods.isEmpty ? "" : " (\(authenticationMethods.joined(separator: ", ")))"
      return "\(name) wants you to sign in first\(ways). Start it once in a terminal and sign in, then try again."
    case RPCError.methodNotFound: return "\(name) does not know a call that it must know: \(words). Update the agent."
    case RPCError.invalidParameters: return "\(name) did not understand the call: \(words). Update the agent."
    default: return words.isEmpty ? "\(name) reported error \(error.code)." : "\(name) reported an error: \(words)"
    }
  }
}

// Requests and notifications of the agent.
extension ACPSession {
  mutating func asked(_ id: JSON, _ method: String, _ parameters: JSON) {
    switch method {
    case "session/request_permission":
      let permission = nextPermission()
      guard let current = run, current.state == .working, parameters["sessionId"]?.string == current.session,
        let events = run?.turn.ask(permission, request: id, parameters)
      else {
        // Late, or after a halt, or nothing to choose from: nobody will answer.
        return act(.send(RPCMessage.result(of: id, Self.cancelledOutcome)))
      }
      report(events, of: current.id)
    case "fs/read_text_file", "fs/write_text_file":
      act(.send(RPCMessage.error(of: id, code: RPCError.methodNotFound, "this client gives no access to files")))
    default:
      act(.send(RPCMessage.error(of: id, code: RPCError.methodNotFound, "unknown method")))
    }
  }

  mutating func notified(_ method: String, _ parameters: JSON) {
    switch method {
    case "$/cancel_request":
      guard let request = parameters["requestId"] ?? parameters["id"], let id = run?.id else { return }
      let events = run?.turn.withdraw(request: request) ?? []
      guard !events.isEmpty else { return }
      act(.send(RPCMessage.error(of: request, code: RPCError.requestCancelled, "the request was cancelled")))
      report(events, of: id)
    case "session/update": updated(parameters)
    case "_session/retrying":
      // Vibe's own notification: on a failing model it is the only sign of life for minutes.
      guard let run, run.state == .working else { return }
      let detail = parameters["detail"]?.string ?? parameters["category"]?.string ?? "its model does not answer"
      let words = detail.shortened(to: ConverseLimits.reasonCharacters)
      report([.status(text: "\(description.name) tries again: \(words)")], of: run.id)
    default: break
    }
  }

  /// Updates of another session, or outside a run, are late or a replay: nobody wants to hear them.
  private mutating func updated(_ parameters: JSON) {
    guard let current = run, parameters["sessionId"]?.string == current.session, let update = parameters["update"]
    else { return }
    if update["sessionUpdate"]?.string == "usage_update" {
      guard let cost = update["cost"], cost["currency"]?.string ?? "USD" == "USD", let amount = cost["amount"]?.number
      else { return }
      used.costInDollars = amount
      return reportUsage()
    }
    let events = run?.turn.apply(update) ?? []
    switch current.state {
    case .working: report(events, of: current.id)
    // After a halt only the ends of tools are news.
    case .cancelling: report(events.filter { if case .toolFinished = $0 { true } else { false } }, of: current.id)
    }
  }
}
