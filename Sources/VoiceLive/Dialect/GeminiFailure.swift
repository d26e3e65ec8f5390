package import VoiceCore
package import VoiceWebSocket

/// What the end of a connection to a Gemini Live server means. Its close codes are few and mean many things; the
/// reason text, always passed on, tells them apart.
extension GeminiDialect {
  package func failure(of closure: WebSocketClosure, at progress: LinkProgress, place: String) -> LinkFailure {
    switch closure {
    case .local: return LinkFailure(remedy: .none, reason: "The connection to \(place) was closed by this program.")
    case .lost:
      return LinkFailure(
        remedy: .resume, reason: "The connection to \(place) was lost without a word; check the network.")
    case .outputFull:
      return LinkFailure(
        remedy: .resume, reason: "\(place) takes in sound more slowly than it is spoken; check the network.")
    case .messageTooLong:
      return LinkFailure(
        remedy: .resume,
        reason:
          "\(place) sent a message of more than \(WebSocketLimits.messageBytes >> 20) MiB, which no live model does.")
    case .notOpened(let status, let reason): return notOpened(status, reason, place)
    case .remote(let code, let reason):
      let remedy = remedy(code, reason.lowercased(), progress)
      let name = code.map { "code \($0)" } ?? "no code"
      let words = reason.isEmpty ? "" : ": \(reason)"
      return LinkFailure(
        remedy: remedy, reason: "\(place) closed the connection (\(name)\(words)). \(advice(remedy, reason, progress))")
    }
  }

  private func notOpened(_ status: Int?, _ reason: String, _ place: String) -> LinkFailure {
    guard let status else {
      let text = reason.lowercased()
      let isDistrusted = ["certificate", "issuer", "hostname", "self signed", "self-signed", "ssl", "tls"]
        .contains(where: text.contains)
      return LinkFailure(
        remedy: isDistrusted ? .giveUp : .resume,
        reason: "Cannot connect to \(place): \(reason). "
          + (isDistrusted
            ? "Check the address, or name the server's certificate authority." : "Check the address and the network."))
    }
    switch status {
    case 401, 403:
      return LinkFailure(remedy: .giveUp, reason: "\(place) refused the connection (HTTP \(status)). Check the key.")
    case 408, 425, 429, 500...:
      return LinkFailure(remedy: .resume, reason: "\(place) cannot take the connection now (HTTP \(status)).")
    default:
      return LinkFailure(
        remedy: .giveUp,
        reason: "\(place) answered HTTP \(status) instead of opening a WebSocket. Check the address and its path.")
    }
  }

  private func remedy(_ code: Int?, _ reason: String, _ progress: LinkProgress) -> LinkFailure.Remedy {
    let isAboutKey = ["api key", "api_key", "apikey", "credential", "unauthenticated", "permission", "leaked"]
      .contains(where: reason.contains)
    // A conversation that was just resumed, and at once failed, is taken to be the cause.
    let isResumptionSuspect =
      switch progress {
      case .settingUp(let isResuming), .accepted(let isResuming): isResuming
      case .proven: false
      }
    switch code {
    case 1007:
      if isAboutKey { return .giveUp }
      if case .settingUp(isResuming: false) = progress { return .giveUp }
      // Resumed or late, an invalid argument is the conversation itself: full, or unknown to the server.
      return .startAfresh
    case 1008:
      if isAboutKey || reason.contains("not found for api version") || reason.contains("not supported for") {
        return .giveUp
      }
      return isResumptionSuspect ? .startAfresh : .resume
    case 1011: return isResumptionSuspect ? .startAfresh : .resume
    default: return isAboutKey ? .giveUp : .resume
    }
  }

  private func advice(_ remedy: LinkFailure.Remedy, _ reason: String, _ progress: LinkProgress) -> String {
    switch remedy {
    case .none: ""
    case .resume: "The conversation will be resumed."
    case .startAfresh: "A new conversation will be started."
    case .giveUp:
      reason.lowercased().contains("key") ? "Check the key." : "Check the name of the model and the configuration."
    }
  }
}
