package import VoiceVocabulary
package import VoiceWebSocket

/// How far a connection came before it ended.
package enum LinkProgress: Equatable, Sendable {
  /// Not accepted yet.
  case settingUp(isResuming: Bool)
  /// Accepted, but nothing of the conversation has happened since.
  case accepted(isResuming: Bool)
  /// At least one turn has happened.
  case proven
}

/// What the end of a connection means, as one sentence and a remedy: decided from what every protocol can tell.
package struct LiveRecovery: Sendable {
  /// Names the other side.
  package let place: String
  /// Whether a conversation can be gone on with at all.
  package let canResume: Bool

  /// - Parameter meaning: what the dialect makes of a server's code and words.
  package func failure(
    of closure: WebSocketClosure, at progress: LinkProgress, meaning: (_ code: Int?, _ reason: String) -> ServerClosure
  ) -> LinkFailure {
    switch closure {
    case .local: return LinkFailure(remedy: .none, reason: "The connection to \(place) was closed by this program.")
    case .lost: return connectAgain("The connection to \(place) was lost; check the network.")
    case .outputFull: return connectAgain("\(place) does not keep up with the audio; check the network.")
    case .messageTooLong:
      return connectAgain(
        "\(place) sent a message of more than \(WebSocketLimits.messageBytes >> 20) MiB, which no live model does.")
    case .notOpened(let status, let reason): return notOpened(status, reason)
    case .remote(let code, let reason):
      let meaning = meaning(code, reason)
      let remedy = remedy(meaning, progress)
      let name = code.map { "code \($0)" } ?? "no code"
      let words = reason.isEmpty ? "" : ": \(reason)"
      return LinkFailure(
        remedy: remedy, reason: "\(place) closed the connection (\(name)\(words)). \(advice(remedy, meaning))")
    }
  }

  /// What it means that a server tells, on an open connection, that it will not serve it.
  package func failure(refused meaning: ServerClosure, _ reason: String, at progress: LinkProgress) -> LinkFailure {
    let remedy = remedy(meaning, progress)
    let end = reason.hasSuffix(".") ? "" : "."
    return LinkFailure(
      remedy: remedy, reason: "\(place) does not serve this connection: \(reason)\(end) \(advice(remedy, meaning))")
  }

  /// What it means that a server sends more text than speech can have.
  package var floods: LinkFailure {
    let (size, seconds) = (TextFlood.bytes >> 20, TextFlood.period.components.seconds)
    return LinkFailure(
      remedy: .giveUp,
      reason: "\(place) sent over \(size) MiB of text in \(seconds) s, which no live model does. Check the address.")
  }

  private func connectAgain(_ reason: String) -> LinkFailure {
    LinkFailure(remedy: again, reason: reason)
  }

  private var again: LinkFailure.Remedy { canResume ? .resume : .newSession }

  private func notOpened(_ status: Int?, _ reason: String) -> LinkFailure {
    guard let status else {
      let text = reason.lowercased()
      let isDistrusted = ["certificate", "issuer", "hostname", "self signed", "self-signed", "ssl", "tls"]
        .contains(where: text.contains)
      guard isDistrusted else {
        return connectAgain("Cannot connect to \(place): \(reason). Check the address and the network.")
      }
      return LinkFailure(
        remedy: .giveUp,
        reason: "Cannot connect to \(place): \(reason). "
          + "Check the address, or name the server's certificate authority.")
    }
    switch status {
    case 401, 403:
      return LinkFailure(remedy: .giveUp, reason: "\(place) refused the connection (HTTP \(status)). Check the key.")
    case 408, 425, 429, 500...:
      return connectAgain("\(place) cannot take the connection now (HTTP \(status)).")
    default:
      return LinkFailure(
        remedy: .giveUp,
        reason: "\(place) answered HTTP \(status) instead of opening a WebSocket. Check the address and its path.")
    }
  }

  private func remedy(_ closure: ServerClosure, _ progress: LinkProgress) -> LinkFailure.Remedy {
    // A conversation that was just resumed, and at once failed, is taken to be the cause.
    let isResumptionSuspect =
      switch progress {
      case .settingUp(let isResuming), .accepted(let isResuming): isResuming
      case .proven: false
      }
    switch closure {
    case .keyRefused, .accountRefused, .modelRefused: return .giveUp
    case .requestRefused where progress == .settingUp(isResuming: false): return .giveUp
    case .fault where !isResumptionSuspect, .ended: return again
    // A request that was resumed or is late is the conversation itself: full, or unknown to the server.
    case .requestRefused, .fault: return .newSession
    }
  }

  private func advice(_ remedy: LinkFailure.Remedy, _ closure: ServerClosure) -> String {
    switch remedy {
    case .none: ""
    case .resume: "The conversation will be resumed."
    case .newSession: "A new conversation will be started."
    case .giveUp where closure == .keyRefused: "Check the key."
    case .giveUp where closure == .accountRefused: "Check the account that the key is of."
    case .giveUp: "Check the name of the model and the configuration."
    }
  }
}
