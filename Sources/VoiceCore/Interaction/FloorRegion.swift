import VoiceLanguage
package import VoiceVocabulary

/// Who is speaking, and what became of what was heard last.
package struct FloorRegion: Equatable, Sendable {
  /// Who holds the floor.
  package enum Floor: Equatable, Sendable {
    /// Exits: `userSpeaking` (a detector heard the user).
    case quiet
    /// Exits: `quiet` (the detector heard the pause).
    case userSpeaking
  }

  package private(set) var floor: Floor = .quiet
  /// The transcript of the current utterance so far.
  package private(set) var transcript = ""
  /// What the recogniser knows of it.
  package private(set) var hearing = Hearing()
  /// What the user seems to have said after it: for the screen alone.
  package private(set) var interim = ""
  private var shown = Shown.whole
  private var lastProposal = LastProposal.none
  /// Words that were obeyed without a proposal; nil once somebody was heard since.
  package private(set) var obeyedWords: String?
  /// What could be heard when the current utterance began; nil before it.
  package private(set) var background: Background?
  /// When it began.
  package private(set) var start: SessionTime?
  /// Utterances whose words are not known yet, the last one included. Words come late: they may belong to any of these.
  private var beginnings: [Beginning] = []
  private var detection = Detection.byServer
  /// With client turn detection: the latest frames before an utterance.
  private var preroll: [MicrophoneFrame] = []
  /// Whether an instruction was taken in this turn of the live model: a late transcript then belongs to it.
  package private(set) var hasTakenInstruction = false

  /// When the turn began that the user was told of because it stays open; nil if he never was.
  private var toldTurn: SessionTime?

  /// When the user halted the work while something that he had said was still to be understood; nil if he never did.
  package private(set) var haltedAt: SessionTime?

  /// What could be heard when an utterance began.
  package enum Background: Equatable, Sendable {
    case silence
    /// The program itself: what the microphone heard may be its voice.
    case speech
  }

  /// How much of the transcript was shown.
  private enum Shown: Equatable, Sendable {
    /// Exits: `beginning` (more was transcribed).
    case whole
    /// So many bytes of it. Exits: `whole` (it is shown).
    case beginning(bytes: Int)
  }

  /// The last proposal, by its words; where it had none, by its text.
  private enum LastProposal: Equatable, Sendable {
    /// Exits: `repeatable` (something is proposed).
    case none
    /// Nobody was heard since: the same once more is the model's repetition. Exits: `superseded` (the user is heard).
    case repeatable([String])
    /// The user was heard since, and may say the same again. Exits: `repeatable`.
    case superseded([String])

    var words: [String]? {
      switch self {
      case .none: nil
      case .repeatable(let words), .superseded(let words): words
      }
    }

    var isRepeatable: Bool { if case .repeatable = self { true } else { false } }
  }

  /// Who tells when the user speaks.
  private enum Detection: Equatable, Sendable {
    /// The server, if anybody: it may fall silent. Exits: `atMicrophone` (that detector told something).
    case byServer
    /// No exits.
    case atMicrophone
  }

  /// Something that was heard, before its words are known.
  private struct Beginning: Equatable, Sendable {
    let start: SessionTime
    var background: Background
    /// Nil while it goes on.
    var end: SessionTime?
    /// Until when its words may come; nil while it goes on, and until it is sent again.
    var awaitedUntil: SessionTime?

    func isAwaited(at now: SessionTime) -> Bool { awaitedUntil.map { now < $0 } ?? true }
  }

  /// A detector heard somebody.
  package mutating func heardVoice(by detector: VoiceDetector) {
    userWasHeard()
    if detector == .vad { detection = .atMicrophone }
  }

  /// Whether the detector at the microphone tells when the user speaks.
  package var hasLocalDetector: Bool { detection == .atMicrophone }

  /// The user says something new: the last proposal, made again, may be that.
  package mutating func userWasHeard() {
    if case .repeatable(let words) = lastProposal { lastProposal = .superseded(words) }
    obeyedWords = nil
  }

  /// An utterance begins, or goes on after a pause. Once any of it was spoken over the program's own voice, all of it counts as that.
  package mutating func began(over background: Background, at now: SessionTime) {
    let goesOn = floor == .userSpeaking || !transcript.isEmpty
    if start == nil || !goesOn { start = now }
    if self.background != .speech || !goesOn { self.background = background }
    if goesOn, let last = beginnings.indices.last {
      if beginnings[last].background == .silence { beginnings[last].background = background }
      (beginnings[last].end, beginnings[last].awaitedUntil) = (nil, nil)
    } else {
      beginnings.removeAll { !$0.isAwaited(at: now) }
      if beginnings.count == Limits.rememberedBeginnings { beginnings.remove(at: 1) }
      beginnings.append(Beginning(start: now, background: background))
    }
  }

  /// When the first utterance began that the known words may belong to; nil if nobody noticed.
  package func firstStart(at now: SessionTime) -> SessionTime? { candidates(at: now).first?.start ?? start }

  /// When the last utterance began that the known words may belong to; nil if nobody noticed.
  package func lastStart(at now: SessionTime) -> SessionTime? {
    candidates(at: now).last(where: isVoice)?.start ?? start
  }

  /// Whether a detector heard it: what is known by its words alone has no end.
  private func isVoice(_ beginning: Beginning) -> Bool { beginning.end != nil || floor == .userSpeaking }

  /// How long nobody spoke before the voice that was heard last; nil if nobody was heard before it.
  package var pauseBeforeLastMilliseconds: Int? {
    let voices = beginnings.filter(isVoice)
    guard let end = voices.dropLast().last?.end else { return nil }
    return voices.last?.start.milliseconds(since: end)
  }

  /// Whether any utterance that the known words may belong to was spoken over the program's own voice.
  package func mayBeOverSpeech(at now: SessionTime) -> Bool {
    candidates(at: now).contains { $0.background == .speech } || background == .speech
  }

  private func candidates(at now: SessionTime) -> [Beginning] {
    transcript.isEmpty ? beginnings.filter { $0.isAwaited(at: now) } : beginnings
  }

  /// Keep a frame from before an utterance: the latest ones are sent with it.
  package mutating func keepPreroll(_ frame: MicrophoneFrame) {
    preroll.append(frame)
    if preroll.count > Limits.prerollFrames { preroll.removeFirst() }
  }

  /// The frames before the utterance that begins; given once.
  package mutating func takePreroll() -> [MicrophoneFrame] {
    defer { preroll = [] }
    return preroll
  }

  /// The microphone was closed: the sound kept from before it is dropped.
  package mutating func microphoneClosed() { preroll = [] }

  /// The user speaks.
  package mutating func userSpeaks() { floor = .userSpeaking }

  /// Whether somebody has been speaking for so long that the user is to be told; once for each turn.
  mutating func isToldAsLong(at now: SessionTime) -> Bool {
    guard floor == .userSpeaking, let since = beginnings.last?.start, toldTurn != since,
      now >= since.advanced(byMilliseconds: Limits.longTurnMilliseconds)
    else { return false }
    toldTurn = since
    return true
  }

  /// Nobody speaks any more.
  package mutating func fellQuiet(at now: SessionTime) {
    if floor == .userSpeaking, let last = beginnings.indices.last {
      beginnings[last].end = now
      beginnings[last].awaitedUntil = now.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds)
    }
    floor = .quiet
  }

  /// Something was made of the utterance: an instruction, a decision, a stop.
  /// - Parameter isWhole: whether all of its words are known; if not, those that come late may tell what was meant.
  package mutating func taken(isWhole: Bool = true) { hasTakenInstruction = isWhole }

  /// The live model has said all to the utterance: what is transcribed from now on is another one's.
  package mutating func modelTurnEnded() { (hasTakenInstruction, interim) = (false, "") }

  /// What the user seems to have said so far; replaces the guess before it.
  package mutating func interim(_ text: String) {
    interim = text.utf8.count <= Limits.shownTranscriptBytes ? text.trimmingWhitespace() : interim
  }

  /// The words of what was taken are all here: the connection was left, or the next ones are of what is being said.
  package mutating func takenWordsEnded() { hasTakenInstruction = false }

  /// Add a piece of transcript, verbatim: leading blanks are part of it.
  /// - Parameter isLate: whether it belongs to what was taken already, and is no sign that the user has spoken since.
  package mutating func transcribed(
    _ text: String, hearing: Hearing? = nil, isLate: Bool = false, at now: SessionTime
  ) {
    if transcript.isEmpty { beginnings.removeAll { !$0.isAwaited(at: now) } }
    if !isLate, !text.allSatisfy(\.isWhitespace) { userWasHeard() }
    interim = ""
    guard transcript.utf8.count + text.utf8.count <= Limits.instructionCharacters else { return }
    self.hearing = Hearing.joined([(transcript, self.hearing), (text, hearing ?? Hearing())])
    if shown == .whole { shown = .beginning(bytes: transcript.utf8.count) }
    transcript += text
  }

  /// The transcript, if it was not shown yet; of a long one, what was not.
  package mutating func takeForShowing() -> String? {
    guard case .beginning(let bytes) = shown else { return nil }
    let isLong = transcript.utf8.count > Limits.shownTranscriptBytes
    let rest = transcript.utf8.dropFirst(isLong ? bytes : 0)
    shown = .whole
    let text = Substring(rest).trimmingWhitespace()
    return text.isEmpty ? nil : text
  }

  /// Take note of a proposal. Returns whether it only repeats the last one, with nothing heard in between.
  package mutating func proposed(_ text: String) -> Bool {
    let words = SpokenWords(text).words
    let proposal = words.isEmpty ? [text] : words
    defer { lastProposal = .repeatable(proposal) }
    return lastProposal == .repeatable(proposal)
  }

  /// These words alone said what to do, and it was done.
  package mutating func obeyed(_ words: String) { obeyedWords = words }

  /// The connection is gone before the utterance was dealt with: all of it is sent again, and transcribed again.
  package mutating func connectionLost() {
    (transcript, interim, hearing) = ("", "", Hearing())
    shown = .whole
    for index in beginnings.indices { beginnings[index].awaitedUntil = nil }
  }

  /// The sound was sent again on the next connection: its words are awaited as long as any others.
  package mutating func resent(at now: SessionTime) {
    for index in beginnings.indices.dropLast(floor == .userSpeaking ? 1 : 0) {
      beginnings[index].awaitedUntil = now.advanced(byMilliseconds: Limits.unansweredUtteranceMilliseconds)
    }
  }

  /// The utterance was dealt with; the next transcript is of another one.
  ///
  /// - Parameter next: when that began, if somebody was heard to say it already.
  package mutating func endUtterance(next: SessionTime? = nil) {
    (transcript, interim, hearing) = ("", "", Hearing())
    shown = .whole
    background = nil
    start = nil
    guard let next else { return beginnings = [] }
    // By their ends: the level shows an utterance a little later than the detector does.
    beginnings.removeAll { $0.end.map { $0 <= next } ?? false }
  }

  /// The user halts the work before what he said is understood.
  mutating func noteHalt(at now: SessionTime) { haltedAt = now }
}

extension FloorRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(
      preroll.count, preroll.last?.position, floor == .userSpeaking, transcript, interim, obeyedWords, haltedAt,
      hearing, shown == .whole, lastProposal.isRepeatable, lastProposal.words?.joined(separator: " "), start,
      hasTakenInstruction, hasLocalDetector, beginnings.count)
    switch background {
    case nil: digest.fold(0)
    case .speech: digest.fold(1)
    case .silence: digest.fold(2)
    }
    // Most turns are short, and the digests of those are in logs.
    if let toldTurn { digest.fold(toldTurn) }
    for beginning in beginnings {
      digest.fold(beginning.start, beginning.background == .speech, beginning.end, beginning.awaitedUntil)
    }
  }
}
