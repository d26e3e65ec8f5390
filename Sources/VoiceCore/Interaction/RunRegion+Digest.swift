import VoiceLanguage
import VoiceVocabulary

extension RunRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    switch state {
    case .none: digest.fold(0)
    case .entering(let run): digest.fold(1, run)
    case .running(let run): digest.fold(2, run)
    case .cancelling(let run): digest.fold(3, run)
    case .withdrawing(let run): digest.fold(4, run)
    }
    switch steering {
    case .none: digest.fold(0)
    case .entering(let instruction, let run):
      digest.fold(1, instruction)
      // Another may work by the time that the ledger answers.
      if running?.id != run { digest.fold(run) }
    case .sent(let instruction): digest.fold(2, instruction)
    }
    digest.fold(queue)
    if let unseen {
      digest.fold(unseen.run)
      digest.foldUnordered(unseen.told)
    }
    if let own {
      digest.fold(5, own.run, own.isHalted)
    }
    if !owed.isEmpty {
      digest.fold(6)
      for work in owed { digest.fold(work) }
    }
  }
}

extension RunRegion.Run: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(id, instruction, chunker)
    switch voice {
    case .notYetHeard: digest.fold(0)
    case .heard: digest.fold(1)
    case .muted: digest.fold(2)
    }
    digest.fold(isAcknowledged)
  }
}
