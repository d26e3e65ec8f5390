package import VoiceJSON

/// One message of JSON-RPC 2.0, as it arrives from the other side.
///
/// Both sides send requests, so there are two spaces of identifiers: ours are counted numbers, theirs are any string or
/// number and are echoed as received.
package enum RPCMessage: Equatable, Sendable {
  /// The answer to our request.
  case answer(request: Int, Result<JSON, RPCError>)
  /// A request of theirs, which must be answered.
  case request(id: JSON, method: String, parameters: JSON)
  case notification(method: String, parameters: JSON)

  /// nil for anything that is no message: agents print banners and log lines, too.
  init?(line: [UInt8]) {
    guard let message = AgentLine(line).message else { return nil }
    self.init(message)
  }

  /// nil for an object that is no message.
  package init?(_ message: JSON) {
    let parameters = message["params"] ?? .null
    switch (message["method"]?.string, message["id"]) {
    case (let method?, nil), (let method?, .null?): self = .notification(method: method, parameters: parameters)
    case (let method?, let id?): self = .request(id: id, method: method, parameters: parameters)
    case (nil, let id?):
      // Some agents send our number back as text.
      guard let request = id.integer ?? id.string.flatMap({ Int($0) }) else { return nil }
      if let error = message["error"], error != .null {
        self = .answer(request: request, .failure(RPCError(error)))
      } else {
        self = .answer(request: request, .success(message["result"] ?? .null))
      }
    case (nil, nil): return nil
    }
  }
}

/// How messages of JSON-RPC are written, each as one line.
enum RPCForm: Sendable {
  /// With `"jsonrpc": "2.0"`.
  case complete
  /// As Codex wants it.
  case withoutVersion

  /// A request of ours.
  func request(_ id: Int, _ method: String, _ parameters: JSON) -> [UInt8] {
    line(["jsonrpc": version, "id": .integer(id), "method": .string(method), "params": parameters])
  }

  /// A notification; without parameters, where it needs none.
  func notification(_ method: String, _ parameters: JSON? = nil) -> [UInt8] {
    line(["jsonrpc": version, "method": .string(method), "params": parameters])
  }

  /// The answer to a request of theirs.
  func result(of id: JSON, _ result: JSON) -> [UInt8] { line(["jsonrpc": version, "id": id, "result": result]) }

  /// The refusal of a request of theirs.
  func error(of id: JSON, code: Int, _ message: String) -> [UInt8] {
    line(["jsonrpc": version, "id": id, "error": ["code": .integer(code), "message": .string(message)]])
  }

  private var version: JSON? { self == .complete ? "2.0" : nil }

  private func line(_ message: JSON) -> [UInt8] { message.line }
}

/// The error that answers a request.
package struct RPCError: Error, Equatable, Sendable {
  package var code: Int
  package var message: String

  static let invalidRequest = -32600
  static let methodNotFound = -32601
  static let invalidParameters = -32602
  static let authenticationRequired = -32000
  static let requestCancelled = -32800
  static let notFound = -32002
}

extension RPCError {
  fileprivate init(_ error: JSON) {
    // The message is often only "Internal error"; the words then stand in the data.
    let words = error["data"]?.string ?? error["data"]?["message"]?.string ?? error["data"]?["details"]?.string
    let message = [error["message"]?.string ?? "", words ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
    self.init(code: error["code"]?.integer ?? 0, message: message)
  }
}

extension String {
  /// One line of at most so many characters, for a sentence: inner line ends become spaces.
  func shortened(to limit: Int) -> String {
    // What is far beyond the limit is not even looked at: it may be a whole file.
    let seen = prefix(limit * 4)
    let words = seen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count <= limit && seen.endIndex == endIndex ? words : words.prefix(limit - 1) + "…"
  }
}
