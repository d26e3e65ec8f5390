import VoiceVocabulary

/// What the user is told of the local speech engine.
extension InteractionController {
  /// The local speech engine reported its state: the user is told of loading and failure, and a session waits for what is
  /// being understood.
  mutating func speechEngineReported(_ report: SpeechEngineReport) {
    let isNews = engine.reported(report)
    // A user who only types does not wait for a recogniser.
    if !settings.hasMicrophone, report == .loading(part: .recogniser) || report == .ready(part: .recogniser) { return }
    switch report {
    case .loading(let part): if isNews { show(.loading(part: part)) }
    case .ready(let part): if isNews { show(.loaded(part: part)) }
    case .unavailable(_, let reason): show(.warning(text: reason))
    case .working: break
    case .idle:
      endDraftWithoutNextPiece(isByTime: false)
      awaitTextBehind()
    case .restarting(let reason): show(.warning(text: "The speech engine is started again: \(reason)."))
    case .failed(let reason): show(.error(text: "Local speech cannot be used any more: \(reason)."))
    }
  }
}
