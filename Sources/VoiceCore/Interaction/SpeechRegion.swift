/// What is being spoken: pieces not yet asked for, the one asked for, and those playing.
package struct SpeechRegion: Equatable, Sendable {
  /// Why a piece is spoken, which decides what may cut it.
  package enum Purpose: Equatable, Sendable {
    /// A held item is read back: any decision on it cuts this.
    case readBack(HeldItemID)
    /// The answer of a run.
    case reply(RunID)
    /// A short report by the program itself.
    case report
  }

  package struct Piece: Equatable, Sendable {
    package let id: SpeechID
    package let text: String
    package let purpose: Purpose
  }

  /// The listener's own voice.
  package enum ModelVoice: Equatable, Sendable {
    /// Exits: `speaking` (first sound of a turn, nothing else speaks), `ignored` (something else speaks).
    case silent
    /// Exits: `silent` (turn over), `ignored` (interrupted, or a tool was called).
    case speaking(SpeechID)
    /// Sound of this turn is dropped. Exits: `silent` (turn over).
    case ignored
  }

  package var queue: [Piece] = []
  package var requested: Piece?
  /// Whether sound of the requested piece came since its stall timer was armed.
  package var madeProgress = false
  /// Pieces whose sound was handed to the speaker and has not all played, in order.
  package var playing: [Piece] = []
  package var modelVoice: ModelVoice = .silent
  /// False once the speaker failed: nothing is spoken then, and nothing waits for it.
  package var hasSpeaker = true

  package init() {}

  /// Whether anything is being spoken or about to be.
  package var isActive: Bool { !queue.isEmpty || requested != nil || !playing.isEmpty || isModelSpeaking }

  package var isModelSpeaking: Bool {
    if case .speaking = modelVoice { return true }
    return false
  }

  /// Whether sound of this piece may still play.
  package func isLive(_ speech: SpeechID) -> Bool {
    requested?.id == speech || playing.contains { $0.id == speech } || modelVoice == .speaking(speech)
  }
}

extension SpeechRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(queue)
    digest.fold(requested)
    digest.fold(madeProgress)
    digest.fold(playing)
    switch modelVoice {
    case .silent: digest.fold(0)
    case .speaking(let speech): digest.fold(speech.rawValue)
    case .ignored: digest.fold(-1)
    }
    digest.fold(hasSpeaker)
  }
}

extension SpeechRegion.Piece: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(id.rawValue)
    digest.fold(text)
    switch purpose {
    case .readBack(let item): digest.fold(-item.rawValue)
    case .reply(let run): digest.fold(run.rawValue)
    case .report: digest.fold(0)
    }
  }
}
