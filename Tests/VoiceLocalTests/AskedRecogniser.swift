import Synchronization
import VoiceVocabulary

@testable import VoiceLocal

/// A recogniser that answers when it is told to.
final class AskedRecogniser: SpeechRecogniser {
  struct Asked: Sendable {
    var samples: [Int16]
    var purpose: SpeechEngineMessage.Purpose
    var answer: @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
  }
  let asked = Mutex([Asked]())
  let cancelled = Mutex([UInt32]())
  /// What else happens before the number of the request is known.
  let meanwhile = Mutex<@Sendable () -> Void>({})

  func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose,
    completion: @escaping @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
  ) -> UInt32 {
    meanwhile.withLock { $0 }()
    return asked.withLock { asked in
      asked.append(Asked(samples: samples, purpose: purpose, answer: completion))
      return UInt32(asked.count)
    }
  }

  func cancelRecognition(_ request: UInt32) { cancelled.withLock { $0.append(request) } }
}
