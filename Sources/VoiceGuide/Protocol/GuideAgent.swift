import VoiceJSON
import VoiceSystem

/// `parley guide`: a coding agent without a language model, spoken to in the Agent Client Protocol, version 1.
///
/// It answers questions about its working folder and does three things on request (run the tests, write a note, make
/// a branch), each only with permission. It is the agent for a first try, for tests, and for a machine without network.
package enum GuideAgent {
  /// Serve one client until its input ends.
  ///
  /// - Parameters:
  ///   - input: the descriptor that messages arrive on, one JSON-RPC message a line.
  ///   - output: the descriptor that answers are written to.
  ///   - version: the program's version, told to the client.
  /// - Returns: the exit code; 0 at the end of the input. Turns that still run are cancelled first.
  package static func run(input: Int32 = 0, output: Int32 = 1, version: String = "0") async -> Int32 {
    // A client that went away must not kill the guide before its commands are stopped.
    signal(SIGPIPE, SIG_IGN)
    let server = GuideServer(client: GuideClient(output: output), version: version)
    await withDiscardingTaskGroup { turns in
      for await line in MessageLines.lines(from: input) {
        if let turn = server.take(line) { turns.addTask { await turn.run() } }
      }
      turns.cancelAll()
    }
    return 0
  }
}

/// Takes messages in order and answers each; only a prompt becomes work of its own.
private struct GuideServer: Sendable {
  let client: GuideClient
  let version: String
  private let sessions = Locked<[String: GuideSession]>([:])

  /// What is to be run beside the loop, if the line asks for that.
  func take(_ line: LineSplitter.Piece) -> GuidePrompt? {
    guard case .line(let bytes) = line else {
      client.refuse(.null, .notJSON("The message is longer than \(GuideLimits.messageBytes >> 20) MiB."))
      return nil
    }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
    guard let message = JSON(parsing: bytes) else {
      client.refuse(.null, .notJSON("The message is not JSON."))
      return nil
    }
    guard case .object(let members) = message else {
      client.refuse(.null, .badRequest("A message is one JSON object."))
      return nil
    }
    guard let method = message["method"]?.string else {
      if members["result"] != nil || members["error"] != nil {
        client.takeAnswer(message)
      } else {
        client.refuse(message["id"] ?? .null, .badRequest("The message names no method."))
      }
      return nil
    }
    let parameters = message["params"] ?? .null
    guard let id = members["id"] else {
      if method == "session/cancel" { session(of: parameters)?.cancel() }
      return nil
    }
    do throws(GuideError) {
      if method == "session/prompt" { return try prompt(parameters, id: id) }
      client.answer(id, with: try answer(method, parameters))
    } catch { client.refuse(id, error) }
    return nil
  }

  private func answer(_ method: String, _ parameters: JSON) throws(GuideError) -> JSON {
    switch method {
    case "initialize":
      return [
        "protocolVersion": 1,
        "agentInfo": ["name": "parley-guide", "title": "Parley guide", "version": .string(version)],
        "agentCapabilities": [
          "loadSession": false,
          "promptCapabilities": ["image": false, "audio": false, "embeddedContext": false],
        ],
        "authMethods": [],
      ]
    case "session/new":
      let session = try open(parameters)
      return ["sessionId": .string(session.id), "modes": Self.modes]
    case "session/set_mode":
      guard session(of: parameters) != nil else { throw .badParameters("There is no such session.") }
      guard parameters["modeId"] == "ask" else { throw .badParameters("The guide has only the mode ask.") }
      return [:]
    default: throw .unknownMethod(method)
    }
  }

  /// The guide always asks before it acts; the one mode says so to a client that looks for it.
  private static let modes: JSON = [
    "currentModeId": "ask",
    "availableModes": [
      ["id": "ask", "name": "Ask", "description": "Asks before it runs a command or changes a file"]
    ],
  ]

  private func session(of parameters: JSON) -> GuideSession? {
    guard let id = parameters["sessionId"]?.string else { return nil }
    return sessions.withLock { $0[id] }
  }

