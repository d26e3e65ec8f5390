import VoiceLanguage
import VoiceVocabulary

/// The words that the user said, as a transcript has them, and that nothing has come of.
struct UnansweredWords {
  private var words = ""
  /// A call that came before all of its words.
  private var early: Early?

  private struct Early {
    let time: SessionTime
    /// Those that come behind it; nil if none were known.
    var missing: [String]?
  }

  /// The words; nil if there are none.
  var text: String? { words.trimmingWhitespace().isEmpty ? nil : words }

  /// A piece of a transcript came.
  mutating func heard(_ text: String, at now: SessionTime) {
    if let early, now <= early.time.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds) {
      guard let missing = early.missing else { return }
      self.early?.missing = Array(missing.dropFirst(SpokenWords(text).words.count))
      if !missing.isEmpty { return }
    }
    words += text
  }

  /// The live model made something of what was said: an instruction with this text, or something without.
  mutating func called(_ proposal: String, at now: SessionTime) {
    let (all, heard) = (SpokenWords(proposal).words, SpokenWords(words).words)
    let isPart = all.count > heard.count && all.starts(with: heard)
    early =
      heard.isEmpty || isPart ? Early(time: now, missing: heard.isEmpty ? nil : Array(all.dropFirst(heard.count))) : nil
    words = ""
  }

  /// Nothing more comes of them.
  mutating func dealtWith() { words = "" }
}
