import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

/// The listener and a server of the Realtime protocol over a socket: what the dialect wants beyond commands and events.
@Suite(.timeLimit(.minutes(5)))
struct OpenAIClientTests {
  private struct World {
    let server: WebSocketListener
    let service: WebSocketService
    let said = Journal<(connection: WebSocketConnection, message: JSON)>()
    let events = Journal<VoiceEvent>()
    let client: LiveModelClient

    init() throws {
      let (said, events) = (said, events)
      server = try WebSocketListener { connection, event in
        if case .message(let message) = event, let json = JSON(parsing: message.bytes) {
          said.append((connection, json))
        }
      }
      service = try WebSocketService()
      client = LiveModelClient(
        service: service,
        endpoint: try LiveEndpoint(.openAI, url: "ws://127.0.0.1:\(server.port)", key: Secret("sesame")),
        listening: .init(turnDetection: .client)
      ) { events.append($0) }
      client.openLink(first, resuming: false)
    }

    /// The next message of this type.
    func next(_ type: JSON) async throws -> (connection: WebSocketConnection, message: JSON) {
      try await said.next { $0.message["type"] == type ? $0 : nil }
    }

    func stop() {
      service.stop()
      server.stop()
    }
  }

  @Test func aTurnThatTheProgramEndsIsAnsweredOnceItWasCommitted() async throws {
    let world = try World()
    let server = try await world.next("session.update").connection
    server.say(["type": "session.created"], ["type": "session.updated"])
    try await world.events.next(.linkReady(connection: first, resumed: false))
    world.client.sendActivityStart(on: first)
    world.client.send(
      MicrophoneFrame(position: 0, samples: [Int16](repeating: 9, count: PCM.frameSamples)), on: first)
    world.client.sendActivityEnd(on: first)
    _ = try await world.next("input_audio_buffer.commit")
    server.say(["type": "input_audio_buffer.committed", "item_id": "i"])
    _ = try await world.next("response.create")
    let call: JSON = [
      "type": "function_call", "call_id": "c", "name": "converse", "arguments": #"{"instruction":"Run the tests."}"#,
    ]
    server.say(
      ["type": "response.created", "response": ["id": "r"]],
      ["type": "response.done", "response": ["id": "r", "status": "completed", "output": [call]]])
    let proposed = CallID(connection: first, id: "c", tool: "converse")
    try await world.events.next(.instructionProposed(call: proposed, text: "Run the tests."))
    try await world.events.next(.modelTurnEnded(connection: first))
    world.client.answer(proposed, with: "Handed on.")
    #expect(try await world.next("conversation.item.create").message["item"]?["call_id"] == "c")
    world.stop()
    #expect(world.said.all.count { $0.message["type"] == "response.create" } == 1)
  }

  /// The server leaves the connection open, and serves nobody on it.
  @Test(arguments: [
    ("invalid_api_key", LinkFailure.Remedy.giveUp, "Check the key."),
    ("insufficient_quota", .giveUp, "Check the account that the key is of."),
    ("invalid_value", .giveUp, "Check the name of the model and the configuration."),
    ("session_limit_reached", .newSession, "A new conversation will be started."),
  ])
  func aServerThatRefusesIsLeft(_ code: String, _ remedy: LinkFailure.Remedy, _ advice: String) async throws {
    let world = try World()
    let server = try await world.next("session.update").connection
    server.say(["type": "error", "error": ["code": .string(code), "message": "Not with sesame"]])
    let failure = try await world.events.nextFailure(of: first)
    #expect(failure.remedy == remedy)
    #expect(
      failure.reason.hasSuffix("does not serve this connection: Not with (secret). \(advice)"), "\(failure.reason)")
    world.stop()
  }
}

private let first = ConnectionID(rawValue: 1)

extension WebSocketConnection {
  fileprivate func say(_ messages: JSON...) {
    for message in messages { send(OutgoingMessage(.text, capacity: 1024) { message.append(to: &$0) }) }
  }
}
