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

  /// Whether the user interrupts.
  package enum Interruption: Equatable, Sendable {
    /// Exits: `suspected` (somebody made a sound).
    case none
    /// Playback is lowered. Exits: `doubted` (the sound was short), `none` (words, or still speaking: a barge-in).
    case suspected
    /// Playback is lowered. Exits: `dismissed` (still silent: it goes on), `none` (words: a barge-in).
    case doubted
    /// It was taken for nothing. Exits: `none` (words after all: a barge-in; or nothing came of it), `suspected`.
    case dismissed
  }

  /// A piece that the user cut.
  package struct Cut: Equatable, Sendable {
    package let piece: Piece
    /// How long the sound is that came for it.
    package let milliseconds: Int
    /// The sentence that was heard in full before it, if there was one.
    package let before: String?

    /// The words that were heard, as far as they fit into the time.
    package func text(heardMilliseconds: Int) -> String {
      guard milliseconds > 0, heardMilliseconds > 0 else { return "" }
      guard heardMilliseconds < milliseconds else { return piece.text }
      let count = piece.text.count * heardMilliseconds / milliseconds
      let words = piece.text.prefix(count)
      return words.lastIndex(of: " ").map { String(words[..<$0]) } ?? ""
    }
  }

  package var queue: [Piece] = []
  package var requested: Piece?
  /// Whether the user was told that what comes is not spoken, because too much waits.
  var hasToldUnspoken = false
  /// Whether sound of the requested piece came since its stall timer was armed.
  package var madeProgress = false
  /// Pieces whose sound was handed to the speaker and has not all played, in order.
  package var playing: [Piece] = []
  package var modelVoice: ModelVoice = .silent
  /// Whether sound of it came since that was looked at last.
  package var modelMadeProgress = false
  /// How much of it came in this turn.
  package var modelSamples = 0
  /// False once the speaker failed: nothing is spoken then, and nothing waits for it.
  package var hasSpeaker = true
  package var interruption: Interruption = .none
  /// What was cut by a barge-in, until the speaker has told how much of it was heard.
  package var cut: Cut?
  /// Samples that came for each piece that plays: in samples, because a log adds up the parts of a piece.
  package var sampleCounts: [SpeechID: Int] = [:]
  /// The speed of speech; 100 is as it was spoken.
  package var percent = 100
  /// What began to play, oldest first, so that it can be said again.
  package private(set) var history: [Piece] = []
  /// The last sentence of a reply that played to its end.
  package var lastHeard: String?
  /// What was said in the last seconds, oldest first.
  private var said: [Said] = []

  private struct Said: Equatable, Sendable {
    let words: SpokenWords
    let end: SessionTime
  }

  package init() {}

  /// Whether the voice is lowered, until it is decided whether the user interrupts.
  package var isLowered: Bool { interruption == .suspected || interruption == .doubted }

  /// Whether anything is being spoken or about to be.
  package var isActive: Bool { !queue.isEmpty || requested != nil || !playing.isEmpty || isModelSpeaking }

  package var isModelSpeaking: Bool {
    if case .speaking = modelVoice { return true }
    return false
  }

  /// Whether the program can be heard, or could a moment ago.
  package func isAudible(at now: SessionTime, within milliseconds: Int) -> Bool {
    if !playing.isEmpty || isModelSpeaking { return true }
    return said.last.map { $0.end.advanced(byMilliseconds: milliseconds) > now } ?? false
  }

  /// Whether what plays now is the first that can be heard after a silence.
  package func isBeginning(at now: SessionTime) -> Bool {
    playing.count <= 1
      && !(said.last.map { $0.end.advanced(byMilliseconds: Limits.echoTailMilliseconds) > now } ?? false)
  }

  /// Whether these words are part of what was said in the last seconds, or is being said.
  package func hasJustSaid(_ words: SpokenWords, at now: SessionTime) -> Bool { justSaid(at: now).contains(words) }

  /// Whether these words sound as part of what was said in the last seconds, or is being said.
  package func soundsLikeJustSaid(_ words: SpokenWords, at now: SessionTime) -> Bool {
    words.soundAsPart(of: justSaid(at: now))
  }

  private func justSaid(at now: SessionTime) -> SpokenWords {
    var all = SpokenWords("")
    for said in said where said.end.advanced(byMilliseconds: Limits.echoMemoryMilliseconds) > now {
      all.words += said.words.words
    }
    for piece in playing { all.words += SpokenWords(piece.text).words }
    return all
  }

  /// Everything that is still to be said, what plays now first.
  package var ahead: [Piece] {
    playing + [requested].compactMap { $0 }.filter { piece in !playing.contains { $0.id == piece.id } } + queue
  }

  /// Take note that this began to play.
  package mutating func began(_ piece: Piece) {
    playing.append(piece)
    history.append(piece)
    if history.count > Limits.spokenHistory { history.removeFirst() }
  }

  /// These pieces begin anew: they are history once they have.
  package mutating func forget(_ pieces: [Piece]) {
    history.removeAll { piece in pieces.contains { $0.id == piece.id } }
  }

  /// Take the last piece out of the history, if there is one: it will begin again.
  package mutating func takeLast() -> Piece? { history.popLast() }

  /// Take note that this was said, to its end or up to where it was cut.
  package mutating func note(said text: String, at now: SessionTime) {
    said.removeAll { $0.end.advanced(byMilliseconds: Limits.echoMemoryMilliseconds) <= now }
    var words = SpokenWords(String(text.suffix(Limits.echoBytes)))
    words.words = words.words.suffix(Limits.echoWords)
    said.append(Said(words: words, end: now))
    // Nobody says more in that time, whatever a server writes.
    var count = said.reduce(0) { $0 + $1.words.words.count }
    while count > Limits.echoWords || said.count > Limits.echoPieces { count -= said.removeFirst().words.words.count }
  }

  /// Let a piece wait for its turn. Returns whether it does: too many wait already otherwise.
  package mutating func enqueue(_ piece: Piece) -> Bool {
    guard queue.count < Limits.waitingPieces else { return false }
    queue.append(piece)
    return true
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
    if hasToldUnspoken { digest.fold("too much waits") }
    digest.fold(madeProgress)
    if isModelSpeaking {
      digest.fold(modelMadeProgress)
      digest.fold(modelSamples)
    }
    digest.fold(playing)
    switch modelVoice {
    case .silent: digest.fold(0)
    case .speaking(let speech): digest.fold(speech.rawValue)
    case .ignored: digest.fold(-1)
    }
    digest.fold(hasSpeaker)
    switch interruption {
    case .none: digest.fold(0)
    case .suspected: digest.fold(1)
    case .doubted: digest.fold(2)
    case .dismissed: digest.fold(3)
    }
    digest.fold(cut)
    for piece in playing { digest.fold(sampleCounts[piece.id] ?? 0) }
    digest.fold(sampleCounts.count)
    digest.fold(percent)
    digest.fold(history)
    digest.fold(text: lastHeard)
    for said in said {
      for word in said.words.words { digest.fold(word) }
      digest.fold(Int(said.end.microseconds))
    }
  }
}

extension SpeechRegion.Cut: DigestedState {
  func fold(into digest: inout StateDigest) {
    piece.fold(into: &digest)
    digest.fold(milliseconds)
    digest.fold(text: before)
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
