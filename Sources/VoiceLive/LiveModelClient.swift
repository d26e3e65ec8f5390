import VoiceSystem
package import VoiceVocabulary
package import VoiceWebSocket

/// The listener: the live-model connection that hears the microphone.
///
/// Called by the session's steps; events are posted by the service thread. The resumption handle stays in here and
/// never becomes part of an event.
package final class LiveModelClient: LiveModelPort, Sendable {
  private struct Open {
    var id: ConnectionID
    var link: LiveLink
    var isResuming: Bool
    /// Whether a piece of transcript was posted that no final piece has followed.
    var hasOpenTranscript = false
    /// Tool calls that were neither answered nor withdrawn. Each gets one answer; a late one would end the connection.
    var calls: [CallID] = []
    /// The latest calls that were answered. A server may withdraw them all the same, and call anew.
    var answered: [CallID] = []
    /// The newest turn of the model that was interrupted: what still comes of it is dropped.
    var interrupted: ModelTurnID?
    var inputTokens = 0
    var outputTokens = 0

    /// Whether this turn is over for us.
    func isStale(_ turn: ModelTurnID) -> Bool { interrupted.map { turn <= $0 } ?? false }
  }

  private struct State {
    var open: Open?
    /// To be opened once the connection before it is closed: a server refuses to resume a session that is in use.
    var next: (id: ConnectionID, isResuming: Bool)?
    var handle: String?
    /// Words to expect on the next connection; nil for those of the setup.
    var vocabulary: [String]?
  }

  private enum Effect: Sendable {
    case post(VoiceEvent)
    case open(LiveLink, handle: String?)
    case close(LiveLink)
  }

  private let service: WebSocketService
  private let endpoint: LiveEndpoint
  private let setup: LiveSetup
  private let tap: WireTap?
  private let post: @Sendable (VoiceEvent) -> Void
  private let state = OrderedEffects<State, Effect>(State())

  /// - Parameters:
  ///   - tap: Gets what goes over the wire, so that it can be recorded.
  ///   - post: Takes every event; any thread may call it.
  package init(
    service: WebSocketService, endpoint: LiveEndpoint, listening: LiveSetup.Listening, tap: WireTap? = nil,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.service = service
    self.endpoint = endpoint
    self.tap = tap
    setup = LiveSetup(role: .listener(listening), model: endpoint.model, voice: endpoint.voice)
    self.post = post
  }

  /// The newest connection that was asked for and is not closed; any thread.
  package var currentConnection: ConnectionID? { state.withLock { $0.next?.id ?? $0.open?.id } }

  /// Words that the recogniser should expect, from the next setup on; any thread. They may be known only some time after
  /// the start.
  package func expect(_ vocabulary: [String]) {
    state.withLock { $0.vocabulary = Array(vocabulary.prefix(LiveLimits.vocabularyWords)) }
  }

  private var currentSetup: LiveSetup {
    guard let vocabulary = state.withLock({ $0.vocabulary }), case .listener(var listening) = setup.role else {
      return setup
    }
    listening.vocabulary = vocabulary
    var current = setup
    current.role = .listener(listening)
    return current
  }

  package func openLink(_ connection: ConnectionID, resuming: Bool) {
    step { state in
      if !resuming { state.handle = nil }
      guard let open = state.open else { return begin(connection, isResuming: resuming, &state) }
      let replaced = state.next.map { [Effect.post(Self.closedByUs($0.id))] } ?? []
      state.next = (connection, resuming)
      return replaced + [.close(open.link)]
    }
  }

  package func closeLink(_ connection: ConnectionID) {
    step { state in
      if state.next?.id == connection {
        state.next = nil
        return [.post(Self.closedByUs(connection))]
      }
      guard let open = state.open, open.id == connection else { return [] }
      return [.close(open.link)]
    }
  }

  package func send(_ frame: MicrophoneFrame, on connection: ConnectionID) {
    link(connection)?.send(frame)
  }

  package func sendActivityStart(on connection: ConnectionID) { link(connection)?.send(.activityStart) }

  package func sendActivityEnd(on connection: ConnectionID) { link(connection)?.send(.activityEnd) }

  package func truncate(_ turn: ModelTurnID, heardMilliseconds: Int, on connection: ConnectionID) {
    link(connection)?.send(.truncate(turn: turn, heardMilliseconds: heardMilliseconds))
  }

  package func answer(_ call: CallID, with answer: String) {
    let link = state.withLock { state -> LiveLink? in
      guard state.open?.id == call.connection, let index = state.open?.calls.firstIndex(of: call) else { return nil }
      state.open?.calls.remove(at: index)
      state.open?.answered.append(call)
      if let count = state.open?.answered.count, count > LiveLimits.openCalls { state.open?.answered.removeFirst() }
      return state.open?.link
    }
    link?.send(.answer(id: call.id, tool: call.tool, text: answer))
  }

  private func link(_ connection: ConnectionID) -> LiveLink? {
    state.withLock { $0.open?.id == connection ? $0.open?.link : nil }
  }

  private func step(by source: EffectSource = .caller, _ decide: (inout State) -> [Effect]) {
    state.step(by: source, decide) { effect in
      switch effect {
      case .post(let event): post(event)
      case .open(let link, let handle): link.open(on: service, setup: { [self] in currentSetup }, handle: handle)
      case .close(let link): link.close()
      }
    }
  }

  private func begin(_ connection: ConnectionID, isResuming: Bool, _ state: inout State) -> [Effect] {
    let handle = isResuming ? state.handle : nil
    let tap = tap?.connection(connection.rawValue)
    let link = LiveLink(endpoint: endpoint, isResuming: handle != nil, tap: tap) { [self] _, event in
      step(by: .reader) { state in
        switch event {
        case .spoke(let event): receive(event, as: connection, &state)
        case .closed(let failure): closed(connection, failure, &state)
        }
      }
    }
    state.open = Open(id: connection, link: link, isResuming: handle != nil)
    return [.open(link, handle: handle)]
  }

  private func closed(_ connection: ConnectionID, _ failure: LinkFailure, _ state: inout State) -> [Effect] {
    if failure.remedy == .newSession { state.handle = nil }
    state.open = nil
    let next = state.next.take()
    return [.post(.linkClosed(connection: connection, failure: failure))]
      + (next.map { begin($0.id, isResuming: $0.isResuming, &state) } ?? [])
  }

  private static func closedByUs(_ connection: ConnectionID) -> VoiceEvent {
    .linkClosed(
      connection: connection,
      failure: LinkFailure(remedy: .none, reason: "The connection was given up before it began."))
  }

  private func receive(_ event: DialectEvent, as id: ConnectionID, _ state: inout State) -> [Effect] {
    guard var open = state.open, open.id == id else { return [] }
    defer { state.open = open }
    if case .resumption(let handle?, isResumable: true) = event { state.handle = handle }
    return Self.events(event, &open).map(Effect.post)
  }

  private static func events(_ event: DialectEvent, _ open: inout Open) -> [VoiceEvent] {
    let id = open.id
    switch event {
    case .setUp: return [.linkReady(connection: id, resumed: open.isResuming)]
    case .audio(let turn, let audio):
      return open.isStale(turn) ? [] : [.modelAudio(connection: id, audio: audio, turn: turn)]
    case .inputTranscription(let text, let isFinal, let hearing):
      open.hasOpenTranscript = !isFinal
      return [.userTranscribed(connection: id, text: text, isFinal: isFinal, hearing: hearing)]
    case .interimTranscription(let text): return [.interimTranscribed(connection: id, text: text)]
    case .outputTranscription(let turn, let text):
      return open.isStale(turn) ? [] : [.modelTranscribed(connection: id, text: text)]
    case .generationComplete: return endTranscript(&open) + [.modelAudioEnded(connection: id)]
    case .interrupted(let turn):
      open.interrupted = turn
      return endTranscript(&open) + [.modelInterrupted(connection: id)]
    case .turnComplete(_, let isIdle):
      return isIdle ? endTranscript(&open) + [.modelTurnEnded(connection: id)] : []
    case .toolCall(let call, let tool, let argument):
      // A call ends the utterance just as well as a final piece would.
      open.hasOpenTranscript = false
      let call = CallID(connection: id, id: call, tool: tool)
      if open.calls.count == LiveLimits.openCalls { open.calls.removeFirst() }
      open.calls.append(call)
      return [Self.event(of: call, argument)]
    case .toolCallCancellation(let ids):
      let withdrawn = (open.answered + open.calls).filter { ids.contains($0.id) }
      open.answered.removeAll { ids.contains($0.id) }
      open.calls.removeAll { ids.contains($0.id) }
      return withdrawn.isEmpty ? [] : [.callsWithdrawn(calls: withdrawn)]
    case .goAway(let milliseconds): return [.linkExpiring(connection: id, milliseconds: milliseconds)]
    case .resumption(_, let isResumable): return [.resumptionChanged(connection: id, isPossible: isResumable)]
    case .usage(let input, let output):
      open.inputTokens = open.inputTokens.addingSaturated(input)
      open.outputTokens = open.outputTokens.addingSaturated(output)
      return [.modelUsage(connection: id, inputTokens: open.inputTokens, outputTokens: open.outputTokens)]
    case .voiceActivity(let isStart): return [isStart ? .voiceStarted(detector: .model) : .voiceEnded(detector: .model)]
    case .failed(_, let reason): return [.linkErred(connection: id, reason: reason)]
    // The link closes, and tells why.
    case .refused, .unknown, .malformed: return []
    }
  }

  /// Live models seldom say that a transcript is final: the end of what they do about it says so.
  private static func endTranscript(_ open: inout Open) -> [VoiceEvent] {
    defer { open.hasOpenTranscript = false }
    return open.hasOpenTranscript ? [.userTranscribed(connection: open.id, text: "", isFinal: true)] : []
  }

  private static func event(of call: CallID, _ argument: String?) -> VoiceEvent {
    switch (call.tool, argument) {
    case (LiveSetup.converse.name, let text?): .instructionProposed(call: call, text: text)
    case (LiveSetup.converse.name, nil):
      .callRejected(call: call, reason: "converse was called without an instruction.")
    case (LiveSetup.stop.name, _): .stopRequested(call: call)
    default: .callRejected(call: call, reason: "there is no tool named “\(call.tool.prefix(64))”.")
    }
  }
}
