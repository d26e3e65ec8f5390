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
      digest.fold(1, instruction, run)
    case .sent(let instruction): digest.fold(2, instruction)
    }
    digest.fold(queue, unseen?.run, own?.run, own?.isHalted, owed)
    digest.foldUnordered(unseen?.told ?? [])
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
