import CWebSockets
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP socket on the loopback address, for what a WebSocket library would never do.
final class RawSocket: Sendable {
  let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }

  private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = address(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  /// Accepts connections in the kernel, and answers nothing by itself.
  static func listening() -> (socket: RawSocket, port: Int) {
    let socket = RawSocket(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    precondition(withAddress(0) { bind(socket.descriptor, $0, $1) } == 0 && listen(socket.descriptor, 8) == 0)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &size) }
    }
    precondition(status == 0)
    return (socket, Int(in_port_t(bigEndian: address.sin_port)))
  }

  static func connected(to port: Int) -> RawSocket {
    let socket = RawSocket(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    precondition(withAddress(port) { connect(socket.descriptor, $0, $1) } == 0)
    return socket
  }

  func accepted() -> RawSocket { RawSocket(descriptor: accept(descriptor, nil, nil)) }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) { precondition(send(descriptor, bytes, bytes.count, 0) == bytes.count) }

  /// What arrives until `end` is in it.
  func read(until end: String) -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: text, as: UTF8.self).contains(end) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The next `close` sends a reset instead of an orderly end.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Send as much as the other side takes before it closes; whether it took all.
  func writeUntilClosed(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        send(descriptor, bytes.baseAddress?.advanced(by: sent), min(bytes.count - sent, 1 << 16), Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Answer a client's handshake as a server does.
  func acceptUpgrade() {
    let request = read(until: "\r\n\r\n")
    guard let field = request.split(separator: "\r\n").first(where: { $0.hasPrefix("Sec-WebSocket-Key: ") }) else {
      return
    }
    let key = field.dropFirst("Sec-WebSocket-Key: ".count) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    var digest = [UInt8](repeating: 0, count: 20)
    lws_SHA1(Array(key.utf8), key.utf8.count, &digest)
    var text = [CChar](repeating: 0, count: 64)
    let count = digest.withUnsafeBytes { digest in
      lws_b64_encode_string(digest.bindMemory(to: CChar.self).baseAddress, 20, &text, Int32(text.count))
    }
    let accept = String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(accept)\r\n\r\n")
  }

  func upgrade() -> String {
    write(
      "GET /x HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    return read(until: "\r\n\r\n")
  }
}

/// A server of the Gemini Live protocol that does what a test says, one step at a time.
final class ScriptedServer: Sendable {
  enum Event: Sendable {
    case opened(WebSocketConnection, target: String, headers: [String: String])
    case said(WebSocketConnection, GeminiClientMessage)
    case closed(WebSocketConnection, WebSocketClosure)
  }

  let events = Journal<Event>()
  private let listener: WebSocketListener

  var url: String { "ws://127.0.0.1:\(listener.port)" }

  init() throws {
    let events = events
    listener = try WebSocketListener { connection, event in
      switch event {
      case .opened(let target, let headers): events.append(.opened(connection, target: target, headers: headers))
      case .message(let message):
        var dialect = GeminiServerDialect()
        for said in dialect.decode(message) { events.append(.said(connection, said)) }
      case .closed(let closure): events.append(.closed(connection, closure))
      }
    }
  }

  func stop() { listener.stop() }

  /// The next connection with what it asked for; its setup is answered unless `answers` is false.
  func nextSetup(answers: Bool = true) async throws -> (connection: WebSocketConnection, setup: GeminiClientSetup) {
    let (connection, setup) = try await events.next { event in
      if case .said(let connection, .setup(let setup)) = event { (connection, setup) } else { nil }
    }
    if answers { connection.say(.setupComplete(sessionID: "")) }
    return (connection, setup)
  }

  /// The next text that is to be read aloud.
  func nextText() async throws -> String {
    try await events.next { event in
      if case .said(_, .clientContent(let turns, isComplete: true)) = event { turns.map(\.text).joined() } else { nil }
    }
  }
}

extension WebSocketConnection {
  func say(_ messages: GeminiServerMessage...) {
    for message in messages { send(GeminiServerDialect().encode(message)) }
  }
}

/// A program that is run beside a test; it ends when its standard input closes.
final class PeerProcess: Sendable {
  let lines = Journal<String>()
  private let process: pid_t
  /// The other end is the program's standard input and output.
  private let descriptor: Int32
  private let reader = SystemThread()

  init?(_ arguments: [String]) {
    // Closed in every other child from the start, or a test would wait for the children of others.
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var process = pid_t()
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    guard status == 0 else { return nil }
    self.process = process
    descriptor = ends[0]
    let (lines, output) = (lines, descriptor)
    let isStarted = reader.start {
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while read(output, &byte, 1) == 1 {
        if byte == 10 {
          lines.append(String(decoding: line, as: UTF8.self))
          line = []
        } else {
          line.append(byte)
        }
      }
    }
    precondition(isStarted)
  }

  func stop() {
    shutdown(descriptor, Int32(SHUT_WR))
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
    reader.join()
    close(descriptor)
  }
}
