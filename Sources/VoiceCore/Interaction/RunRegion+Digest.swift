import VoiceLanguage
import VoiceVocabulary

extension RunRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    switch state {
    case .none: digest.fold(0)
    case .entering(let run):
      digest.fold(1)
      run.fold(into: &digest)
    case .running(let run):
      digest.fold(2)
      run.fold(into: &digest)
    case .cancelling(let run):
      digest.fold(3)
      run.fold(into: &digest)
    case .withdrawing(let run):
      digest.fold(4)
      run.fold(into: &digest)
    }
    switch steering {
    case .none: digest.fold(0)
    case .entering(let instruction):
      digest.fold(1)
      instruction.fold(into: &digest)
    case .sent(let instruction):
      digest.fold(2)
      instruction.fold(into: &digest)
    }
    digest.fold(queue)
    if let unseen {
      digest.fold(unseen.run.rawValue)
      digest.foldUnordered(unseen.told)
    }
    if let own {
      digest.fold(5)
      own.run.fold(into: &digest)
      digest.fold(own.isHalted)
    }
    if !owed.isEmpty {
      digest.fold(6)
      for work in owed { digest.fold(work) }
    }
  }
}

extension RunRegion.Run: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(id.rawValue)
    instruction.fold(into: &digest)
    chunker.fold(into: &digest)
    switch voice {
    case .notYetHeard: digest.fold(0)
    case .heard: digest.fold(1)
    case .muted: digest.fold(2)
    }
    digest.fold(isAcknowledged)
  }
}
