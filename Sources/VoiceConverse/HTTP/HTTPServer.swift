import VoiceJSON
import VoiceLanguage
import VoiceVocabulary

/// A server, as it is spoken of: what failed, on what, and what to do.
package struct HTTPServer: Equatable, Sendable {
  /// What the server is, such as "Duck Talk".
  package let kind: String
  package let address: HTTPAddress
  package var credential: HTTPCredential?
  /// What to do where no token was named and nobody may use the server without one; nil where many may.
  var tokenRemedy: String?

  /// For the start of a sentence.
  var name: String { "\(kind) at \(address.name)" }

  private static let mayGoOn = "It may still be working: check before you repeat the instruction."
  private static let check = "Check what it did before you repeat the instruction."

  /// The sentence for a halt of a server that cannot be told to stop: closing the connection would only hide what it does.
  var cannotStop: String {
    "\(kind) cannot be told to stop and works on. What you say next waits until it is done; halt again to leave it."
  }

  /// The sentence for a stop that the server did not confirm, while it is still listened to.
  var notStopped: String {
    "\(name) was told to stop, but did not confirm it. What you say next waits until it is done; halt again to leave it."
  }

  /// Why a turn that ended well is not done.
  var emptyAnswer: String { "\(kind) gave an empty answer. Say it in another way." }

  /// The end of a halted turn that nothing showed to have stopped.
  func unstopped() -> AgentTurnEnd { left("\(name) did not confirm that it stopped.") }

  /// The end of a halted turn where closing the connection is the only way to say so, and nobody answers that.
  func hungUp() -> AgentTurnEnd {
    left("The connection to \(kind) is closed, and the server cannot confirm that this stops it.")
  }

  /// The end of a halted turn that went on until its answer was over.
  func workedOn() -> AgentTurnEnd {
    .unconfirmed(reason: "\(kind) worked on after the halt, until its answer was over. \(Self.check)")
  }

  /// The end of a turn that nobody watches any more, for this reason; what it does then is not known.
  func left(_ reason: String) -> AgentTurnEnd { .unconfirmed(reason: "\(reason) \(Self.mayGoOn)", mayGoOn: true) }

  /// The end of a turn whose stream was cut.
  func cutOff() -> AgentTurnEnd { left("\(name) closed the connection before its answer was complete.") }

  /// The end of a turn whose stream has an event without an end.
  func tooLong() -> AgentTurnEnd { left("\(name) sent an event without an end, so the connection was closed.") }

  /// The end of a turn whose answer is no event stream: the instruction was taken, and may have been carried out.
  func noStream(_ head: HTTPHead, _ answer: JSON?) -> AgentTurnEnd {
    let words = quoted(answer.map { ServerWords.words($0) } ?? "")
    let form = head.contentType.shortened(to: ConverseLimits.titleCharacters)
    if words.isEmpty {
      return left("The answer from \(name) has another form than a stream (\(form)): check the address.")
    }
    return left("\(name) answered without a stream, and said: \(Self.stopped(words))")
  }

  /// Words that others may follow.
  private static func stopped(_ words: String) -> String {
    words.last.map { ".!?".contains($0) } == true ? words : words + "."
  }

  /// The answer is not the JSON that was asked for.
  func strange() -> AgentTurnEnd {
    .failed(reason: "What answers at \(address.name) is not \(kind): its answer has another form. Check the address.")
  }

  /// The server itself says that the agent failed.
  func failed(_ words: String) -> AgentTurnEnd {
    let words = quoted(words)
    return .failed(reason: words.isEmpty ? "\(name) reported that the agent failed." : "\(name) reported: \(words)")
  }

  /// An answer outside of 200 to 299. The body may be JSON with a sentence in one of the usual places.
  func refused(_ head: HTTPHead, _ body: [UInt8], hasLeft: Bool) -> AgentTurnEnd {
    let words = quoted(ServerWords.message(in: body, isText: head.contentType == "text/plain"))
    let said = words.isEmpty ? "" : " It said: \(Self.stopped(words))"
    let token =
      credential.map { "Check the token in \($0.name)." } ?? tokenRemedy
      ?? "It wants a token; name its variable or file."
    let reason: String
    switch head.status {
    case 300..<400:
      // Where to is told without path and query, which may hold something secret.
      let place = head.headers["location"].flatMap(Self.host).map { " to \(quoted($0))" } ?? ""
      reason =
        "\(name) redirects\(place) (\(head.status)); that is not followed, so that no token goes elsewhere. "
        + "Give the address itself.\(said)"
    case 401: reason = "\(name) did not accept us (401). \(token)\(said)"
    case 400 where ServerWords.refusesKey(body), 403 where ServerWords.refusesKey(body):
      reason = "\(name) does not accept the key. \(token)\(said)"
    case 400, 422: reason = "\(name) did not take the request (\(head.status)).\(said)"
    case 403:
      reason = "\(name) does not allow this (403).\(credential == nil && tokenRemedy == nil ? "" : " \(token)")\(said)"
    case 404: reason = "\(name) does not know the call (404). Check the address and the server's release.\(said)"
    case 429:
      let named = head.headers["retry-after"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      let seconds = named ?? ServerWords.retrySeconds(body)
      let wait = seconds.map { Counted($0, "second").digits } ?? "a little"
      reason = "\(name) has too much to do (429). Wait \(wait) and repeat the instruction.\(said)"
    case 503: reason = "\(name) is not available now (503). Try again later.\(said)"
    case 500...: reason = "\(name) reported an internal error (\(head.status)). Check the server's log.\(said)"
    default: reason = "\(name) answered with the unexpected status \(head.status). Check the address.\(said)"
    }
    // A server that fails inside may have begun; one that refuses has not.
    return head.status >= 500 && head.status != 503 ? lost(reason, hasLeft) : .failed(reason: reason)
  }

  /// Who refuses a later request of a run has not begun what that asks for; what was done before it stays done.
  func amidWork(_ end: AgentTurnEnd) -> AgentTurnEnd { if case .failed(let reason) = end { left(reason) } else { end } }

  /// - Parameter hasLeft: Whether the instruction was in a request that was sent, whole or in part.
  func failed(_ failure: HTTPFailure, hasLeft: Bool) -> AgentTurnEnd {
    switch failure.kind {
    case .refused:
      .failed(reason: "Nobody answers at \(address.name). Start the server there, or check the address.")
    case .nameNotFound: .failed(reason: "The host in \(address.name) does not exist. Check the address.")
    case .connectTimeout:
      .failed(reason: "\(name) could not be reached in time. Check the address and the network.")
    case .untrusted:
      .failed(reason: "No trusted connection to \(name): \(failure.detail). Check the certificate.")
    case .brokenOff: lost("The connection to \(name) broke: \(failure.detail).", hasLeft)
    case .silent: lost("\(name) fell silent (\(failure.detail)), so the connection was closed.", hasLeft)
    case .credential: .failed(reason: "Nothing was sent to \(name): \(failure.detail).")
    case .other: lost("The request to \(name) failed: \(failure.detail).", hasLeft)
    }
  }

  private func lost(_ words: String, _ hasLeft: Bool) -> AgentTurnEnd {
    hasLeft ? left(words) : .failed(reason: words)
  }

  /// The host of an absolute address; nil for a path alone.
  private static func host(_ address: String) -> String? {
    guard let rest = address.dropping(prefix: "https://") ?? address.dropping(prefix: "http://") else { return nil }
    let host = rest.prefix { !"/?#".contains($0) }
    return host.split(separator: "@").last.map { String($0).shortened(to: ConverseLimits.titleCharacters) }
  }

  /// Words of the server in one line, without our token and anything else in it that looks like a key.
  func quoted(_ words: String) -> String {
    let words = String(words.prefix(4 * ConverseLimits.reasonCharacters))
    return (credential?.redacted(words) ?? words).shortened(to: ConverseLimits.reasonCharacters).split(separator: " ")
      .map { word in
        let bare = word.trimmingPrefix { !$0.isLetter && !$0.isNumber }
        return SecretText.looksLikeKey(bare) ? "(a key)" : String(word)
      }.joined(separator: " ")
  }
}

extension AgentTurnEnd {
  /// The sentence of an end that is not a success.
  var reason: String {
    switch self {
    case .completed, .cancelled: ""
    case .stopped(let reason), .failed(let reason), .unconfirmed(let reason, _): reason
    }
  }
}
