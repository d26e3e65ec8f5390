import VoiceVocabulary

/// One request. Its answer comes as `HTTPEvent`s.
package struct HTTPRequest: Equatable, Sendable {
  /// As it is sent.
  package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT", delete = "DELETE" }

  package var method: Method
  package var address: HTTPAddress
  /// Begins with a slash; stands behind the path of the address.
  package var path: String
  /// Whole header lines; none of them secret.
  package var headers: [String]
  package var body: [UInt8]
  package var credential: HTTPCredential?
  package var connectMilliseconds = ConverseLimits.connectMilliseconds
  /// The longest time without a byte, from the moment of the request.
  package var silenceMilliseconds = ConverseLimits.silenceMilliseconds

  package init(
    _ method: Method, _ address: HTTPAddress, _ path: String, headers: [String] = [], body: [UInt8] = [],
    credential: HTTPCredential? = nil
  ) {
    self.method = method
    self.address = address
    self.path = path
    self.headers = headers
    self.body = body
    self.credential = credential
  }

  /// The header line with the secret, read now; nil where there is none. It does not go over the network unencrypted.
  func credentialLine() throws(HTTPFailure) -> HTTPCredential.Line? {
    guard let credential else { return nil }
    guard address.isEncrypted || address.isLocal else {
      throw HTTPFailure(kind: .credential, detail: "the token would go over the network unencrypted; use https")
    }
    return try credential.line()
  }
}

/// What came of a request: at most one head, any number of bytes behind it, and always exactly one end.
package enum HTTPEvent: Equatable, Sendable {
  /// The head of an answer with a status from 200 to 299.
  case head(HTTPHead)
  case bytes([UInt8])
  /// The answer to `withdraw` where that came too late: some of the request may have been sent.
  case hasLeft
  case ended(HTTPEnd)
}

/// The head of an answer.
package struct HTTPHead: Equatable, Sendable {
  package var status: Int
  /// By name in lower case; of several with one name the last, but every cookie that is set, each in a line. No more than `ConverseLimits.headers`.
  package var headers: [String: String]

  package init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    self.headers = headers
  }

  /// The type without its parameters, in lower case; empty where the server names none.
  package var contentType: String {
    (headers["content-type"] ?? "").prefix { $0 != ";" }.trimmingWhitespace().lowercased()
  }
}

/// How a transfer ended.
package enum HTTPEnd: Equatable, Sendable {
  case complete
  /// By `cancel` or `close`.
  case cancelled
  /// By `withdraw`, and not a byte of the request was sent.
  case withdrawn
  /// A status outside of 200 to 299: an error, or a redirect, which is not followed. The server may quote our credential in it:
  /// `HTTPServer.quoted` is for what is told of its words.
  case refused(HTTPHead, body: [UInt8])
  case failed(HTTPFailure)
}

/// Why a transfer failed. `detail` is the library's own sentence; no secret is in it.
package struct HTTPFailure: Error, Equatable, Sendable {
  /// What failed.
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
    /// The token is missing, cannot be used, or must not be sent there; nothing was sent.
    case credential
    case other
  }

  package var kind: Kind
  package var detail: String

  package init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
