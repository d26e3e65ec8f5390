import VoiceLanguage
import VoiceVocabulary

/// What was taken lately, to recognise it when it is heard again on a new connection.
///
/// Sound is kept until it is certain that it was answered. Where a server has put two utterances into one answer, some of
/// what it has answered is sent again, and comes back as an instruction, whole or in part.
struct TakenProposals: Equatable, Sendable {
  /// Whether a proposal is a new one.
  enum Verdict: Equatable, Sendable {
    case new
    /// Said before, every word of it.
    case repetition
    /// Something that was taken before is part of it, or the user may be saying the same thing again.
    case mayRepeat
  }

  /// A proposal that was taken.
  struct Taken: Equatable, Sendable {
    let text: String
    let words: [String]
    let time: SessionTime
    /// The run that it was sent into, as the rest of the sentence that began it.
    fileprivate(set) var sentInto: RunID?
  }

  /// What the present turn of the live model can be an answer to.
  private enum Answering {
    /// Exits: `resent` (it answers while nothing else waits for an answer).
    case anything
    /// Nothing but what was sent again. Exits: `anything` (the turn is over, or the user has spoken since).
    case resent
  }

  /// What became of the answer in which the newest was taken.
  private enum LastAnswer: Equatable, Sendable {
    /// Exits: `givenUp` (the user spoke into it).
    case whole
    /// The live model may answer anew, to all that was said. Exits: `whole` (something is taken).
    case givenUp
  }

  /// The calls of the current connection that were taken.
  private var calls = DigestedSet<CallID>()
  private var latest: [Taken] = []
  /// The newest.
  var last: Taken? { latest.last }
  /// Proposals that an answer to the sound sent again may repeat.
  private var suspects: [[String]] = []
  /// Those of them that were repeated: if one comes a third time, the user may have said it twice.
  private var repeated: [[String]] = []
  /// Utterances that were sent again and not answered so far.
  private var resentCount = 0
  /// When they were sent again; nil if none were.
  private(set) var resentAt: SessionTime?
  /// Since when there is no connection.
  private var awaySince: SessionTime?
  /// Utterances that were over by then may have been taken on the connection before.
  private var lastHeardAt = SessionTime.zero
  private var answering = Answering.anything
  private var lastAnswer = LastAnswer.whole
  /// Whether something new has come of the sound that was sent again.
  private var hasNew = false
  /// When the last utterance of it was dealt with.
  private var dealtWithAt: SessionTime?

  /// A connection is opened: every call on it is a new one.
  mutating func connectionOpened() { calls = DigestedSet() }

  /// A call came. Returns whether it is new: one that a server sends twice is taken once, and answered once.
  mutating func called(_ call: CallID) -> Bool { call.id.isEmpty || calls.insert(call) }

  /// A proposal was taken.
  mutating func taken(_ text: String, at now: SessionTime) {
    latest.append(Taken(text: text, words: SpokenWords(text).words, time: now))
    if latest.count > Limits.rememberedProposals { latest.removeFirst() }
    lastAnswer = .whole
    hasNew = !suspects.isEmpty
  }

  /// What was taken last is the rest of a sentence, and goes into the run that its beginning began.
  mutating func lastSent(into run: RunID) {
    guard !latest.isEmpty else { return }
    latest[latest.count - 1].sentInto = run
  }

  /// The connection was left, or the next one could not be opened.
  mutating func connectionLeft(at now: SessionTime) { if awaySince == nil { awaySince = now } }

  /// These utterances are sent again.
  mutating func resending(_ utterances: [UnacknowledgedAudio.Utterance], at now: SessionTime) {
    if let awaySince { lastHeardAt = awaySince }
    awaySince = nil
    guard let first = utterances.first else {
      suspects = []
      return
    }
    resentCount = utterances.count
    resentAt = now
    (repeated, answering, hasNew, dealtWithAt) = ([], .anything, false, nil)
    suspects = latest.filter { $0.time >= first.startTime && !$0.words.isEmpty }.map(\.words)
  }

  /// The live model answers, and these utterances were not answered before.
  ///
  /// - Parameter isSameTurn: whether its turn has answered something already.
  mutating func answering(_ unanswered: [UnacknowledgedAudio.Utterance], isSameTurn: Bool) {
    guard resentAt != nil, !unanswered.isEmpty || !isSameTurn else { return }
    let isResent = !unanswered.isEmpty && unanswered.allSatisfy { $0.end != nil && $0.time <= lastHeardAt }
    answering = isResent ? .resent : .anything
  }

  /// The user spoke into the answer: what comes may be of that.
  mutating func interrupted() { (answering, lastAnswer) = (.anything, .givenUp) }

