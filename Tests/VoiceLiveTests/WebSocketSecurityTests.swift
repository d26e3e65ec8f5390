import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A private certificate authority in a temporary folder, made by the `openssl` program.
final class Authority: Sendable {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try run("openssl ecparam -name prime256v1 -genkey -noout -out ca.key")
    try run("openssl req -x509 -new -key ca.key -days 2 -subj '/CN=Parley Test Authority' -out ca.pem")
    try run("openssl ecparam -name prime256v1 -genkey -noout -out other.key")
    try run("openssl req -x509 -new -key other.key -days 2 -subj '/CN=Another Authority' -out other.pem")
  }

  enum Failure: Error { case command(String) }

  func file(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// A certificate for these names, such as `DNS:localhost`.
  func identity(_ name: String, for names: String) throws -> WebSocketListener.Identity {
    try run("openssl ecparam -name prime256v1 -genkey -noout -out \(name).key")
    try run("openssl req -new -key \(name).key -subj '/CN=\(name)' -out \(name).csr")
    try run("printf 'subjectAltName=\(names)\\n' > \(name).ext")
    try run(
      "openssl x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile \(name).ext -out \(name).pem"
    )
    return .init(certificateFile: file("\(name).pem"), privateKeyFile: file("\(name).key"))
  }

  private func run(_ command: String) throws {
    guard system("cd '\(folder.path)' && (\(command)) >/dev/null 2>&1") == 0 else { throw Failure.command(command) }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct WebSocketSecurityTests {
  /// What comes of a connection to an echo server with this identity.
  private func outcome(
    _ identity: WebSocketListener.Identity, host: String, authorityFile: String?, scheme: String = "wss"
  ) async throws -> WebSocketEvent {
    let listener = try WebSocketListener(identity: identity) { connection, event in
      if case .message(let message) = event { connection.send(OutgoingMessage(binary: message.bytes)) }
    }
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    let address = try WebSocketAddress(parsing: "\(scheme)://\(host):\(listener.port)/x")
    let request = WebSocketRequest(address: address, authorityFile: authorityFile, timeoutMilliseconds: 3000)
    let connection = service.connect(request) { client.append($1) }
    connection.send(OutgoingMessage(text: "secret"))
    let event = try await client.next { event -> WebSocketEvent? in if case .opened = event { nil } else { event } }
    service.stop()
    listener.stop()
    return event
  }

  private static let echo = WebSocketEvent.message(
    message: IncomingMessage(kind: .binary, bytes: Array("secret".utf8)))

  private func refusal(_ event: WebSocketEvent) -> String? {
    if case .closed(.notOpened(_, let reason)) = event { reason } else { nil }
  }

  @Test func aServerOfTheGivenAuthorityIsTrusted() async throws {
    let authority = try Authority()
    let identity = try authority.identity("server", for: "DNS:localhost")
    let event = try await outcome(identity, host: "localhost", authorityFile: authority.file("ca.pem"))
    #expect(event == Self.echo)
  }

  @Test func aServerKnownByItsAddressIsTrusted() async throws {
    let authority = try Authority()
    let identity = try authority.identity("server", for: "IP:127.0.0.1")
    let event = try await outcome(identity, host: "127.0.0.1", authorityFile: authority.file("ca.pem"))
    #expect(event == Self.echo)
  }

  @Test func aServerOfAnotherAuthorityIsRefused() async throws {
    let authority = try Authority()
    let identity = try authority.identity("server", for: "DNS:localhost")
    for file in [authority.file("other.pem"), nil] {
      let event = try await outcome(identity, host: "localhost", authorityFile: file)
      let reason = try #require(refusal(event))
      #expect(reason.hasPrefix("the server's certificate was refused: "))
      let failure = LiveRecovery(place: "there", canResume: true).failure(
        of: .notOpened(status: nil, reason: reason), at: .settingUp(isResuming: false), meaning: { _, _ in .ended })
      #expect(failure.remedy == .giveUp, "\(reason)")
    }
  }

  @Test func aServerOfAnotherNameIsRefused() async throws {
    let authority = try Authority()
    let identity = try authority.identity("server", for: "DNS:other.example")
    let event = try await outcome(identity, host: "localhost", authorityFile: authority.file("ca.pem"))
    #expect(refusal(event) == "the server's certificate was refused: hostname mismatch")
  }

  @Test func aPlainClientGetsNothingFromASecureServer() async throws {
    let authority = try Authority()
    let identity = try authority.identity("server", for: "DNS:localhost")
    let event = try await outcome(identity, host: "127.0.0.1", authorityFile: nil, scheme: "ws")
    #expect(refusal(event) != nil)
  }

  @Test func filesThatCannotBeUsedAreNamed() async throws {
    let authority = try Authority()
    let identity = try authority.identity("server", for: "DNS:localhost")
    let missing = try await outcome(identity, host: "localhost", authorityFile: authority.file("none.pem"))
    #expect(refusal(missing)?.contains(authority.file("none.pem")) == true)
    let empty = try await outcome(identity, host: "localhost", authorityFile: authority.file("server.ext"))
    #expect(refusal(empty)?.contains(authority.file("server.ext")) == true, "\(empty)")
    let broken = WebSocketListener.Identity(
      certificateFile: authority.file("none.pem"), privateKeyFile: identity.privateKeyFile)
    let error = #expect(throws: WebSocketStartError.self) { try WebSocketListener(identity: broken) { _, _ in } }
    #expect(error?.description.contains("none.pem") == true)
  }
}
