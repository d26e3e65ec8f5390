import VoiceCore

/// One answer of Duck Talk's `POST /api/converse`: turns what HTTP brings into agent events.
///
/// Pure. The dialect is section 5.1 of the protocol notes: only `data:` lines, each one JSON object with `text`,
/// `block` or `done`.
struct DuckTalkTurn: Sendable {
  private enum State {
    case waitingForHead
    case streaming
    /// An HTTP error; its body says more.
    case refused(status: Int, body: [UInt8])
    case over
  }

  let server: DuckTalkServer
  /// The conversation to go on with next time; known at the end.
  private(set) var session: String?
  private var state = State.waitingForHead
  private var stream = ServerSentEvents()
  private var openTools: [String] = []
  private var paragraph = Paragraph.none

  private enum Paragraph { case none, open }

  init(server: DuckTalkServer) { self.server = server }

  /// The events; a `turnEnded` among them is the last one, and nothing comes after it.
  mutating func apply(_ event: HTTPEvent) -> [AgentEvent] {
    switch (event, state) {
    case (_, .over): return []
    case (.head(let status, _), _) where !(200..<300).contains(status):
      state = .refused(status: status, body: [])
      return []
    case (.head(_, let contentType), _):
      guard contentType.isEmpty || contentType.lowercased().hasPrefix("text/event-stream") else {
        return end(.failed(reason: server.notDuckTalk))
      }
      state = .streaming
      return []
    case (.bytes(let bytes), .refused(let status, let body)):
      state = .refused(status: status, body: Array((body + bytes).prefix(ConverseLimits.errorBodyBytes)))
      return []
    case (.bytes(let bytes), _): return take(bytes)
    case (.ended(.complete), .refused(let status, let body)):
      return end(.failed(reason: server.reason(status: status, body: body)))
    case (.ended(.complete), _):
      let events = stream.finish().map { decode($0.data) } ?? []
      if case .over = state { return events }
      return events + end(.failed(reason: server.cutOff))
    case (.ended(.cancelled), _): return end(.cancelled)
    case (.ended(.failed(let failure)), _): return end(.failed(reason: server.reason(failure)))
    }
  }

  /// The user said stop: the connection is closed, and that is all that can be done.
  mutating func cancel() -> [AgentEvent] {
    guard case .over = state else { return [.status(text: server.cannotStop)] + end(.cancelled) }
    return []
  }

  private mutating func take(_ bytes: [UInt8]) -> [AgentEvent] {
    do {
      var events: [AgentEvent] = []
      for event in try stream.append(bytes) {
        events += decode(event.data)
        if case .over = state { break }
      }
      return events
    } catch {
      return end(.failed(reason: server.tooLong))
    }
  }

  private mutating func decode(_ data: String) -> [AgentEvent] {
    guard let message = JSON(parsing: data.utf8) else { return [] }
    if let delta = message["text"]?.string {
      guard !delta.isEmpty else { return [] }
      paragraph = .open
      return [.text(delta: delta)]
    }
    if let block = message["block"] { return decode(block: block) }
    guard message["done"]?.bool == true else { return [] }
    session = message["session_id"]?.string
    let cost = (message["cost_usd"]?.number).map { [AgentEvent.usage(usage: AgentUsage(costInDollars: $0))] } ?? []
    if let error = message["error"], error != .null, error != false {
      let words = (error.string ?? error["message"]?.string ?? "").shortened(to: ConverseLimits.reasonCharacters)
      return cost + end(.failed(reason: server.failed(words)))
    }
    return cost + end(.completed)
  }

