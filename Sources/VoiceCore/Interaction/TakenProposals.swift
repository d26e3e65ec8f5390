import VoiceLanguage
import VoiceVocabulary

/// What was taken lately, to know it again when a new connection hears it once more.
///
/// Sound is kept until it is certain that it was answered. Where a server has put two utterances into one answer, some of
/// what it has answered is sent again, and comes back as an instruction, whole or in part.
struct TakenProposals: Equatable, Sendable {
  /// Whether a proposal is a new one.
  enum Verdict: Equatable, Sendable {
    case new
    /// Said before, every word of it.
    case repetition
    /// Something that was taken before is part of it, or it may be what is said newly in the same words.
    case mayRepeat
  }

  /// One that was taken.
  struct Taken: Equatable, Sendable {
    let text: String
    let words: [String]
    let time: SessionTime
  }

  /// The calls of the current connection that were taken.
  private var calls = DigestedSet<CallID>()
  private var latest: [Taken] = []
  /// The newest.
  var last: Taken? { latest.last }
  /// What an answer to the sound that was sent again may repeat.
  private var suspects: [[String]] = []
  /// Utterances that were sent again and not answered so far.
  private var resentCount = 0
  /// When the last of them began; nil where answers are counted, as in sessions of before.
  private var lastResent: SessionTime?
  /// Whether the words of a suspect may have been said anew.
  private var mayBeSaidAnew = false

  /// A connection is opened: every call on it is a new one.
  mutating func connectionOpened() { calls = DigestedSet() }

  /// A call came. Returns whether it is new: one that a server sends twice is taken once, and answered once.
  mutating func called(_ call: CallID) -> Bool { call.id.isEmpty || calls.insert(call) }

  /// A proposal was taken.
  mutating func took(_ text: String, at now: SessionTime) {
    latest.append(Taken(text: text, words: SpokenWords(text).words, time: now))
    if latest.count > Limits.rememberedProposals { latest.removeFirst() }
    newWordsAreDue()
  }

  /// These utterances are sent again.
  ///
  /// - Parameter isCounted: whether each of their answers is told by `answered`; otherwise `stillUnanswered` tells of them.
  mutating func resending(_ utterances: [UnacknowledgedAudio.Utterance], isCounted: Bool) {
    guard let first = utterances.first, let last = utterances.last else { return }
    resentCount = utterances.count
    lastResent = isCounted ? nil : last.startTime
    mayBeSaidAnew = false
    suspects = latest.filter { $0.time >= first.startTime && !$0.words.isEmpty }.map(\.words)
  }

  /// These utterances are not answered: once none of them was sent again, what is proposed repeats nothing.
  mutating func stillUnanswered(_ utterances: [UnacknowledgedAudio.Utterance]) {
    guard let lastResent else { return }
    resentCount = utterances.count { $0.startTime <= lastResent }
    if resentCount == 0 { suspects = [] }
  }

  /// Something new came of what was sent again, or nothing will: what is proposed may be new, too, whatever its words.
  mutating func newWordsAreDue() { mayBeSaidAnew = lastResent != nil && !suspects.isEmpty }

  /// An utterance was answered, as sessions of before counted them.
  mutating func answered() {
    guard lastResent == nil else { return }
    resentCount = max(0, resentCount - 1)
    if resentCount == 0 { suspects = [] }
  }

  /// Whether this text was proposed before for the same utterance.
  func verdict(on text: String) -> Verdict {
    guard !suspects.isEmpty else { return .new }
    let words = SpokenWords(text).words
    if suspects.contains(where: { Self.contains($0, words) }) {
      return mayBeSaidAnew ? .mayRepeat : .repetition
    }
    return suspects.contains { Self.contains(words, $0) } ? .mayRepeat : .new
  }

  /// Whether the words of one stand in the other, one behind the other.
  private static func contains(_ all: [String], _ part: [String]) -> Bool {
    guard !part.isEmpty, part.count <= all.count else { return false }
    return (0...all.count - part.count).contains { all[$0..<$0 + part.count].elementsEqual(part) }
  }
}

extension TakenProposals: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(latest.count, latest.last?.words.joined(separator: " "), suspects.count, resentCount, calls)
    if let lastResent { digest.fold(lastResent, mayBeSaidAnew) }
  }
}
