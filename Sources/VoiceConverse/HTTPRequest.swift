/// A request whose answer is a stream.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable { case get = "GET", post = "POST" }

  package var method: Method
  package var address: HTTPAddress
  /// Begins with a slash.
  package var path: String
  package var headers: [String]
  package var body: [UInt8]
  /// The name of the environment variable that holds a bearer token; the token itself is never kept here.
  package var tokenVariable: String?
  package var connectMilliseconds = ConverseLimits.connectMilliseconds
  /// The longest time without a byte, from the moment of the request.
  package var silenceMilliseconds = ConverseLimits.silenceMilliseconds

  package init(
    _ method: Method, _ address: HTTPAddress, _ path: String, headers: [String] = [], body: [UInt8] = [],
    tokenVariable: String? = nil
  ) {
    self.method = method
    self.address = address
    self.path = path
    self.headers = headers
    self.body = body
    self.tokenVariable = tokenVariable
  }
}

/// Where a server listens.
package struct HTTPAddress: Equatable, Sendable {
  /// `http` or `https`, the host and the port, without a path: `http://127.0.0.1:8000`.
  package let base: String
  /// The path of a Unix socket to connect to instead of the host.
  package let socketPath: String?

  /// nil unless the text is `http://HOST[:PORT]`, `https://HOST[:PORT]` or `unix:/PATH`.
  package init?(_ text: String) {
    if let path = text.dropping(prefix: "unix:") {
      guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 }) else { return nil }
      base = "http://localhost"
      socketPath = path
      return
    }
    guard let rest = text.dropping(prefix: "http://") ?? text.dropping(prefix: "https://") else { return nil }
    let host = rest.last == "/" ? rest.dropLast() : rest[...]
    let allowed = host.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "-._:[]".utf8.contains($0)
      }
    }
    // No path, no query, and no user name: a password in an address ends up in logs.
    guard !host.isEmpty, allowed else { return nil }
    base = String(text.dropLast(rest.count)) + host
    socketPath = nil
  }

  /// For sentences.
  var name: String { socketPath ?? base }

  /// Whether what is sent stays on this machine.
  var isLocal: Bool {
    guard socketPath == nil, let host = base.split(separator: "/").last else { return true }
    if host.hasPrefix("[::1]") { return true }
    let name = host.split(separator: ":").first ?? ""
    return name == "localhost" || name.hasPrefix("127.")
  }

  var isEncrypted: Bool { base.hasPrefix("https://") }
}

extension String {
  /// What follows the prefix; nil if the text does not begin with it.
  func dropping(prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}

/// What came of a request: one head, any number of bytes, and always exactly one end.
package enum HTTPEvent: Equatable, Sendable {
  /// `contentType` is empty where the server names none.
  case head(status: Int, contentType: String)
  case bytes([UInt8])
  case ended(HTTPEnd)
}

package enum HTTPEnd: Equatable, Sendable {
  case complete
  /// By `cancel` or `close`.
  case cancelled
  case failed(HTTPFailure)
}

/// Why a transfer failed. `detail` is the library's own sentence; no token is in it.
package struct HTTPFailure: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// There is no such host.
    case nameNotFound
    /// Nobody listens there.
    case refused
    /// Connecting took too long.
    case connectTimeout
    /// The certificate is not trusted.
    case untrusted
    /// The connection broke in the middle.
    case brokenOff
    /// Not a byte for the silence time.
    case silent
    /// The token is missing, or must not be sent there.
    case token
    case other
  }

  package var kind: Kind
  package var detail: String
}
