import VoiceLanguage
package import VoiceVocabulary

/// The microphone's sound for the live model, kept until what was said in it is answered.
///
/// Sound that was sent but not answered is kept for a while, because a connection may be cut in the middle of an
/// utterance: on the next connection all of it is sent again, so that nothing said is lost.
///
/// A model answers one utterance after the other, and takes its time; meanwhile the user may say the next one. So an
/// answer is to the oldest utterance that is over, and nothing behind that is forgotten for it.
package struct UnacknowledgedAudio: Equatable, Sendable {
  /// One thing that was sent: sound, or a mark of the detector at the microphone.
  package enum Item: Equatable, Sendable {
    case activityStart
    case frame(MicrophoneFrame)
    case activityEnd
  }

  /// What the user said without a pause, by the numbers of its items.
  struct Utterance: Equatable, Sendable {
    var start: Int
    /// Behind its last item; nil while it goes on.
    var end: Int?
    let startTime: SessionTime
    /// When it was over; until then, when it began.
    var time: SessionTime
    /// The turn of the live model that should have answered it, and came to nothing; nil if there was none.
    var emptyTurn: EmptyTurn?
  }

  /// A turn of the live model that came to nothing. It may have been about a noise; its call may still come.
  package struct EmptyTurn: Equatable, Sendable {
    let end: SessionTime
    /// The words of what was said, as far as they are known.
    package let words: String
  }

  /// What tells utterances apart.
  private enum Segmenter: Equatable, Sendable {
    /// The level of the sound. Exits: `detector` (the one at the microphone tells something).
    case level
    /// The detector at the microphone, with server turn detection. No exits.
    case detector
  }

  /// What has come of the present turn of the live model.
  private enum Turn: Equatable, Sendable {
    /// Nothing. Exits: `spoken`, `answered`.
    case silent
    /// The model's own voice. Exits: `answered`, `silent` (the turn is over, or given up since the user spoke on).
    case spoken
    /// An answer. Exits: `silent` (the turn is over).
    case answered(Answered)

    var digested: Int {
      switch self {
      case .silent: 0
      case .answered(let answered): answered == .utterance ? 1 : 3
      case .spoken: 4
      }
    }
  }

  /// What shows that something was answered.
  package enum Sign: Equatable, Sendable {
    /// The live model asks for something, or the user's own words said what to do.
    case answer
    /// Its turn ends, and nothing else: a turn in which nothing came, or only words, is about nothing that was said.
    case endOfTurn
  }

  private var items: [Item] = []
  /// How many of `items` went out on the current connection.
  private var sentCount = 0
  /// How many items came before those that are kept: items are numbered from the start of the session.
  private var forgottenCount = 0
  /// What was said and is not known to be answered, in order. Only the last may still go on.
  private(set) var utterances: [Utterance] = []
  private var segmenter = Segmenter.level
  private var turn = Turn.silent
  /// When the live model answered last, or ended a turn.
  private var signAt = SessionTime.zero
  /// When it answered last.
  private var answeredAt = SessionTime.zero

  /// What an answer was to.
  package enum Answered: Equatable, Sendable {
    case utterance
    /// An utterance whose beginning was dropped before the model could hear it.
    case restOfUtterance
    /// Nobody was heard to say anything.
    case nothing
  }

  /// Whether something was never sent, on any connection that is still there.
  package var hasUnsent: Bool { sentCount < items.count }

  /// Whether the user says something just now.
  package var isInUtterance: Bool { utterances.last.map { $0.end == nil } ?? false }

  /// Whether something that was said waits to be answered, whole.
  package var hasWhole: Bool { utterances.first?.end != nil }

  /// Whether the live model has answered something, and its turn goes on.
  package var isBeingAnswered: Bool { if case .answered = turn { true } else { false } }

  /// Whether the beginning of what comes next to be answered was dropped before the model could hear it.
  package var hasLostBeginning: Bool { next().map { $0.end != nil && $0.start < forgottenCount } ?? false }

  /// What the next answer is to: the first that is over and had no empty turn. If there is none, the first had, and its call
  /// comes late.
  ///
  /// - Parameter text: what the answer says; empty if nothing.
  func next(_ text: String = "") -> Utterance? { nextIndex(text).map { utterances[$0] } }

  private func nextIndex(_ text: String) -> Int? {
    func agreement(_ utterance: Utterance) -> Int { Agreement.percent(utterance.emptyTurn?.words ?? "", text) }
    if let index = utterances.firstIndex(where: { $0.end != nil && $0.emptyTurn == nil }) { return index }
    return utterances.indices.min { agreement(utterances[$0]) > agreement(utterances[$1]) }
  }

  /// Add an item that cannot be sent now. Returns whether older sound had to be dropped for it.
  package mutating func keep(_ item: Item, at now: SessionTime) -> Bool {
    append(item, at: now)
    return dropOldest(over: utterances.isEmpty ? Limits.backlogFrames : Limits.longestUtteranceFrames)
  }

  /// Add an item that is being sent now. Returns whether something that was said had to be dropped for it.
  @discardableResult package mutating func keepSent(_ item: Item, at now: SessionTime) -> Bool {
    precondition(!hasUnsent, "an item overtakes those before it")
    append(item, at: now)
    let isSpeechDropped =
      dropOldest(over: utterances.isEmpty ? Limits.unansweredFrames : Limits.longestUtteranceFrames)
      && !utterances.isEmpty
    sentCount = items.count
    return isSpeechDropped
  }

  /// Everything to be sent on a new connection.
  ///
  /// - Parameter isMarked: whether only what lies between the marks of an utterance is heard. Where the beginning of one was dropped, what
  ///   is left of it begins with a mark nevertheless; and of one that was given up nothing is sent.
  package mutating func takeAll(isMarked: Bool = false) -> [Item] {
    sentCount = items.count
    guard isMarked else { return items }
    let isHeadless = items.first != .activityStart && utterances.first.map { $0.start <= forgottenCount } ?? false
    return (isHeadless ? [.activityStart] : []) + marked(items, isOpen: isHeadless)
  }

  /// What lies between marks that belong together.
  private func marked(_ items: [Item], isOpen: Bool) -> [Item] {
    var isOpen = isOpen
    return items.filter { item in
      if case .frame = item { return isOpen }
      defer { isOpen = item == .activityStart }
      return isOpen != (item == .activityStart)
    }
  }

  /// Whether anything was said that no answer can have been to so far.
  package var hasUnanswered: Bool { utterances.contains { $0.time > answeredAt || $0.emptyTurn != nil } }

  /// The connection is gone: what it was sent counts as unsent.
  ///
  /// - Parameter forgetsSigns: whether what came on it says nothing of what is sent again.
  package mutating func connectionLost(forgetsSigns: Bool) {
    sentCount = 0
    turn = .silent
    guard forgetsSigns else { return }
    (signAt, answeredAt) = (.zero, .zero)
    for index in utterances.indices { utterances[index].emptyTurn = nil }
  }

  // MARK: Utterances

  /// The detector at the microphone heard the user begin: it needs a moment for that.
  package mutating func voiceStarted(at now: SessionTime) {
    segmenter = .detector
    guard !isInUtterance else { return }
    begin(at: max(count - Limits.prerollFrames, utterances.last?.end ?? 0), now)
  }

  /// The utterance is over: what was sent of it is whole.
  package mutating func voiceEnded(at now: SessionTime) { if segmenter == .detector { end(now) } }

  /// It became louder or quieter at the microphone: that needs a moment to show.
  package mutating func levelChanged(_ level: SoundLevel, at now: SessionTime) {
    guard segmenter == .level, !isWithinActivity else { return }
    switch level {
    case .sound: begin(at: max(count - Limits.prerollFrames, utterances.last?.end ?? 0), now)
    case .pause: break
    case .silence: end(now)
    }
  }

  /// The user closed the microphone: whatever he said is over.
  package mutating func closed(at now: SessionTime) { if !isWithinActivity { end(now) } }

  private var count: Int { forgottenCount + items.count }

  private mutating func append(_ item: Item, at now: SessionTime) {
    items.append(item)
    switch item {
    case .activityStart: begin(at: count - 1, now)
    case .activityEnd: end(now)
    case .frame: break
    }
  }

  /// With client turn detection, nothing but the marks counts.
  private var isWithinActivity: Bool {
    guard let last = utterances.last, last.end == nil, (forgottenCount..<count).contains(last.start) else {
      return false
    }
    return items[last.start - forgottenCount] == .activityStart
  }

  private mutating func begin(at start: Int, _ now: SessionTime) {
    guard !isInUtterance else { return }
    utterances.append(Utterance(start: max(start, forgottenCount), end: nil, startTime: now, time: now))
  }

  private mutating func end(_ now: SessionTime) {
    guard isInUtterance, let last = utterances.indices.last else { return }
    utterances[last].end = count
    utterances[last].time = now
  }

  // MARK: Answers

  /// Whether something was said, whole, since the live model answered what was said before, in a turn that goes on: the end
  /// of that tells nothing of it.
  package var waitsBehindTurn: Bool { isBeingAnswered && isNextWhole }

  private var isNextWhole: Bool { next().map { $0.end != nil && $0.startTime > answeredAt } ?? false }

  /// The live model speaks in its present turn, and is heard: that is about something that was said.
  package mutating func modelSpoke() { if turn == .silent { turn = .spoken } }

  /// The live model has dealt with something that it heard: forget that, but nothing that was said since. Several answers of one turn
  /// are to the same utterance.
  ///
  /// - Parameters:
  ///   - text: what it made of that; empty if it made no text.
  ///   - isQuiet: whether nothing is heard at the microphone just now.
  @discardableResult package mutating func answered(
    by sign: Sign = .answer, with text: String = "", isQuiet: Bool, at now: SessionTime
  ) -> Answered {
    let isNext = isNextWhole
    let isEmpty = sign == .endOfTurn && turn == .silent
    signAt = now
    if !isEmpty { answeredAt = now }
    if case .answered(let answered) = turn, !isNext { return answered }
    guard !hasUnsent, !isEmpty else { return .nothing }
    endPause(isQuiet: isQuiet, now)
    guard let index = nextIndex(text), let end = utterances[index].end else {
      if !isInUtterance || isEndless { forget(before: count - Limits.prerollFrames) }
      return .nothing
    }
    let answered = utterances[index].start < forgottenCount ? Answered.restOfUtterance : .utterance
    utterances.remove(at: index)
    turn = .answered(answered)
    // Behind it the user may have gone on speaking, too briefly to be noticed so far.
    forget(before: min(utterances.first?.start ?? .max, max(end, count - Limits.prerollFrames)))
    return answered
  }

  /// The server has heard a pause that is too short to count as one here.
  private mutating func endPause(isQuiet: Bool, _ now: SessionTime) {
    let isAlone = utterances.dropLast().allSatisfy { $0.emptyTurn != nil }
    if isAlone, isQuiet, !isWithinActivity { end(now) }
  }

  /// The turn of the live model that is over came to nothing. It was about the oldest utterance without an answer, unless that may
  /// have been answered with another, and no words tell.
  ///
  /// - Parameters:
  ///   - words: what was said, as far as it is known.
  ///   - isQuiet: whether nothing is heard at the microphone just now.
  package mutating func turnWasEmpty(_ words: String, isQuiet: Bool, at now: SessionTime) {
    guard turn == .silent, !hasUnsent else { return }
    endPause(isQuiet: isQuiet, now)
    let index = utterances.firstIndex {
      $0.end != nil && $0.emptyTurn == nil && (!words.isEmpty || $0.time > answeredAt)
    }
    if let index { utterances[index].emptyTurn = EmptyTurn(end: now, words: words) }
  }

  /// The turn of the live model is over: its next answer is to the next utterance.
  package mutating func turnEnded() { turn = .silent }

  /// The server gave up its answer because the user spoke on: what he has said since belongs together for it.
  package mutating func joined() {
    guard let first = utterances.first, let last = utterances.last else { return }
    if turn == .spoken { turn = .silent }
    utterances = [Utterance(start: first.start, end: last.end, startTime: first.startTime, time: last.time)]
  }

  /// Whether every utterance that is over must have been answered together with another: the server has been silent for long enough.
  ///
  /// - Parameter moment: when it was sent again, so that an answer cannot be older.
  package func hasSettled(since moment: SessionTime = .zero, at now: SessionTime) -> Bool {
    guard let last = utterances.last, last.end != nil, signAt >= last.time else { return false }
    return now >= max(signAt, moment).advanced(byMilliseconds: Limits.settledMilliseconds)
  }

  /// What is given up, for the user to be told.
  package struct GivenUp: Sendable {
    /// The words that nothing came of, of each utterance of which any are known, and when it began.
    package var words: [(text: String, start: SessionTime)] = []
    /// Whether there was another of which nobody knows whether anything came.
    package var hasWordless = false
  }

  /// Nothing will come of what was said: forget what is over.
  @discardableResult package mutating func giveUp() -> GivenUp {
    guard !hasUnsent else { return GivenUp() }
    return giveUp { _ in true }
  }

  /// Forget utterances whose empty turn ended long enough ago: their calls do not come any more. Returns nil if there are none.
  package mutating func giveUpEmpty(at now: SessionTime) -> GivenUp? {
    func isOver(_ utterance: Utterance) -> Bool {
      utterance.emptyTurn.map { now >= $0.end.advanced(byMilliseconds: Limits.settledMilliseconds) } ?? false
    }
    guard !hasUnsent, utterances.contains(where: isOver) else { return nil }
    return giveUp(where: isOver)
  }

  /// Nobody said what was heard last.
  mutating func forgetLast() { if !hasUnsent, let last = utterances.last { _ = giveUp { $0.start == last.start } } }

  private mutating func giveUp(where isGivenUp: (Utterance) -> Bool) -> GivenUp {
    var result = GivenUp()
    utterances.removeAll { utterance in
      guard utterance.end != nil, isGivenUp(utterance) else { return false }
      if let words = utterance.emptyTurn?.words, !words.isEmpty {
        result.words.append((words, utterance.startTime))
      } else if utterance.emptyTurn != nil || utterance.time > answeredAt {
        result.hasWordless = true
      }
      return true
    }
    forget(before: min(utterances.first?.start ?? .max, count - Limits.prerollFrames))
    return result
  }

  /// Whether what goes on cannot be speech: nobody talks for so long without a pause, unless a detector marks the end of it.
  private var isEndless: Bool {
    guard let last = utterances.last, !isWithinActivity else { return false }
    return count - last.start > Limits.unansweredFrames
  }

  private mutating func forget(before number: Int) {
    let excess = min(number - forgottenCount, items.count)
    guard excess > 0 else { return }
    items.removeFirst(excess)
    forgottenCount += excess
    sentCount = max(0, sentCount - excess)
    if let last = utterances.indices.last, isEndless { utterances[last].start = max(utterances[last].start, number) }
  }

  private mutating func dropOldest(over limit: Int) -> Bool {
    // A tenth at a time, so that dropping costs little per frame.
    guard items.count > limit + limit / 10 else { return false }
    let excess = items.count - limit
    items.removeFirst(excess)
    forgottenCount += excess
    sentCount = max(0, sentCount - excess)
    utterances.removeAll { $0.end.map { $0 <= forgottenCount } ?? false }
    return true
  }
}

extension UnacknowledgedAudio: DigestedState {
  /// By its ends: a minute of frames is too much to go through at every step.
  package func fold(into digest: inout StateDigest) {
    digest.fold(
      items.count, sentCount, forgottenCount, items.first, items.last, segmenter == .level, signAt, answeredAt,
      turn.digested, utterances.count)
    for utterance in utterances {
      digest.fold(
        utterance.start, utterance.end, utterance.startTime, utterance.time, utterance.emptyTurn?.end,
        utterance.emptyTurn?.words)
    }
  }
}

extension UnacknowledgedAudio.Item: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch self {
    case .activityStart: digest.fold(-1)
    case .frame(let frame): digest.fold(frame.position)
    case .activityEnd: digest.fold(-2)
    }
  }
}
