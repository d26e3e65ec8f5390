import VoiceCore
import VoiceJSON
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// Plays a recorded A2A server against an exchange: its answers go in as bytes of streams, what the client did as calls.
final class ExchangeReplay {
  typealias Dialect = AgentToAgentDialect

  private let entries: [JSON]
  private let cut: Recording.Cut
  private var exchange: HTTPExchange<Dialect>
  private var transcript = Transcript()
  private var events: [VoiceEvent] = []
  private var runs = 0
  private var question: QuestionID?
  private var lastCall = 0
  /// Our calls by the recording's requests; those that stream have their head.
  private var calls: [Int: Int] = [:]
  private var generator = SeededGenerator(seed: 0)

  init(_ entries: [JSON], _ cut: Recording.Cut, messageName: String) throws {
    self.entries = entries.map { $0["msg"] ?? .null }
    self.cut = cut
    if case .random(let seed) = cut { generator = SeededGenerator(seed: seed) }
    let agent = try HTTPAgentSpecification(.agentToAgent, at: "http://127.0.0.1:9")
    let server = ServerEnvironment(newSession: AgentSessionID(rawValue: messageName))
    exchange = HTTPExchange(
      Dialect(agent, in: AgentEnvironment(workingFolder: "/", executablePath: "", server: server)))
  }

  func play() -> Recording.Played {
    perform(exchange.open())
    answer(card, to: lastCall)
    for (index, message) in entries.enumerated() {
      guard let request = message["id"]?.integer else { continue }
      if message["method"] != nil {
        client(message)
        if calls[request] == nil, lastCall > (calls.values.max() ?? 1) { calls[request] = lastCall }
      } else if let call = calls[request] {
        server(message, on: call, isLast: !entries[(index + 1)...].contains { $0["id"] == message["id"] })
      }
    }
    return .init(lines: transcript.text, events: events, runs: runs)
  }

  private var isNewest: Bool { entries.contains { $0["method"]?.string == "SendStreamingMessage" } }

  /// Not part of the recording; the releases tell them apart.
  private var card: JSON {
    let old: JSON = ["name": "recorded", "capabilities": ["streaming": true], "url": "http://127.0.0.1:9/"]
    let interfaces: JSON = [["url": "http://127.0.0.1:9/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"]]
    return isNewest
      ? ["name": "recorded", "capabilities": ["streaming": true], "supportedInterfaces": interfaces] : old
  }

  private func client(_ message: JSON) {
    let run = RunID(rawValue: runs)
    switch message["method"]?.string {
    case "message/stream", "SendStreamingMessage":
      let said = message["params"]?["message"]
      let words = said?["parts"]?.elements.first?["text"]?.string ?? ""
      if said?["taskId"] != nil, let question {
        perform(exchange.decide(question, of: run, .text(text: words)))
      } else {
        runs += 1
        perform(exchange.start(RunID(rawValue: runs), Instruction(words)))
      }
    case "tasks/cancel", "CancelTask": perform(exchange.stop(run))
    default: break  // What the client looked at afterwards.
    }
  }

  private func server(_ message: JSON, on call: Int, isLast: Bool) {
    // A stopped task answers in one piece; everything else is a stream.
    let isStream = message["result"]?["status"] == nil || message["result"]?["kind"]?.string == "status-update"
    guard isStream || message["result"]?["status"]?["state"]?.string == "submitted" else {
      return answer(message, to: call)
    }
    if !opened.contains(call) {
      opened.insert(call)
      perform(exchange.receive(.head(HTTPHead(status: 200, headers: ["content-type": "text/event-stream"])), of: call))
    }
    for piece in pieces(Array("data: ".utf8) + message.bytes + [0x0D, 0x0A, 0x0D, 0x0A]) {
      perform(exchange.receive(.bytes(piece), of: call))
    }
    if isLast { perform(exchange.receive(.ended(.complete), of: call)) }
  }
  private var opened: Set<Int> = []

  private func answer(_ message: JSON, to call: Int) {
    perform(exchange.receive(.head(HTTPHead(status: 200, headers: ["content-type": "application/json"])), of: call))
    for piece in pieces(message.bytes) { perform(exchange.receive(.bytes(piece), of: call)) }
    perform(exchange.receive(.ended(.complete), of: call))
  }

  private func pieces(_ bytes: [UInt8]) -> [[UInt8]] { cut.pieces(of: bytes, &generator) }

  private func perform(_ effects: [HTTPExchange<Dialect>.Effect]) {
    for effect in effects {
      switch effect {
      case .post(let event):
        events.append(event)
        if case .agentReported(_, .questionAsked(let asked)) = event { question = asked.id }
        transcript.write(event)
      case .send(let call, let request):
        lastCall = call
        let body = String(decoding: request.body, as: UTF8.self)
        transcript.add("-> \(request.method.rawValue) \(request.path)\(body.isEmpty ? "" : " \(body)")")
      // All that was recorded had left.
      case .withdraw(let call): perform(exchange.receive(.hasLeft, of: call))
      case .cancel, .connect, .keep, .save: break
      }
    }
  }
}
