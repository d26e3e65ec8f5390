import VoiceVocabulary

/// An utterance that is being dealt with: its words as far as they are known, when it began, and what is to be doubted of it. Put
/// together by `InteractionController.currentUtterance`.
struct HeardUtterance {
  /// The transcript of the user's own words; empty if there is none yet.
  let heard: String
  /// What the recogniser knows of it besides the words.
  let hearing: Hearing
  /// What the live model made of them; nil if it proposed nothing.
  let proposal: String?
  /// What could be heard when it began; nil if nobody noticed that.
  let background: FloorRegion.Background?
  /// Whether it may be something that was said before, over the program's own voice.
  let mayBeOverSpeech: Bool
  /// When it began; nil if nobody noticed.
  let start: SessionTime?
  /// When the first utterance began that the words may belong to.
  let firstStart: SessionTime?
  /// When the first utterance began that is not answered; nil if nobody noticed.
  let begun: SessionTime?
  let sound: Sound
  /// How long nobody spoke before the voice that was heard last; nil if nobody was heard before it.
  var pauseBeforeLastMilliseconds: Int?
  /// Whether it was taken before, and only heard again.
  var repeats = TakenProposals.Verdict.new
  /// Why it is to be held because a connection was lost, for the user; nil if there is no reason.
  var linkDoubt: String?

  /// What was said, as far as it is known: the user's own words before what the live model made of them.
  var words: String { heard.isEmpty ? proposal ?? "" : heard }

  /// How much of its sound the microphone gave.
  enum Sound {
    case whole
    /// Some was lost in it or just before it: the words may not be all that was said.
    case inPart
    /// There was none that the words can belong to.
    case none
  }
}
