import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let first = ConnectionID(rawValue: 1)
private let second = ConnectionID(rawValue: 2)

private func turn(_ number: Int) -> ModelTurnID { ModelTurnID(rawValue: number) }

/// A server of the provider that there is not.
private final class TalkieServer: Sendable {
  enum Event: Sendable {
    case opened(target: String, headers: [String: String])
    case said(WebSocketConnection, JSON)
  }

  let events = Journal<Event>()
  private let listener: WebSocketListener

  init() throws {
    let events = events
    listener = try WebSocketListener { connection, event in
      switch event {
      case .opened(let target, let headers): events.append(.opened(target: target, headers: headers))
      case .message(let message):
        guard let said = JSON(parsing: message.bytes) else { preconditionFailure("the client said no JSON") }
        events.append(.said(connection, said))
        if said["type"] == "setup" { connection.say(["type": "ready"]) }
      case .closed: break
      }
    }
  }

  var url: String { "ws://127.0.0.1:\(listener.port)" }

  func stop() { listener.stop() }

  func next(_ type: JSON) async throws -> (connection: WebSocketConnection, message: JSON) {
    try await events.next { event in
      if case .said(let connection, let message) = event, message["type"] == type { (connection, message) } else { nil }
    }
  }

  /// The samples of all sound that was sent so far.
  var heard: [Int16] {
    events.all.flatMap { event -> [Int16] in
      if case .said(_, let message) = event, message["type"] == "audio" {
        TalkieDialect.samples(message["data"])
      } else {
        []
      }
    }
  }
}

extension WebSocketConnection {
  fileprivate func say(_ messages: JSON...) {
    for message in messages { send(OutgoingMessage(.text, capacity: 1024) { message.append(to: &$0) }) }
  }

  /// Sound of a turn: as many samples of this level.
  fileprivate func sound(_ turn: String, _ level: Int16, count: Int) {
    var data: [UInt8] = []
    Base64.append([Int16](repeating: level, count: count), to: &data)
    say(["type": "sound", "turn": .string(turn), "data": .string(String(decoding: data, as: UTF8.self))])
  }
}

/// The client and the readout know no provider: with one that shares nothing with the first they do the same.
@Suite(.timeLimit(.minutes(5)))
struct LiveProviderTests {
  private struct World {
    let server: TalkieServer
    let service: WebSocketService
    let events = Journal<VoiceEvent>()
    let endpoint: LiveEndpoint

    init() throws {
      server = try TalkieServer()
      service = try WebSocketService()
      endpoint = try LiveEndpoint(.talkie, url: server.url, key: Secret("sesame"))
    }

    func client() -> LiveModelClient {
      LiveModelClient(service: service, endpoint: endpoint, listening: .init(turnDetection: .server)) {
        [events] in events.append($0)
      }
    }

    func readout() -> LiveReadout {
      let now = ContinuousClock.now
      return LiveReadout(service: service, endpoint: endpoint, now: { now }) { [events] in events.append($0) }
    }

    func stop() {
      service.stop()
      server.stop()
    }
  }