  /// The turn of the live model is over, and these utterances are not answered so far: the others were, or are given up.
  mutating func turnEnded(_ unanswered: [UnacknowledgedAudio.Utterance], at now: SessionTime) {
    answering = .anything
    guard let resentAt else { return }
    resentCount = unanswered.count { $0.startTime <= resentAt }
    if resentCount == 0, dealtWithAt == nil { dealtWithAt = now }
  }

  /// This was dropped as a repetition.
  mutating func dropped(_ text: String) { repeated.append(SpokenWords(text).words) }

  /// Whether this text was already proposed for the same utterance.
  func verdict(on text: String, at now: SessionTime) -> Verdict {
    guard !suspects.isEmpty, !isLongAgo(now) else { return .new }
    let words = SpokenWords(text).words
    if suspects.contains(where: { Self.contains($0, words) }) {
      // A word alone, such as "stop", stands in much that is none.
      let isDistinct = words.count > 1 || suspects.contains(words)
      let isCertain = answering == .resent && isDistinct && !hasNew && !repeated.contains(words)
      return isCertain ? .repetition : .mayRepeat
    }
    if suspects.contains(where: { Self.contains(words, $0) }) { return .mayRepeat }
    // A live model may word it differently the second time.
    let isAlike = suspects.contains { Self.overlap($0, words) || Agreement.percent($0, words) >= Limits.alikePercent }
    return isAlike ? .mayRepeat : .new
  }

  /// Whether this contains all of what was taken last.
  func containsLast(_ text: String) -> Bool { last.map { Self.contains(SpokenWords(text).words, $0.words) } ?? false }

  /// What is left of these words without what was taken since a moment.
  func rest(of text: String, takenSince moment: SessionTime) -> String {
    var words = SpokenWords(text).words
    let count = words.count
    for taken in latest where taken.time >= moment {
      // A word alone, such as "stop", stands in much that is none.
      if taken.words == words || words.count > 1 && Self.contains(taken.words, words) { return "" }
      if taken.words.count > 1, let place = Self.place(of: taken.words, in: words) { words.removeSubrange(place) }
    }
    return words.count == count ? text : words.joined(separator: " ")
  }

  /// Whether this is what was taken last, followed by what was said since, as one instruction.
  ///
  /// - Parameters:
  ///   - heard: the words of it that are known; empty if none are.
  ///   - isLastHeard: whether the words are known of what was taken last; if not, they may be among these.
  ///   - begun: when somebody was heard to begin it.
  func continuesLast(_ text: String, heard: String, isLastHeard: Bool, begunAt begun: SessionTime) -> Bool {
    guard let last, begun < last.time.advanced(byMilliseconds: Limits.settledMilliseconds) else { return false }
    let (words, heard) = (SpokenWords(text).words, SpokenWords(heard).words)
    guard let place = Self.place(of: last.words, in: words) else { return false }
    if heard.isEmpty || lastAnswer == .givenUp && !isLastHeard { return lastAnswer == .givenUp }
    guard last.words.count > 1 || lastAnswer == .givenUp else { return false }
    // If it was said again it was heard again, give or take a word.
    let rest = Array(words[..<place.lowerBound] + words[place.upperBound...])
    return Agreement.percent(heard, rest) > Agreement.percent(heard, words)
  }

  /// Whether nothing comes any more of what was sent again.
  private func isLongAgo(_ now: SessionTime) -> Bool {
    dealtWithAt.map { now >= $0.advanced(byMilliseconds: Limits.settledMilliseconds) } ?? false
  }

  /// Whether one begins with the words that the other ends with: a server may join what was said separately.
  private static func overlap(_ one: [String], _ other: [String]) -> Bool {
    let longest = min(one.count, other.count)
    guard longest >= 2 else { return false }
    return (2...longest).contains {
      one.suffix($0).elementsEqual(other.prefix($0)) || other.suffix($0).elementsEqual(one.prefix($0))
    }
  }

  /// Whether all words of one stand in the other, in a row.
  private static func contains(_ all: [String], _ part: [String]) -> Bool { place(of: part, in: all) != nil }

  private static func place(of part: [String], in all: [String]) -> Range<Int>? {
    guard !part.isEmpty, part.count <= all.count else { return nil }
    let start = (0...all.count - part.count).first { all[$0..<$0 + part.count].elementsEqual(part) }
    return start.map { $0..<$0 + part.count }
  }
}

extension TakenProposals: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(
      latest.count, latest.last?.words.joined(separator: " "), suspects.count, resentCount, calls,
      lastAnswer == .givenUp, awaySince, lastHeardAt, resentAt, answering == .resent, hasNew, dealtWithAt,
      repeated.count)
    // Most was not, and the digests of that are in logs.
    if let run = last?.sentInto { digest.fold(run) }
  }
}
