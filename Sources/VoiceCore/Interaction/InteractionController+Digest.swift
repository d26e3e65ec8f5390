package import VoiceVocabulary

extension InteractionController {
  /// What stands for the whole state in a log. Costs a microsecond or two, mostly for text that waits to be spoken.
  ///
  /// Of the settings only the mode and whether a thought may be long are in it: nothing else changes, and all of them stand in the first line of a log.
  package var digest: StateDigest {
    var digest = StateDigest()
    digest.fold(settings.mode.rawValue)
    link.fold(into: &digest)
    attempts.fold(into: &digest)
    unanswered.fold(into: &digest)
    proposals.fold(into: &digest)
    takenCalls.fold(into: &digest)
    digest.fold(preroll.count)
    digest.fold(preroll.last?.position ?? -1)
    floor.fold(into: &digest)
    sound.fold(into: &digest)
    held.fold(into: &digest)
    digest.fold(quitAskedAt.map { Int($0.microseconds) + 1 } ?? 0)
    run.fold(into: &digest)
    work.fold(into: &digest)
    digest.fold(text: agent?.name)
    for capability in agent?.capabilities.inOrder ?? [] { digest.fold(capability.rawValue) }
    controls.fold(into: &digest)
    sessions.fold(into: &digest)
    approvals.fold(into: &digest)
    speech.fold(into: &digest)
    interruption.fold(into: &digest)
    digest.fold(text: heardSoFar)
    for reason in untoldReasons { digest.fold(text: reason) }
    words.fold(into: &digest)
    input.fold(into: &digest)
    usage.fold(into: &digest)
    engine.fold(into: &digest)
    draft.fold(into: &digest)
    outage.fold(into: &digest)
    if settings.longThought { digest.fold("long thought") }
    digest.foldUnordered(armedTimers)
    numbering.fold(into: &digest)
    switch outcome {
    case nil: digest.fold(0)
    case .completed: digest.fold(1)
    case .failed(let reason):
      digest.fold(2)
      digest.fold(text: reason)
    }
    return digest
  }
}

extension CallID: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(connection.rawValue)
    digest.fold(text: id)
    digest.fold(text: tool)
  }
}
