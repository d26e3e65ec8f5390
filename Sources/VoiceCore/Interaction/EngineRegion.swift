package import VoiceVocabulary

/// What the local speech engine is doing. Empty for the whole session where the live model is no local one.
package struct EngineRegion: Equatable, Sendable, DigestedState {
  /// Parts that are being loaded.
  package private(set) var loading: Set<SpeechPart> = []
  /// Parts that have something to do.
  private var working: Set<SpeechPart> = []
  /// Whether there is a local engine: it hears who speaks as well as anybody.
  package private(set) var isPresent = false

  /// Whether something that was said is being understood: however long that takes, its text still comes.
  package var isUnderstanding: Bool { working.contains(.recogniser) }

  /// Whether something is being spoken, or waits for the voice to be loaded.
  package var isSpeaking: Bool { working.contains(.voice) }

  /// Take note of a report. Returns whether it changes what is being loaded.
  package mutating func reported(_ report: SpeechEngineReport) -> Bool {
    isPresent = true
    switch report {
    case .loading(let part): return loading.insert(part).inserted
    case .ready(let part), .unavailable(let part, _): return loading.remove(part) != nil
    case .working(let part): working.insert(part)
    case .idle(let part): working.remove(part)
    case .restarting: break
    case .failed:
      loading = []
      working = []
    }
    return false
  }
}

extension EngineRegion {
  package func fold(into digest: inout StateDigest) {
    digest.fold(isPresent)
    for part in SpeechPart.allCases { digest.fold(loading.contains(part), working.contains(part)) }
  }
}
