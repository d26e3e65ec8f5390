package import VoiceVocabulary

/// The evidence that somebody really spoke, whatever a server says: when sound was heard, and the words that were dealt with last. A
/// server that sends an old transcript again decides nothing by it.
package struct SoundRegion: Equatable, Sendable {
  /// When something was heard last; nil if nothing was.
  private var heardAt: SessionTime?
  /// When there last was something that words can belong to: sound, sound that is sent again, or an utterance that was answered.
  private var sourceAt: SessionTime?
  /// The words of the last utterance that had any, once it was dealt with; empty where they were too long to be compared.
  private var lastWords: [UInt8] = []
  /// Whether something was heard since the last piece of a transcript.
  private var isHeardSince = false
  /// The pieces of a transcript that so far only repeats the last one, and is not taken.
  private var repeated = ""
  /// When sound of the open microphone was last lost; nil if none was.
  private var missedAt: SessionTime?

  package init() {}

  /// Somebody was heard. What a server claims to have heard proves nothing about what was said.
  package mutating func heard(by detector: VoiceDetector, at now: SessionTime) {
    if detector == .vad { heard(at: now) }
  }

  /// Something was heard at the open microphone.
  package mutating func heard(at now: SessionTime) {
    (heardAt, sourceAt) = (now, now)
    isHeardSince = true
  }

  /// What was said before is sent again: its words come once more.
  package mutating func resent() { isHeardSince = true }

  /// What was heard is sent again, or was answered just now: more words of it may come.
  package mutating func wordsMayFollow(at now: SessionTime) { sourceAt = now }

  /// Whether words that come now can belong to anything.
  package func hasSource(at now: SessionTime) -> Bool {
    sourceAt.map { now <= $0.advanced(byMilliseconds: Limits.soundBeforeWordsMilliseconds) } ?? false
  }

  /// Whether anything was heard from this moment on.
  package func wasHeard(since moment: SessionTime) -> Bool { heardAt.map { $0 >= moment } ?? false }

  /// Sound of the open microphone was lost until now: nobody knows what was said in it.
  package mutating func missed(at now: SessionTime) { missedAt = now }

  /// Whether any was lost from this moment on.
  package func wasMissed(since moment: SessionTime) -> Bool { missedAt.map { $0 >= moment } ?? false }

  /// The words of a piece of transcript that are to be taken; nil for none, because they only repeat the last transcript and
  /// nothing was heard in between. What begins like it and goes on differently is given in one piece, once that shows.
  ///
  /// - Parameters:
  ///   - isFirst: whether nothing of this utterance was taken before.
  ///   - isVoiceActive: whether something is heard just now.
  package mutating func newWords(in text: String, isFirst: Bool, isVoiceActive: Bool) -> String? {
    let isHeard = isHeardSince || isVoiceActive
    if isFirst, !isHeard, repeats(text) { return nil }
    defer { (repeated, isHeardSince) = ("", isVoiceActive) }
    return repeated + (repeated.last?.isWhitespace == true ? text.drop(while: \.isWhitespace) : text[...])
  }

  /// The utterance is over, and these were its words.
  package mutating func dealtWith(_ transcript: String) {
    repeated = ""
    let words = transcript.trimmingWhitespace()
    guard !words.isEmpty else { return }
    lastWords = words.utf8.count <= Limits.comparedTranscriptBytes ? Array(words.utf8) : []
  }

  /// Take note of a piece, if the last transcript begins with it and what came before it. Of the blanks behind its last word one is
  /// kept: what goes on differently begins a new word.
  private mutating func repeats(_ text: String) -> Bool {
    let all = repeated.isEmpty ? String(text.drop(while: \.isWhitespace)) : repeated + text
    if all.isEmpty { return false }
    if lastWords.starts(with: all.utf8) {
      repeated = all
      return true
    }
    let words = all.trimmingWhitespace()
    guard lastWords.elementsEqual(words.utf8) else { return false }
    repeated = words + " "
    return true
  }
}

extension SoundRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(
      heardAt, sourceAt, missedAt, String(decoding: lastWords, as: UTF8.self), isHeardSince,
      min(repeated.utf8.count, lastWords.count))
  }
}
