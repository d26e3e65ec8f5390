package import VoiceCore

/// A Duck Talk server behind the port: one streamed HTTP request for each run, the conversation carried on by its
/// session identifier. A request is never repeated by itself.
///
/// The server never asks for permission and cannot be told to stop: a halt closes the connection. `run()` must be
/// awaited beside the session; the connection's thread ends with it.
package final class DuckTalkAgent: ConverseAgent {
  /// What is sent with every instruction, and where to.
  package struct Settings: Sendable {
    package var address: HTTPAddress
    /// The name of the environment variable with a bearer token, for a server behind a gateway.
    package var tokenVariable: String?
    package var model = "sonnet"
    package var systemPrompt =
      "The user talks to you and hears your answer read aloud. Answer in short plain sentences."
    /// Duck Talk's own default is `plan`, in which nothing is changed.
    package var permissionMode: String?
    package var certificateAuthorityFile: String?
    package var silenceMilliseconds = ConverseLimits.silenceMilliseconds

    package init(address: HTTPAddress, tokenVariable: String? = nil) {
      self.address = address
      self.tokenVariable = tokenVariable
    }
  }

  private enum Effect: Sendable {
    case probe
    case request(RunID, HTTPRequest)
    case cancel(HTTPStream.Transfer)
    case post(VoiceEvent)
  }

  private struct Run: Sendable {
    let id: RunID
    var turn: DuckTalkTurn
    /// nil until the request has left.
    var transfer: HTTPStream.Transfer?
  }

  private enum Life: Sendable { case open, over }

  private struct State: Sendable {
    var life = Life.open
    var run: Run?
    var session: String?
    var effects = EffectQueue<Effect>()
  }

  private let settings: Settings
  private let server: DuckTalkServer
  private let http: HTTPStream
  private let post: @Sendable (VoiceEvent) -> Void
  private let state = Locked(State())
  private let end: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  package init(_ settings: Settings, post: @escaping @Sendable (VoiceEvent) -> Void) {
    self.settings = settings
    self.post = post
    server = DuckTalkServer(address: settings.address, tokenVariable: settings.tokenVariable)
    http = HTTPStream(certificateAuthorityFile: settings.certificateAuthorityFile)
    (end, ending) = AsyncStream.makeStream()
  }

  package func openAgent() { step { $0.life == .open ? [.probe] : [] } }

  package func startRun(_ run: RunID, _ instruction: Instruction) {
    step { state in
      guard state.life == .open else { return Self.reports([.turnEnded(end: .failed(reason: Self.overReason))], run) }
      guard state.run == nil else {
        let reason = "Duck Talk is still at work on the instruction before; this one was not sent."
        return Self.reports([.turnEnded(end: .failed(reason: reason))], run)
      }
      state.run = Run(id: run, turn: DuckTalkTurn(server: server))
      return Self.reports([.turnStarted], run) + [.request(run, request(instruction, session: state.session))]
    }
  }

  package func cancelRun(_ run: RunID) {
    step { state in
      guard state.run?.id == run, let current = state.run.take() else { return [] }
      var turn = current.turn
      return Self.reports(turn.cancel(), run) + (current.transfer.map { [.cancel($0)] } ?? [])
    }
  }

  package func run() async {
    await withTaskCancellationHandler {
      for await _ in end {}
    } onCancel: {
      shutDown()
    }
    await http.close()
  }

  package func shutDown() {
    step { state in
      state.life = .over
      guard let current = state.run.take() else { return [] }
      return Self.reports([.turnEnded(end: .failed(reason: Self.overReason))], current.id)
    }
    ending.finish()
  }

  private static let overReason = "The session is over."

  private static func reports(_ events: [AgentEvent], _ run: RunID) -> [Effect] {
    events.map { .post(.agentReported(run: run, event: $0)) }
  }

  private func request(_ instruction: Instruction, session: String?) -> HTTPRequest {
    var body: [String: JSON] = [
      "instruction": .string(instruction.text), "model": .string(settings.model),
      "system_prompt": .string(settings.systemPrompt),
    ]
    if let session { body["session_id"] = .string(session) }
    if let mode = settings.permissionMode { body["permission_mode"] = .string(mode) }
    var request = HTTPRequest(
      .post, settings.address, "/api/converse",
      headers: ["Content-Type: application/json", "Accept: text/event-stream"], body: JSON.object(body).bytes,
      tokenVariable: settings.tokenVariable)
    request.silenceMilliseconds = settings.silenceMilliseconds
    return request
  }

  /// Decide under the lock, do outside of it, in the order of the decisions.
  private func step(_ decide: (inout State) -> [Effect]) {
    let isPerformer = state.withLock { state in
      let effects = decide(&state)
      return state.effects.add(effects)
    }
    guard isPerformer else { return }
    while let effect = state.withLock({ $0.effects.next() }) { perform(effect) }
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .post(let event): post(event)
    case .cancel(let transfer): http.cancel(transfer)
    case .probe: probe()
    case .request(let run, let request):
      let transfer = http.start(request) { event in self.step { Self.take(event, of: run, &$0) } }
      step { state in
        // A halt may have come first.
        guard state.run?.id == run else { return [.cancel(transfer)] }
        state.run?.transfer = transfer
        return []
      }
    }
  }

  private static func take(_ event: HTTPEvent, of run: RunID, _ state: inout State) -> [Effect] {
    guard state.run?.id == run, let events = state.run?.turn.apply(event) else { return [] }
    var effects = reports(events, run)
    if case .turnEnded = events.last, let current = state.run.take() {
      // A failed turn leaves the conversation where it was.
      state.session = current.turn.session ?? state.session
      // What the server sends after its end is of no interest.
      if let transfer = current.transfer { effects.append(.cancel(transfer)) }
    }
    return effects
  }

  /// Any answer but a refusal shows that a server is there; its own calls are tried by the first run.
  private func probe() {
    var request = HTTPRequest(.get, settings.address, "/api/config", tokenVariable: settings.tokenVariable)
    request.connectMilliseconds = ConverseLimits.probeMilliseconds
    request.silenceMilliseconds = ConverseLimits.probeMilliseconds
    let status = Locked(0)
    _ = http.start(request) { [post, server] event in
      switch event {
      case .head(let number, _): status.withLock { $0 = number }
      case .bytes, .ended(.cancelled): break
      case .ended(.complete):
        let number = status.withLock { $0 }
        if [401, 403].contains(number) || number >= 500 {
          post(.agentUnavailable(reason: server.reason(status: number, body: [])))
        } else {
          post(.agentReady(agent: AgentDescription(name: "Duck Talk")))
        }
      case .ended(.failed(let failure)): post(.agentUnavailable(reason: server.reason(failure)))
      }
    }
  }
}
