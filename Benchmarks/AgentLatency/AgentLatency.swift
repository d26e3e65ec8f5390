import VoiceConverse
import VoiceCore
import VoiceLoop
import VoiceVocabulary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How long a piece of an HTTP agent's text takes from the server's write to the session's one task, beside the floor: the
/// same bytes read from a bare socket. Each piece says when it was written, on the clock that both processes share.
///
/// Usage: AgentLatency PORT
@main
struct AgentLatency {
  static func main() async throws {
    guard let port = CommandLine.arguments.dropFirst().first.flatMap({ UInt16($0) }) else {
      print("usage: AgentLatency PORT")
      exit(64)
    }
    let first = try readSocket(port)
    let agent = try await readAgent(port)
    let second = try readSocket(port)
    report("floor, a bare socket", first + second)
    report("agent, to the session's task", agent)
    let added = median(agent) - median(first + second)
    print("added by the agent at the median: \(added / 1000).\(added / 100 % 10) us")
  }

  private static func report(_ name: String, _ nanoseconds: [Int]) {
    let sorted = nanoseconds.sorted()
    let at = { (share: Double) in Double(sorted[Int(Double(sorted.count - 1) * share)] / 100) / 10 }
    print("\(name): \(sorted.count) pieces, median \(at(0.5)) us, 95 % \(at(0.95)) us, 99 % \(at(0.99)) us")
  }

  private static func median(_ nanoseconds: [Int]) -> Int { nanoseconds.sorted()[nanoseconds.count / 2] }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The time of writing, which is a piece's only word.
  private static func delay(_ text: String) -> Int? { Int(text).map { now - $0 } }

  /// The floor: blocking reads, and no more of HTTP and JSON than finding the digits.
  private static func readSocket(_ port: UInt16) throws -> [Int] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(connected == 0, "the server cannot be reached")
    let body = #"{"messages":[{"role":"user","content":"go"}]}"#
    let request =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    _ = request.withCString { write(descriptor, $0, strlen($0)) }
    var delays: [Int] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return delays }
      let arrival = now
      let marker = Array(#""content": ""#.utf8)
      let bytes = buffer[..<count]
      guard let start = bytes.firstRange(of: marker)?.upperBound else { continue }
      let digits = bytes[start...].prefix { $0 != UInt8(ascii: "\"") }
      if let written = Int(String(decoding: digits, as: UTF8.self)) { delays.append(arrival - written) }
    }
  }

  /// The way of `parley ask`: the agent posts into the inbox, one task takes.
  private static func readAgent(_ port: UInt16) async throws -> [Int] {
    let inbox = EventInbox()
    let agent = try AgentSpecification(parsing: "chat:http://127.0.0.1:\(port)/v1#model").makeAgent(
      in: AgentEnvironment(workingFolder: "/", executablePath: ""), post: { inbox.post($0) })
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await run(agent) }
      agent.startRun(
        RunID(rawValue: 1),
        Instruction(id: InstructionID(rawValue: 1), text: "go", heard: nil, source: .keyboard))
      var delays: [Int] = []
      while let next = await inbox.next() {
        guard case .agentReported(_, let event) = next.event else { continue }
        if case .text(let delta) = event, let delay = delay(delta) { delays.append(delay) }
        if case .turnEnded = event { break }
      }
      agent.shutDown()
      return delays
    }
  }

  private static func run(_ agent: some ConverseAgent) async { await agent.run() }
}