  private mutating func decode(block: JSON) -> [AgentEvent] {
    switch block["type"]?.string {
    case "tool_use":
      guard let id = block["id"]?.string, let name = block["name"]?.string, !openTools.contains(id) else { return [] }
      let paragraphEnd: [AgentEvent] = paragraph == .open ? [.paragraphEnded] : []
      paragraph = .none
      var call = ToolCall(id: id)
      call.merge(["title": .string(name), "kind": .string(Self.kind(name)), "rawInput": block["input"] ?? .null])
      openTools.append(id)
      return paragraphEnd + [.toolStarted(tool: call.event)]
    case "tool_result":
      guard let id = block["tool_use_id"]?.string, let index = openTools.firstIndex(of: id) else { return [] }
      openTools.remove(at: index)
      return [.toolFinished(id: id, outcome: block["is_error"]?.bool == true ? .failed : .completed)]
    default: return []
    }
  }

  private mutating func end(_ end: AgentTurnEnd) -> [AgentEvent] {
    state = .over
    let unfinished = openTools.map { AgentEvent.toolFinished(id: $0, outcome: .unknown) }
    openTools = []
    return unfinished + [.turnEnded(end: end)]
  }

  /// Duck Talk names the tools of Claude Code.
  private static func kind(_ name: String) -> String {
    switch name {
    case "Read": "read"
    case "Write", "Edit", "MultiEdit", "NotebookEdit": "edit"
    case "Bash": "execute"
    case "Grep", "Glob": "search"
    case "WebFetch", "WebSearch": "fetch"
    default: "other"
    }
  }
}

/// How to speak of a Duck Talk server: what failed, on what, and what to do.
struct DuckTalkServer: Sendable {
  let address: HTTPAddress
  let tokenVariable: String?

  private var name: String { "Duck Talk at \(address.name)" }

  private static let mayGoOn = "It may still be at work unseen: look before you repeat the instruction."

  var cannotStop: String {
    "The connection to Duck Talk is closed, but the server cannot confirm a stop. \(Self.mayGoOn)"
  }
  var notDuckTalk: String {
    "What answers at \(address.name) is not Duck Talk: it sent no event stream. Check the address."
  }
  var cutOff: String { "\(name) closed the connection before its answer was complete. \(Self.mayGoOn)" }
  var tooLong: String { "\(name) sent an event without an end, so the connection was closed. \(Self.mayGoOn)" }

  func failed(_ words: String) -> String {
    words.isEmpty ? "\(name) reported that the agent failed." : "\(name) reported an error: \(words)"
  }

  func reason(status: Int, body: [UInt8]) -> String {
    let answer = JSON(parsing: body)
    let message = answer?["detail"] ?? answer?["error"] ?? answer?["message"]
    let words = (message?.string ?? message?["message"]?.string ?? "").shortened(to: ConverseLimits.reasonCharacters)
    let said = words.isEmpty ? "" : " It said: \(words)"
    let token = tokenVariable.map { "Check the token in the environment variable \($0)." } ?? "It wants a token."
    switch status {
    case 401: return "\(name) did not accept us (401). \(token)\(said)"
    case 403: return "\(name) does not allow this (403). \(token)\(said)"
    case 404: return "\(name) does not know the call (404). Check the address and the server's release.\(said)"
    case 429: return "\(name) has too much to do (429). Wait a little and repeat the instruction.\(said)"
    case 503: return "\(name) is not available now (503). Try again later.\(said)"
    case 500...: return "\(name) failed inside (\(status)). Look at the server's log.\(said)"
    default: return "\(name) answered with the unexpected status \(status). Check the address.\(said)"
    }
  }

  func reason(_ failure: HTTPFailure) -> String {
    switch failure.kind {
    case .refused: "Nobody answers at \(address.name). Start Duck Talk's server, or check the address."
    case .nameNotFound: "There is no host of the name in \(address.name). Check the address."
    case .connectTimeout: "\(name) could not be reached in time. Check the address and the network."
    case .untrusted: "No trusted connection to \(name): \(failure.detail). Check the certificate."
    case .brokenOff: "The connection to \(name) broke: \(failure.detail). \(Self.mayGoOn)"
    case .silent: "\(name) fell silent (\(failure.detail)), so the connection was closed. \(Self.mayGoOn)"
    case .token: "Nothing was sent to \(name): \(failure.detail)."
    case .other: "The request to \(name) failed: \(failure.detail)."
    }
  }
}
