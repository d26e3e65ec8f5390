import Testing
import VoiceSystem
import VoiceTesting

@testable import VoiceLive
@testable import VoiceWebSocket

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One listener and what it saw, with the connections that it accepted.
private final class Server: Sendable {
  let events = Journal<(WebSocketConnection, WebSocketEvent)>()
  let listener: WebSocketListener

  init() throws {
    let events = events
    listener = try WebSocketListener { events.append(($0, $1)) }
  }

  func nextConnection() async throws -> WebSocketConnection {
    try await events.next { connection, event in if case .opened = event { connection } else { nil } }
  }

  func nextClosure() async throws -> WebSocketClosure {
    try await events.next { if case .closed(let closure) = $1 { closure } else { nil } }
  }

  func nextMessage() async throws -> IncomingMessage {
    try await events.next { if case .message(let message) = $1 { message } else { nil } }
  }
}

extension Journal<WebSocketEvent> {
  func nextClosure() async throws -> WebSocketClosure {
    try await next { if case .closed(let closure) = $0 { closure } else { nil } }
  }

  func nextMessage() async throws -> IncomingMessage {
    try await next { if case .message(let message) = $0 { message } else { nil } }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct WebSocketTests {
  private func request(_ url: String, timeoutMilliseconds: Int = 5_000) throws -> WebSocketRequest {
    WebSocketRequest(address: try WebSocketAddress(parsing: url), timeoutMilliseconds: timeoutMilliseconds)
  }

  @Test func aClientAndAListenerExchangeMessagesAndCloseWithCodeAndReason() async throws {
    let server = try Server()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    var request = try request("ws://127.0.0.1:\(server.listener.port)/ws//live?alt=x&b=2")
    request.headers = [("x-goog-api-key", "abc")]
    let connection = service.connect(request) { client.append($1) }
    let (accepted, target, headers) = try await server.events.next { connection, event in
      if case .opened(let target, let headers) = event { (connection, target, headers) } else { nil }
    }
    #expect(target == "/ws/live?alt=x&b=2")
    #expect(headers["x-goog-api-key"] == "abc")
    #expect(headers["host"] == "127.0.0.1:\(server.listener.port)")
    connection.send(OutgoingMessage(text: "hello"))
    #expect(try await server.nextMessage() == IncomingMessage(kind: .text, bytes: Array("hello".utf8)))
    accepted.send(OutgoingMessage(text: "last"))
    accepted.close(code: 1007, reason: "API key expired.")
    #expect(try await client.nextMessage().bytes == Array("last".utf8))
    #expect(try await client.nextClosure() == .remote(code: 1007, reason: "API key expired."))
    #expect(try await server.nextClosure() == .local)
    service.stop()
    server.listener.stop()
  }

  @Test func aWatchedPipeIsReadToItsEndAndStaysItsOwners() async throws {
    let service = try WebSocketService()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
    let got = Journal<[UInt8]>()
    service.watch(
      input,
      read: {
        var bytes = [UInt8](repeating: 0, count: 4)
        let count = read(input, &bytes, bytes.count)
        if count >= 0 { got.append(Array(bytes.prefix(count))) }
        return count > 0 ? .something : count == 0 ? .over : .nothing
      }, failed: { Issue.record("the pipe was not watched") })
    #expect(write(output, Array("one".utf8), 3) == 3)
    #expect(try await got.next { $0 } == Array("one".utf8))
    // More than is read at a time, and the end right behind it.
    #expect(write(output, Array("two, three".utf8), 10) == 10)
    close(output)
    #expect(try await got.next { $0 } == Array("two,".utf8))
    #expect(try await got.next { $0 } == Array(" thr".utf8))
    #expect(try await got.next { $0 } == Array("ee".utf8))
    #expect(try await got.next { $0 } == [])
    service.stop()
    #expect(fcntl(input, F_GETFD) >= 0)
    close(input)
  }

  @Test func whatWasWatchedOrListenedForIsLetGoAtTheEnd() async throws {
    weak var reader: Journal<Int>?
    weak var handler: Journal<(WebSocketConnection, WebSocketEvent)>?
    do {
      let (server, service) = (try Server(), try WebSocketService())
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      let input = ends[0]
      defer { close(input) }
      let got = Journal<Int>()
      service.watch(
        input,
        read: {
          var byte: UInt8 = 0
          got.append(read(input, &byte, 1))
          return .over
        }, failed: { Issue.record("the pipe was not watched") })
      close(ends[1])
      #expect(try await got.next { $0 } == 0)
      // A handler may hold the connections of its own listener.
      _ = service.connect(try request("ws://127.0.0.1:\(server.listener.port)/")) { _, _ in }
      _ = try await server.nextConnection()
      (reader, handler) = (got, server.events)
      service.stop()
      server.listener.stop()
    }
    #expect(reader == nil)
    #expect(handler == nil)
  }

  @Test func aServiceThatWasStoppedWatchesNothing() throws {
    let service = try WebSocketService()
    service.stop()
    let failures = Locked(0)
    service.watch(0, read: { .over }, failed: { failures.withLock { $0 += 1 } })
    #expect(failures.withLock { $0 } == 1)
  }

  @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 3_000_000])
  func aMessageOfAnySizeArrivesWholeOnBothWays(count: Int) async throws {
    let server = try Server()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: index &* 31) }
      initialized = count
    }
    let connection = service.connect(try request("ws://127.0.0.1:\(server.listener.port)/")) { client.append($1) }
    connection.send(OutgoingMessage(binary: bytes))
    let accepted = try await server.nextConnection()
    let isSame = try await server.nextMessage() == IncomingMessage(kind: .binary, bytes: bytes)
    accepted.send(OutgoingMessage(binary: bytes))
    let isSameBack = try await client.nextMessage() == IncomingMessage(kind: .binary, bytes: bytes)
    #expect(isSame && isSameBack)
    service.stop()
    server.listener.stop()
  }

  @Test func manyMessagesFromSeveralThreadsArriveInTheOrderOfEach() async throws {
    let server = try Server()
    let service = try WebSocketService()
    let connection = service.connect(try request("ws://127.0.0.1:\(server.listener.port)/")) { _, _ in }
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<500 { connection.send(OutgoingMessage(text: "\(sender) \(number)")) }
        }
      }
    }
    var next = [Int](repeating: 0, count: 4)
    for _ in 0..<2000 {
      let words = String(decoding: try await server.nextMessage().bytes, as: UTF8.self).split(separator: " ")
      let sender = try #require(words.first.flatMap { Int($0) })
      #expect(words.last == "\(next[sender])")
      next[sender] += 1
    }
    service.stop()
    server.listener.stop()
  }

  @Test func closingIsToldOnceOnEachSide() async throws {
    let server = try Server()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    let connection = service.connect(try request("ws://127.0.0.1:\(server.listener.port)/")) { client.append($1) }
    _ = try await server.nextConnection()
    try await client.next { if case .opened = $0 { () } else { nil } }
    connection.close(code: 4001, reason: "enough")
    connection.close()
    connection.send(OutgoingMessage(text: "too late"))
    #expect(try await client.nextClosure() == .local)
    #expect(try await server.nextClosure() == .remote(code: 4001, reason: "enough"))
    service.stop()
    server.listener.stop()
    #expect(client.all.count == 2)
    #expect(server.events.all.count == 2)
  }

  @Test func aServerThatIsNotThereIsReported() async throws {
    let (socket, port) = RawSocket.listening()
    withExtendedLifetime(socket) {}
    let free = port  // closed below, and nobody else takes it within the test
    _ = consume socket
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    _ = service.connect(try request("ws://127.0.0.1:\(free)/")) { client.append($1) }
    guard case .notOpened(status: nil, let reason) = try await client.nextClosure() else {
      Issue.record("a connection to nobody was opened")
      return
    }
    #expect(!reason.isEmpty)
    _ = service.connect(try request("ws://no-such-host.invalid/")) { client.append($1) }
    guard case .notOpened(status: nil, _) = try await client.nextClosure() else {
      Issue.record("a name that does not exist was found")
      return
    }
    service.stop()
    #expect(client.all.count == 2)
  }

  @Test func aServerThatNeverAnswersTheHandshakeIsGivenUp() async throws {
    let (silent, port) = RawSocket.listening()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    let start = ContinuousClock.now
    _ = service.connect(try request("ws://127.0.0.1:\(port)/", timeoutMilliseconds: 300)) { client.append($1) }
    guard case .notOpened(status: nil, let reason) = try await client.nextClosure() else {
      Issue.record("a silent server was taken for an open connection")
      return
    }
    #expect(reason.contains("300 ms"))
    #expect(start.duration(to: .now) >= .milliseconds(290))
    withExtendedLifetime(silent) {}
    service.stop()
    #expect(client.all.count == 1)
  }

  @Test func closingBeforeTheHandshakeIsDoneEndsIt() async throws {
    let (silent, port) = RawSocket.listening()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    let connection = service.connect(try request("ws://127.0.0.1:\(port)/")) { client.append($1) }
    connection.close()
    #expect(try await client.nextClosure() == .local)
    withExtendedLifetime(silent) {}
    service.stop()
  }

  @Test(arguments: [404, 401, 503, 302])
  func anAnswerThatIsNoUpgradeIsReportedWithItsStatus(status: Int) async throws {
    let (socket, port) = RawSocket.listening()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    _ = service.connect(try request("ws://127.0.0.1:\(port)/x")) { client.append($1) }
    let peer = socket.accepted()
    #expect(peer.read(until: "\r\n\r\n").hasPrefix("GET /x HTTP/1.1\r\n"))
    peer.write("HTTP/1.1 \(status) No\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    guard case .notOpened(status: status, _) = try await client.nextClosure() else {
      Issue.record("HTTP \(status) was reported as \(client.all)")
      return
    }
    service.stop()
  }

  @Test func aResetDuringTheHandshakeIsReported() async throws {
    let (socket, port) = RawSocket.listening()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    _ = service.connect(try request("ws://127.0.0.1:\(port)/x")) { client.append($1) }
    do {
      let peer = socket.accepted()
      _ = peer.read(until: "\r\n\r\n")
      peer.resetOnClose()
    }
    guard case .notOpened(status: nil, _) = try await client.nextClosure() else {
      Issue.record("a reset was reported as \(client.all)")
      return
    }
    service.stop()
  }

  @Test func aResetOfAnOpenConnectionIsALoss() async throws {
    let server = try Server()
    do {
      let raw = RawSocket.connected(to: server.listener.port)
      #expect(raw.upgrade().hasPrefix("HTTP/1.1 101"))
      _ = try await server.nextConnection()
      // The first half of a masked text frame.
      raw.write([0x81, 0x85, 1, 2, 3, 4, 0x69])
      raw.resetOnClose()
    }
    #expect(try await server.nextClosure() == .lost)
    server.listener.stop()
  }

  @Test func fragmentsAreJoinedAndAPingBetweenThemIsAnswered() async throws {
    let server = try Server()
    let raw = RawSocket.connected(to: server.listener.port)
    _ = raw.upgrade()
    raw.write([0x01, 0x82, 0, 0, 0, 0] + Array("he".utf8))
    raw.write([0x89, 0x81, 0, 0, 0, 0] + Array("p".utf8))
    raw.write([0x80, 0x83, 0, 0, 0, 0] + Array("llo".utf8))
    #expect(try await server.nextMessage() == IncomingMessage(kind: .text, bytes: Array("hello".utf8)))
    #expect(raw.read(until: "p") == "\u{FFFD}\u{1}p")
    server.listener.stop()
  }

  @Test func somethingOtherThanAWebSocketIsRefusedPolitely() async throws {
    let server = try Server()
    let raw = RawSocket.connected(to: server.listener.port)
    raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(raw.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 426"))
    server.listener.stop()
    #expect(server.events.all.isEmpty)
  }

  @Test func aPeerThatTakesNothingInEndsTheConnection() async throws {
    let server = try Server()
    let raw = RawSocket.connected(to: server.listener.port)
    _ = raw.upgrade()
    let connection = try await server.nextConnection()
    let megabyte = [UInt8](repeating: 0, count: 1 << 20)
    // Beside the limit, the kernel takes some.
    for _ in 0..<64 { connection.send(OutgoingMessage(binary: megabyte)) }
    #expect(try await server.nextClosure() == .outputFull)
    withExtendedLifetime(raw) {}
    server.listener.stop()
  }

  @Test func aMessageOverTheLimitEndsTheConnection() async throws {
    let server = try Server()
    let raw = RawSocket.connected(to: server.listener.port)
    _ = raw.upgrade()
    let size = UInt64(WebSocketLimits.messageBytes + 1)
    let header: [UInt8] = [0x82, 0xFF] + withUnsafeBytes(of: size.bigEndian, Array.init)
    raw.write(header + [0, 0, 0, 0, 7])
    #expect(try await server.nextClosure() == .messageTooLong)
    server.listener.stop()
  }

  @Test func aTakenPortIsOneClearError() async throws {
    let server = try Server()
    let port = server.listener.port
    let error = #expect(throws: WebSocketStartError.self) { try WebSocketListener(port: port) { _, _ in } }
    #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    server.listener.stop()
  }

  @Test func stoppingClosesWhatIsOpenAndLaterCallsAreAnswered() async throws {
    let server = try Server()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    let address = try request("ws://127.0.0.1:\(server.listener.port)/")
    _ = service.connect(address) { client.append($1) }
    _ = try await server.nextConnection()
    // The server may know of it before the client does; a handshake that is given up is no closing.
    try await client.next { if case .opened = $0 { () } else { nil } }
    service.stop()
    #expect(try await client.nextClosure() == .local)
    #expect(try await server.nextClosure() == .remote(code: 1001, reason: ""))
    _ = service.connect(address) { client.append($1) }
    guard case .notOpened = try await client.nextClosure() else {
      Issue.record("a stopped service connected")
      return
    }
    server.listener.stop()
  }

  @Test func aProxyIsAskedToConnect() async throws {
    let (socket, port) = RawSocket.listening()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    var request = try request("ws://live.example:8080/x", timeoutMilliseconds: 2000)
    request.proxy = "127.0.0.1:\(port)"
    _ = service.connect(request) { client.append($1) }
    let peer = socket.accepted()
    #expect(peer.read(until: "\r\n\r\n").hasPrefix("CONNECT live.example:8080 HTTP/1"))
    peer.write("HTTP/1.0 403 Forbidden\r\n\r\n")
    guard case .notOpened = try await client.nextClosure() else {
      Issue.record("a refused proxy was used")
      return
    }
    service.stop()
  }
}

extension OutgoingMessage {
  /// A message of bytes.
  init(binary bytes: some Collection<UInt8>) {
    self.init(.binary, capacity: bytes.count) { $0.append(contentsOf: bytes) }
  }
}