  @Test func aListenerOfAnotherProviderIsSetUpAndHearsAtItsRate() async throws {
    let world = try World()
    let client = world.client()
    client.openLink(first, resuming: true)
    let (target, headers) = try await world.server.events.next { event in
      if case .opened(let target, let headers) = event { (target, headers) } else { nil }
    }
    #expect(target == "/v1/talk?model=t-1" && headers["authorization"] == "Bearer sesame")
    let (_, setup) = try await world.server.next("setup")
    #expect(setup["tools"] == ["converse", "stop"])
    #expect(setup["instructions"]?.string?.hasPrefix("You are the ears of a coding agent") == true)
    // It cannot resume anything.
    try await world.events.next(.linkReady(connection: first, resumed: false))
    for index in 0..<50 {
      client.send(
        MicrophoneFrame(
          position: index * PCM.frameSamples, samples: [Int16](repeating: 9_000, count: PCM.frameSamples)), on: first)
    }
    client.sendActivityStart(on: first)
    client.answer(CallID(connection: first, id: "none", tool: "converse"), with: "x")
    client.truncate(turn(7), heardMilliseconds: 1, on: first)
    for _ in 0..<50 { _ = try await world.server.next("audio") }
    // A second of sound is a second, but for what the filter holds back.
    let heard = world.server.heard
    #expect((23_800...24_000).contains(heard.count), "\(heard.count)")
    #expect(heard[4_000..<20_000].allSatisfy { (8_900...9_100).contains($0) })
    world.stop()
    #expect(
      !world.server.events.all.contains {
        if case .said(_, let said) = $0 { said["type"] == "truncate" } else { false }
      })
  }

  @Test func turnsCarryTheirIdentityAndWhatIsLateOfACutOneIsDropped() async throws {
    let world = try World()
    let client = world.client()
    client.openLink(first, resuming: false)
    let (server, _) = try await world.server.next("setup")
    server.say(["type": "begun", "turn": "resp_x"])
    server.sound("resp_x", 1_000, count: 1_600)
    server.say(["type": "cut", "turn": "resp_x"], ["type": "begun", "turn": "resp_y"])
    server.sound("resp_y", 2_000, count: 1_600)
    // Of the turn before, though it was closed and the next one speaks.
    server.sound("resp_x", 3_000, count: 1_600)
    server.say(
      ["type": "said", "turn": "resp_x", "text": "late"], ["type": "said", "turn": "resp_y", "text": "yes?"],
      ["type": "error", "text": "Rate limit of sesame reached."], ["type": "done", "turn": "resp_y"])
    try await world.events.next(.linkErred(connection: first, reason: "Rate limit of (secret) reached."))
    try await world.events.next(.modelTurnEnded(connection: first))
    var samples: [ModelTurnID: [Int16]] = [:]
    for case .modelAudio(first, let audio, let turn?) in world.events.all {
      samples[turn, default: []] += audio.samples
    }
    #expect(Set(samples.keys) == [turn(1), turn(2)])
    // 0.1 s is 0.1 s; of the second turn with the end that the filter held back.
    #expect((2_300...2_400).contains(samples[turn(1)]?.count ?? 0))
    #expect((2_390...2_460).contains(samples[turn(2)]?.count ?? 0), "\(samples[turn(2)]?.count ?? 0)")
    #expect(samples[turn(2)]?[100..<2_200].allSatisfy { (1_900...2_100).contains($0) } == true)
    #expect(world.events.all.contains(.modelTranscribed(connection: first, text: "yes?")))
    #expect(!world.events.all.contains(.modelTranscribed(connection: first, text: "late")))
    client.truncate(turn(1), heardMilliseconds: 40, on: first)
    #expect(try await world.server.next("truncate").message == ["type": "truncate", "turn": "resp_x", "ms": 40])
    world.stop()
  }

  @Test(arguments: [
    (1006, LinkFailure.Remedy.newSession), (1011, .newSession), (4001, .giveUp), (4004, .giveUp),
  ])
  func whatCannotBeResumedIsBegunAnew(code: Int, remedy: LinkFailure.Remedy) async throws {
    let world = try World()
    let client = world.client()
    client.openLink(first, resuming: false)
    let (server, _) = try await world.server.next("setup")
    try await world.events.next(.linkReady(connection: first, resumed: false))
    server.close(code: code == 1006 ? 1000 : code, reason: "sesame is over")
    let failure = try await world.events.nextFailure(of: first)
    #expect(failure.remedy == remedy)
    #expect(!failure.reason.contains("resumed") && failure.reason.contains("(secret) is over"))
    client.openLink(second, resuming: true)
    try await world.events.next(.linkReady(connection: second, resumed: false))
    world.stop()
  }

  @Test func aReadoutOfAnotherProviderTellsItsPiecesApart() async throws {
    let world = try World()
    let readout = world.readout()
    let pieces = (1...3).map { SpeechID(rawValue: $0) }
    readout.speak("One.", as: pieces[0])
    let (server, one) = try await world.server.next("speak")
    #expect(one["text"] == "One.")
    server.say(["type": "begun", "turn": "a", "tag": one["tag"]])
    server.sound("a", 1_000, count: 1_600)
    _ = try await world.events.next { if case .speechAudio(pieces[0], _) = $0 { () } else { nil } }
    readout.cancelSpeech(pieces[0])
    #expect(try await world.server.next("cancel").message["turn"] == "a")
    readout.speak("Two.", as: pieces[1])
    let two = try await world.server.next("speak").message
    server.say(["type": "begun", "turn": "b", "tag": two["tag"]])
    server.sound("b", 2_000, count: 1_600)
    server.sound("a", 1_000, count: 1_600)
    server.say(["type": "done", "turn": "a"], ["type": "done", "turn": "b"])
    try await world.events.next(.speechEnded(speech: pieces[1]))
    #expect(world.events.all.allSatisfy { if case .speechEnded(pieces[0]) = $0 { false } else { true } })
    // A turn that fails is tried once more, on a connection of its own, and then given up.
    readout.speak("Three.", as: pieces[2])
    for _ in 0..<2 {
      let (server, three) = try await world.server.next("speak")
      server.say(["type": "begun", "turn": "c", "tag": three["tag"]])
      server.say(["type": "error", "text": "of another"], ["type": "error", "turn": "c", "text": "No voice is free."])
    }
    try await world.events.next(.speechFailed(speech: pieces[2], reason: "No voice is free."))
    world.stop()
  }

  @Test(arguments: [
    ("gemini", "gemini", nil), ("talkie", "talkie", nil), ("talkie:wss://host/path", "talkie", "wss://host/path"),
    ("wss://host", "gemini", "wss://host"), ("talkies", "gemini", "talkies"),
  ])
  func aProviderIsNamedAloneOrBeforeAnAddress(text: String, name: String, url: String?) {
    let named = LiveProvider.named(text, of: LiveProvider.all + [.talkie])
    #expect(named.provider.name == name && named.url == url)
  }

  @Test func whatAProviderDoesNotOfferIsKnown() {
    #expect(LiveProvider.talkie.offers(.server) && !LiveProvider.talkie.offers(.client))
    #expect(LiveProvider.all.allSatisfy { $0.offers(.server) })
    #expect(Set(LiveProvider.all.map(\.name)).count == LiveProvider.all.count)
  }

  /// So one more provider is a file, and its line in `LiveProvider.all`.
  @Test func noProviderIsNamedOutsideItsOwnFiles() throws {
    let providers = LiveProvider.all.map(\.name)
    var named: [String] = []
    for target in ["parley", "VoiceConfiguration", "VoiceLive"] {
      let folder = "\(Repository.path)/Sources/\(target)"
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
        let name = file.split(separator: "/").last ?? ""
        guard !providers.contains(where: name.lowercased().hasPrefix) else { continue }
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        for line in text.split(separator: "\n") where !line.contains("static let all: [LiveProvider]") {
          guard providers.contains(where: line.lowercased().contains) else { continue }
          named.append("\(target)/\(file): \(line.drop { $0 == " " })")
        }
      }
    }
    #expect(named == [])
  }
}
