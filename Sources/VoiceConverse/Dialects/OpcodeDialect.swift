package import VoiceCore
import VoiceJSON

/// The web server of opcode, also called Claudia: a WebSocket for each run, over which the lines of Claude Code come in
/// envelopes; section 5.5 of the protocol notes. Understands the published event names and those of the forks.
///
/// The server runs Claude Code without its permission requests, and its cancel call only writes to its log.
package struct OpcodeDialect: HTTPDialect {
  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.resume, .list]
  package private(set) var session: AgentSessionID?
  private let model: String?
  private let workingFolder: String
  private var decoder = ClaudeDecoder()

  /// - Parameter workingFolder: On the machine of the server.
  package init(_ server: HTTPServer, start: AgentSessionStart = .new, model: String? = nil, workingFolder: String) {
    self.server = server
    self.model = model
    self.workingFolder = workingFolder
    switch start {
    case .new: break
    case .resume(let id), .fork(let id, _): session = id
    }
  }

  package var probe: HTTPRequest { request(.get, "/api/projects") }

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    var body: [String: JSON] = [
      "command_type": session == nil ? "execute" : "resume", "project_path": .string(workingFolder),
      "prompt": .string(instruction.textWithRemark),
    ]
    body["model"] = model.map { .string($0) }
    body["session_id"] = session.map { .string($0.rawValue) }
    let message = String(decoding: JSON.object(body).bytes, as: UTF8.self)
    decoder = ClaudeDecoder()
    turn.socket(request(.get, "/ws/claude"), message: message)
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    guard let message = JSON(parsing: event.data.utf8) else { return }
    let words = message["error"]?.string ?? message["message"]?.string ?? ""
    switch message["type"]?.string ?? message["event"]?.string {
    case "output", "process-output":
      if let line = message["content"]?.string, let value = JSON(parsing: line.utf8) { take(value, &turn) }
    case "completion" where message["status"]?.string == "success", "process-completed": turn.end(.completed)
    case "completion", "process-failed", "error": turn.end(server.failed(words))
    default: break
    }
  }

  /// One line of Claude Code. There are no partial messages: text comes a block at a time.
  private mutating func take(_ line: JSON, _ turn: inout HTTPTurn) {
    if let id = line["session_id"]?.string { session = AgentSessionID(rawValue: id) }
    guard line["type"]?.string == "result" else { return turn.tell { decoder.decode(line, into: &$0) } }
    let usage = line["usage"]
    turn.usage(
      AgentUsage(
        inputTokens: usage?["input_tokens"]?.count, outputTokens: usage?["output_tokens"]?.count,
        costInDollars: line["total_cost_usd"]?.amount))
    if line["is_error"]?.bool == true { turn.end(server.failed(line["result"]?.string ?? "")) }
  }

  /// Its work goes on without a connection, so that is kept, and tells when it is over.
  package mutating func stop(_ turn: inout HTTPTurn) { turn.status(server.cannotStop) }
}
