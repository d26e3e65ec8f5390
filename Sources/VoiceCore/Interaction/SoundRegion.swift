package import VoiceVocabulary

/// What shows that somebody really spoke, whatever a server says of it: marks of sound, and the words that were dealt with
/// last. A server that sends an old transcript again decides nothing by it.
package struct SoundRegion: Equatable, Sendable {
  /// Whose marks count.
  private let marks: InteractionSettings.SoundMarks
  /// When something was heard last; nil if nothing was.
  private var heardAt: SessionTime?
  /// The words of the last utterance that had any, once it was dealt with; empty where they were too long to be compared.
  private var lastWords: [UInt8] = []
  /// Whether something was heard since the last piece of a transcript.
  private var isHeardSince = false
  /// How far the transcript that comes now repeats the last one, in bytes; what repeats it is not taken.
  private var repeatedCount = 0

  package init(marks: InteractionSettings.SoundMarks = .anyDetector) { self.marks = marks }

  /// Somebody was heard.
  package mutating func heard(by detector: VoiceDetector, at now: SessionTime) {
    if detector == .vad || marks == .anyDetector { heard(at: now) }
  }

  /// Something was heard at the open microphone.
  package mutating func heard(at now: SessionTime) {
    heardAt = now
    isHeardSince = true
  }

  /// Whether anything was heard from this moment on.
  package func wasHeard(since moment: SessionTime) -> Bool { heardAt.map { $0 >= moment } ?? false }

  /// The words of a piece of transcript that are to be taken; nil for none, because they only repeat the last transcript and
  /// nothing was heard in between. What began like it and goes on otherwise is given in one piece, once that is seen.
  ///
  /// - Parameters:
  ///   - isFirst: whether nothing of this utterance was taken before.
  ///   - isVoiceActive: whether something is heard just now.
  package mutating func newWords(in text: String, isFirst: Bool, isVoiceActive: Bool) -> String? {
    let isHeard = isHeardSince || isVoiceActive
    if isFirst, !isHeard, repeats(text) { return nil }
    defer { (repeatedCount, isHeardSince) = (0, isVoiceActive) }
    return repeatedCount == 0 ? text : String(decoding: lastWords[..<repeatedCount], as: UTF8.self) + text
  }

  /// The utterance is over, and these were its words.
  package mutating func dealtWith(_ transcript: String) {
    repeatedCount = 0
    let words = transcript.trimmingWhitespace()
    guard !words.isEmpty else { return }
    lastWords = words.utf8.count <= Limits.comparedTranscriptBytes ? Array(words.utf8) : []
  }

  /// Take note of a piece, if with what came before it the last transcript begins.
  private mutating func repeats(_ text: String) -> Bool {
    let piece = repeatedCount == 0 ? Substring(text).drop(while: \.isWhitespace) : Substring(text)
    let words = piece.reversed().drop(while: \.isWhitespace).reversed()
    guard !words.isEmpty else { return false }
    let rest = lastWords[repeatedCount...]
    if rest.starts(with: piece.utf8) {
      repeatedCount += piece.utf8.count
      return true
    }
    guard rest.elementsEqual(String(words).utf8) else { return false }
    repeatedCount = lastWords.count
    return true
  }
}

extension SoundRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(
      heardAt.map { Int($0.microseconds) + 1 } ?? 0, String(decoding: lastWords, as: UTF8.self), isHeardSince,
      repeatedCount)
  }
}
