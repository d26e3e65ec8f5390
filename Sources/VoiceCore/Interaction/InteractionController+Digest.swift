package import VoiceVocabulary

extension InteractionController {
  /// What stands for the whole state in a log. Costs a microsecond or two, mostly for text that waits to be spoken.
  ///
  /// Of the settings only the mode and whether a thought may be long are in it: nothing else changes, and all of them stand in the first line of a log.
  package var digest: StateDigest {
    var digest = StateDigest()
    digest.fold(
      settings.mode.rawValue, settings.longThought, link, attempts, unanswered, proposals, lateWords, floor, sound,
      held, quitting, run, work, controls, sessions, approvals, speech, interruption, remarks, words, input, echo,
      usage, engine, draft, outage, openQuestion, numbering)
    digest.foldUnordered(armedTimers)
    switch outcome {
    case nil: digest.fold(0)
    case .completed: digest.fold(1)
    case .failed(let reason): digest.fold(2, Optional(reason))
    case .terminated(let signal): digest.fold(3, Optional(signal))
    }
    return digest
  }
}

extension CallID: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(connection, Optional(id), Optional(tool))
  }
}
