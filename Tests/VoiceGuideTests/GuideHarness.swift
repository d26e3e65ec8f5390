import VoiceJSON
import VoiceSystem

@testable import VoiceGuide

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The guide at work between two real pipes, and a client that reads its lines.
final class GuideHarness {
  /// What came of one prompt.
  struct Turn {
    /// Everything said, one string.
    var said = ""
    /// The updates of the turn but for what was said, in order.
    var updates: [JSON] = []
    /// The requests for permission.
    var asked: [JSON] = []
    /// Nil if the prompt was answered with an error.
    var stopReason: String?

    /// The updates with that tag.
    func updates(_ tag: String) -> [JSON] { updates.filter { $0["sessionUpdate"]?.string == tag } }
    /// The kinds of the tools that were called.
    var kinds: [String] { updates("tool_call").compactMap { $0["kind"]?.string } }
    var titles: [String] { updates("tool_call").compactMap { $0["title"]?.string } }
  }

  private let toGuide: Int32
  private var lines: AsyncStream<LineSplitter.Piece>.AsyncIterator
  private var lastID = 0

  private init(toGuide: Int32, fromGuide: Int32) {
    self.toGuide = toGuide
    lines = MessageLines.lines(from: fromGuide).makeAsyncIterator()
  }

  /// Run `body` against a guide; then close its input, wait for its end and return its exit code.
  static func run(_ body: (GuideHarness) async throws -> Void) async throws -> Int32 {
    var inward: [Int32] = [0, 0]
    var outward: [Int32] = [0, 0]
    guard pipe(&inward) == 0, pipe(&outward) == 0 else { throw Failure("no pipes") }
    // A child that inherits the end of a pipe would keep it open.
    for descriptor in inward + outward { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let (input, output) = (inward[0], outward[1])
    let harness = GuideHarness(toGuide: inward[1], fromGuide: outward[0])
    async let code = GuideAgent.run(input: input, output: output, version: "1.2.3")
    var failure: (any Error)?
    do { try await body(harness) } catch { failure = error }
    close(inward[1])
    let ended = await code
    close(input)
    close(output)
    while await harness.lines.next() != nil {}
    close(outward[0])
    if let failure { throw failure }
    return ended
  }

  // Sending.

  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(toGuide, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      sent += count
    }
  }

  /// Send a request and return its identifier.
  @discardableResult
  func request(_ method: String, _ parameters: String) -> Int {
    lastID += 1
    send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
    return lastID
  }

  @discardableResult
  func startPrompt(_ text: String, in session: String) -> Int {
    request("session/prompt", #"{"sessionId":"\#(session)","prompt":[{"type":"text","text":"\#(text)"}]}"#)
  }

  func cancel(_ session: String) {
    send(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"\#(session)"}}"#)
  }

  // Receiving.

  /// The next message of the guide.
  func next() async throws -> JSON {
    guard case .line(let bytes) = await lines.next(isolation: #isolation) else { throw Failure("the guide ended") }
    guard let message = JSON(parsing: bytes) else { throw Failure("a line is not JSON") }
    return message
  }

  /// The answer to a request, skipping everything before it.
  func answer(to id: Int) async throws -> JSON {
    while true {
      let message = try await next()
      if message["id"] == .integer(id), message["method"]?.string == nil { return message }
    }
  }

  func openSession(_ folder: Scratch) async throws -> String {
    let answer = try await answer(to: request("session/new", #"{"cwd":"\#(folder.path)","mcpServers":[]}"#))
    guard let id = answer["result"]?["sessionId"]?.string else { throw Failure("no session: \(answer)") }
    return id
  }

  /// Follow a turn to its end, answering each request for permission with the option of that kind.
  func follow(_ id: Int, permission kind: String = "reject_once") async throws -> Turn {
    var turn = Turn()
    while true {
      let message = try await next()
      if message["method"] == "session/request_permission" {
        turn.asked.append(message["params"] ?? .null)
        let options = message["params"]?["options"]?.elements ?? []
        guard let option = options.first(where: { $0["kind"]?.string == kind })?["optionId"]?.string,
          case .integer(let request) = message["id"]
        else { throw Failure("no option \(kind)") }
        send(
          #"{"jsonrpc":"2.0","id":\#(request),"result":{"outcome":{"outcome":"selected","optionId":"\#(option)"}}}"#)
      } else if message["method"] == "session/update" {
        let update = message["params"]?["update"] ?? .null
        if update["sessionUpdate"] == "agent_message_chunk" {
          turn.said += update["content"]?["text"]?.string ?? ""
        } else {
          turn.updates.append(update)
        }
      } else if message["id"] == .integer(id) {
        turn.stopReason = message["result"]?["stopReason"]?.string
        return turn
      }
    }
  }

  /// Say something and follow the turn to its end.
  func say(_ text: String, in session: String, permission kind: String = "reject_once") async throws -> Turn {
    try await follow(startPrompt(text, in: session), permission: kind)
  }

  /// One turn in a new session of a new guide.
  static func ask(_ text: String, in folder: Scratch, permission kind: String = "reject_once") async throws -> Turn {
    var turn = Turn()
    _ = try await run { guide in
      let session = try await guide.openSession(folder)
      turn = try await guide.say(text, in: session, permission: kind)
    }
    return turn
  }
}
