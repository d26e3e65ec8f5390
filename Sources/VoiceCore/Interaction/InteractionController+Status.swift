package import VoiceVocabulary

extension InteractionController {
  /// What the session is doing, for people.
  package var status: SessionStatus {
    var status = SessionStatus()
    status.activity = activity
    status.mode = settings.mode
    status.agentMode = controls.controls?.mode?.current
    status.agentModel = controls.controls?.model?.current
    status.held = held.count
    if case .question = held.current?.content { status.asksQuestion = true }
    status.approvals = approvals.standing.count
    status.queued = run.queue.count
    status.isWorking = run.isAtWork
    status.owesWork = !run.owed.isEmpty
    status.mayWorkUnseen = run.unseen != nil
    status.isMicrophoneOpen = input.isListening
    status.isListening = input.isListening && input.isPresent
    status.transcript = [floor.transcript, floor.interim].filter { !$0.isEmpty }.joined(separator: " ")
    status.draft = draft.instruction?.text ?? ""
    status.usage = usage.sum
    status.duplex = echo.duplex
    status.loading = SpeechPart.allCases.filter(engine.loading.contains)
    return status
  }

  private var activity: SessionStatus.Activity {
    if link.openConnection == nil { return .connecting }
    if floor.floor == .userSpeaking { return .hearing }
    if !held.isEmpty { return .waiting }
    if !speech.playing.isEmpty || speech.isModelSpeaking { return .speaking }
    if let own = run.own, run.state == .none { return own.isHalted ? .stopping : .working }
    switch run.state {
    case .cancelling, .withdrawing: return .stopping
    case .entering, .running: return .working
    case .none: return input.isListening && input.isPresent ? .listening : .deaf
    }
  }
}
