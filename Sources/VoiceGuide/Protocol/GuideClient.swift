import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// The other end of the pipe: the program that started the guide. Any task may send; messages never mix.
final class GuideClient: Sendable {
  /// What the user decided about a request for permission.
  enum Decision: Equatable, Sendable { case allowedOnce, allowedAlways, rejected, cancelled }

  private struct Requests {
    var last = 0
    var waiting: [Int: CheckedContinuation<Decision, Never>] = [:]
  }

  private let output: Locked<Int32>
  private let requests = Locked(Requests())

  /// `output` is a file descriptor that stays open as long as this client is used.
  init(output: Int32) { self.output = Locked(output) }

  // Answers and notifications.

  /// Answer a request.
  func answer(_ id: JSON, with result: JSON) { send(["jsonrpc": "2.0", "id": id, "result": result]) }

  /// Refuse a request.
  func refuse(_ id: JSON, _ error: GuideError) {
    send(["jsonrpc": "2.0", "id": id, "error": ["code": .integer(error.code), "message": .string(error.message)]])
  }

  /// Tell what happens in a session.
  func update(_ session: String, _ update: JSON) {
    send([
      "jsonrpc": "2.0", "method": "session/update", "params": ["sessionId": .string(session), "update": update],
    ])
  }

  // Requests of our own.

  /// Ask for permission and wait for the answer. A task that is cancelled gets `cancelled` at once.
  func askPermission(_ session: String, toolCall: JSON) async -> Decision {
    let id = requests.withLock { requests in
      requests.last += 1
      return requests.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        requests.withLock { $0.waiting[id] = continuation }
        send([
          "jsonrpc": "2.0", "id": .integer(id), "method": "session/request_permission",
          "params": ["sessionId": .string(session), "toolCall": toolCall, "options": Self.options],
        ])
        // The cancellation may have come before there was anything to resume.
        if Task.isCancelled { settle(id, .cancelled) }
      }
    } onCancel: {
      settle(id, .cancelled)
    }
  }

  /// The client answered a request of ours; a late or unknown answer is ignored.
  func takeAnswer(_ message: JSON) {
    guard let id = message["id"]?.integer else { return }
    let outcome = message["result"]?["outcome"]
    let decision: Decision =
      switch (outcome?["outcome"]?.string, outcome?["optionId"]?.string) {
      case ("selected", "allow"): .allowedOnce
      case ("selected", "allow-always"): .allowedAlways
      case ("cancelled", _): .cancelled
      default: .rejected
      }
    settle(id, decision)
  }

  private static let options: JSON = [
    ["optionId": "allow", "name": "Allow", "kind": "allow_once"],
    ["optionId": "allow-always", "name": "Allow for this session", "kind": "allow_always"],
    ["optionId": "reject", "name": "Reject", "kind": "reject_once"],
  ]

  private func settle(_ id: Int, _ decision: Decision) {
    requests.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: decision)
  }

  /// Write one line. A client that is gone is noticed at the end of the input, so a failed write is not told.
  private func send(_ message: JSON) {
    let line = message.line
    output.withLock { descriptor in _ = Descriptors.offer(line, to: descriptor) }
  }
}

/// A JSON-RPC error.
struct GuideError: Error, Equatable {
  var code: Int
  var message: String

  /// What came is no JSON.
  static func notJSON(_ message: String) -> GuideError { GuideError(code: -32700, message: message) }
  /// What came is no request.
  static func badRequest(_ message: String) -> GuideError { GuideError(code: -32600, message: message) }
  /// A method that the guide does not know.
  static func unknownMethod(_ name: String) -> GuideError {
    GuideError(code: -32601, message: "The guide knows no method \(name).")
  }
  /// A request that lacks something, or has something wrong.
  static func badParameters(_ message: String) -> GuideError { GuideError(code: -32602, message: message) }
}
