import VoiceConverse
import VoiceCore
import VoiceJSON

/// A collector of OpenTelemetry traces (OTLP over HTTP, JSON).
struct Collector {
  private let address: String
  private let tokenVariable: String?

  /// - Parameter address: as `HTTPAddress` takes it.
  init(_ address: String, tokenVariable: String?) {
    self.address = address
    self.tokenVariable = tokenVariable
  }

  /// Post a request, and see that it was taken as a whole.
  func post(_ body: [UInt8]) async throws {
    guard let base = HTTPAddress(address) else { preconditionFailure("\(address) was not checked") }
    var request = HTTPRequest(
      .post, base, "/v1/traces", headers: ["Content-Type: application/json"], body: body,
      credential: tokenVariable.map { HTTPCredential(.variable($0)) })
    request.silenceMilliseconds = 30_000
    let http = HTTPStream()
    let (events, continuation) = AsyncStream<HTTPEvent>.makeStream()
    _ = http.start(request) { event in
      continuation.yield(event)
      if case .ended = event { continuation.finish() }
    }
    var answer: [UInt8] = []
    var end: HTTPEnd?
    for await event in events {
      switch event {
      case .head, .hasLeft: break
      case .bytes(let bytes): if answer.count < 4_096 { answer += bytes }
      case .ended(let how): end = how
      }
    }
    await http.close()
    func words(_ bytes: [UInt8]) -> String {
      let words = String(decoding: bytes, as: UTF8.self)
      return String((request.credential?.redacted(words) ?? words).prefix(300))
    }
    switch end {
    case .complete:
      // A collector that takes only a part says so with status 200.
      let rejected = JSON(parsing: answer)?["partialSuccess"]?["rejectedSpans"]
      guard rejected == nil || rejected == "0" || rejected == 0 else {
        throw Exit.failure(Exit.unavailable, "The collector at \(address) rejected some spans: \(words(answer))")
      }
    case .refused(let head, let body):
      throw Exit.failure(
        Exit.unavailable, "The collector at \(address) answered with status \(head.status). \(words(body))")
    case .failed(let failure):
      throw Exit.failure(Exit.unavailable, "The collector at \(address) cannot be reached: \(failure.detail)")
    case .cancelled, .withdrawn, nil:
      throw Exit.failure(Exit.unavailable, "The collector at \(address) did not answer.")
    }
  }
}