  private func open(_ parameters: JSON) throws(GuideError) -> GuideSession {
    guard let path = parameters["cwd"]?.string, path.hasPrefix("/") else {
      throw .badParameters("cwd must be the absolute path of a folder.")
    }
    guard let folder = WorkingFolder(path: path) else {
      throw .badParameters("cwd is not a folder that can be read: \(path). Name one that exists.")
    }
    let session = sessions.withLock { sessions -> GuideSession? in
      if sessions.count >= GuideLimits.sessions { return nil }
      let session = GuideSession(id: "guide-\(sessions.count + 1)", folder: folder)
      sessions[session.id] = session
      return session
    }
    guard let session else { throw .badRequest("The guide serves at most \(GuideLimits.sessions) sessions.") }
    return session
  }

  /// Whether a block is a remark of the client to the agent, and no word of the user: its annotation names the assistant
  /// alone as its audience. The guide understands words only, and is told nothing by it.
  private static func isRemark(_ block: JSON) -> Bool {
    let audience = block["annotations"]?["audience"]?.elements ?? []
    return audience.contains("assistant") && !audience.contains("user")
  }

  private func prompt(_ parameters: JSON, id: JSON) throws(GuideError) -> GuidePrompt {
    guard let session = session(of: parameters) else { throw .badParameters("There is no such session.") }
    let blocks = parameters["prompt"]?.elements ?? []
    let text = blocks.filter { $0["type"] == "text" && !Self.isRemark($0) }.compactMap { $0["text"]?.string }
      .joined(separator: "\n")
    if text.allSatisfy(\.isWhitespace) { throw .badParameters("The prompt holds no text.") }
    guard let cancellation = session.beginTurn() else {
      throw .badRequest("A prompt is already running in this session. Cancel it, or wait for its end.")
    }
    return GuidePrompt(id: id, text: text, session: session, cancellation: cancellation, client: client)
  }
}

/// One prompt at work: it ends by itself, or when it is cancelled, and is then answered once.
private struct GuidePrompt: Sendable {
  let id: JSON
  let text: String
  let session: GuideSession
  let cancellation: AsyncStream<Void>
  let client: GuideClient

  func run() async {
    let turn = GuideTurn(session: session, client: client)
    let wasCancelled = await withTaskGroup(of: Bool.self) { race in
      race.addTask { await turn.perform(text) == .cancelled }
      race.addTask {
        for await _ in cancellation { return true }
        return true
      }
      let first = await race.next() ?? true
      race.cancelAll()
      return first
    }
    // First free, then answered: the client may send its next prompt at once.
    session.endTurn()
    client.answer(id, with: ["stopReason": wasCancelled ? "cancelled" : "end_turn"])
  }
}

/// One conversation: its folder, and what the guide did in it.
struct GuideSession: Sendable {
  /// What later answers need to know of earlier turns.
  struct Memory: Sendable {
    /// Tool calls so far; each has its number as identifier.
    var toolCalls = 0
    /// Kinds of acts that the user allowed for the whole session.
    var allowed: Set<String> = []
    /// What the guide changed, each as the end of a sentence "I …".
    var changes: [String] = []
    var lastTestRun: TestRun?
  }

  /// The protocol's identifier of the session.
  let id: String
  let folder: WorkingFolder
  let memory = Locked(Memory())
  private let running = Locked<AsyncStream<Void>.Continuation?>(nil)

  /// Claim the session for one turn; the stream yields when the turn is cancelled. Nil while another turn runs.
  func beginTurn() -> AsyncStream<Void>? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    return running.withLock { running -> AsyncStream<Void>? in
      if running != nil { return nil }
      running = continuation
      return stream
    }
  }

  /// The turn that runs is over.
  func endTurn() { running.withLock { $0 = nil } }

  /// Stop the turn that runs, if one does.
  func cancel() { running.withLock { _ = $0?.yield() } }
}
