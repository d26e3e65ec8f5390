package import VoiceJSON
package import VoiceVocabulary

/// One way of speaking with an agent over HTTP: what to ask for, and what the answers mean.
///
/// Pure: no clock, no socket, no file. A dialect holds the conversation between runs and at most one run. What it is
/// told comes in the order of the wire; what it wants is put into the turn. Its server's faults are not its concern:
/// they end the run before it hears of them.
package protocol HTTPDialect: Sendable {
  /// The server that it speaks to.
  var server: HTTPServer { get }
  /// What can be asked of the agent.
  var capabilities: AgentCapabilities { get }
  /// The session that the next instruction goes to, if it has a name by now.
  var session: AgentSessionID? { get }
  /// What it is set to, and what of that can be changed; nil where the agent tells of nothing.
  var controls: AgentControls? { get }
  /// A request that changes nothing and shows whether the server is there and lets us in.
  var probe: HTTPRequest { get }

  /// What the probe gave; nil if it gave no JSON, or the server does not know the call.
  mutating func opened(_ answer: JSON?) -> HTTPOpening
  /// Set it, from the next instruction on. False where it cannot be, or there is no such value.
  mutating func change(_ setting: AgentSetting, to value: String) -> Bool
  /// A run begins: ask for what it takes.
  mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn)
  /// The event stream begins.
  mutating func streamStarted(_ head: HTTPHead, _ turn: inout HTTPTurn)
  /// An event of the stream came.
  mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn)
  /// The same, for a dialect whose turns are told over several streams, each of which has a number; later ones have greater numbers.
  mutating func received(_ event: ServerSentEvent, over stream: Int, _ turn: inout HTTPTurn)
  /// In place of a stream came this, in one piece. A turn that does not end now is unconfirmed.
  mutating func receivedWhole(_ answer: JSON, over stream: Int, _ turn: inout HTTPTurn)
  /// The stream is over and its last event was given. A turn that does not end or ask for more was cut off.
  mutating func streamEnded(_ turn: inout HTTPTurn)
  /// The JSON that was asked for. At most one question is open at a time.
  mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn)
  /// The user wants it stopped. A turn that does not end now must ask the server to stop it, and ends with the answer.
  mutating func stop(_ turn: inout HTTPTurn)
  /// After a halt: the request that was under way did not leave, or the server did not take it. A turn that does not end now must
  /// ask the server to stop what is left of it there.
  mutating func notTaken(_ turn: inout HTTPTurn)
  /// - Parameter reason: why the user denies it; only where the capabilities say that it is heard.
  mutating func decided(
    _ permission: PermissionID, _ choice: PermissionRequest.Choice, because reason: String?, _ turn: inout HTTPTurn)
  /// The questions that were asked together are answered, or the user declined.
  mutating func decided(_ form: QuestionForm, _ turn: inout HTTPTurn)
  /// The run is over, however it ended. The turn is there for `keep` alone.
  mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn)
}

/// How the opening of an agent goes on.
package enum HTTPOpening: Equatable, Sendable {
  case ready
  /// Ask this as well; `opened` hears the answer.
  case ask(HTTPRequest)
  case unavailable(reason: String)
}

extension HTTPDialect {
  package var controls: AgentControls? { nil }
  package mutating func change(_ setting: AgentSetting, to value: String) -> Bool { false }
  package mutating func opened(_ answer: JSON?) -> HTTPOpening { .ready }
  package mutating func streamStarted(_ head: HTTPHead, _ turn: inout HTTPTurn) {}
  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {}
  package mutating func received(_ event: ServerSentEvent, over stream: Int, _ turn: inout HTTPTurn) {
    received(event, &turn)
  }
  package mutating func receivedWhole(_ answer: JSON, over stream: Int, _ turn: inout HTTPTurn) {}
  package mutating func streamEnded(_ turn: inout HTTPTurn) {}
  package mutating func notTaken(_ turn: inout HTTPTurn) { turn.end(.cancelled) }
  package mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn) {}
  package mutating func decided(
    _ permission: PermissionID, _ choice: PermissionRequest.Choice, because reason: String?, _ turn: inout HTTPTurn
  ) {}
  package mutating func decided(_ form: QuestionForm, _ turn: inout HTTPTurn) {}
  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) {}

  /// A request to this dialect's server.
  func request(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, stream: Bool = false) -> HTTPRequest {
    var headers = ["Accept: \(stream ? "text/event-stream" : "application/json")"]
    if body != nil { headers.append("Content-Type: application/json") }
    return HTTPRequest(
      method, server.address, path, headers: headers, body: body?.bytes ?? [], credential: server.credential)
  }
}
