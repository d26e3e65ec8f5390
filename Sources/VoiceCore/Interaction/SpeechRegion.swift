package import VoiceLanguage
package import VoiceVocabulary

/// What is being spoken: pieces not yet asked for, the one asked for, and those playing.
package struct SpeechRegion: Equatable, Sendable {
  package private(set) var queue: [Piece] = []
  package private(set) var requested: Piece?
  /// Whether the user was told that what comes is not spoken, because too much waits.
  private var hasToldUnspoken = false
  private var progress = Progress.awaited
  /// Whether sound of the requested piece came since its stall timer was armed.
  private enum Progress: Equatable, Sendable {
    /// Exits: `made` (sound came).
    case awaited
    /// Exits: `awaited` (the timer fired, or another piece is asked for).
    case made
  }

  /// Pieces whose sound was handed to the speaker and has not all played, in order.
  package private(set) var playing: [Piece] = []
  /// Those of them that are skipped once what plays before them is over.
  private var forgone: Set<SpeechID> = []
  /// The listener's own voice.
  package private(set) var model = ModelVoice()
  /// Whether there is something to speak by.
  package enum Speaker: Equatable, Sendable {
    /// Exits: `lost`, `failed`.
    case present
    /// The device is away and being opened again: what is to be said waits for it. Exits: `present`, `failed`.
    case lost
    /// Nothing is spoken, and nothing waits for it. Exits: `present` (a device that was away for long is back).
    case failed
  }

  /// The speaker.
  package private(set) var speaker = Speaker.present
  /// Whether what is to be said will be heard, now or once the speaker is back.
  package var hasSpeaker: Bool { speaker != .failed }
  /// What was cut by a barge-in, until the speaker has told how much of it was heard.
  private var cut: Cut?
  /// Samples that came for each piece that plays: in samples, because a log adds up the parts of a piece.
  private var sampleCounts: [SpeechID: Int] = [:]
  private let audience: Audience
  /// Who hears what is said.
  private enum Audience: Equatable, Sendable {
    /// Whoever is in the room, the microphone among them.
    case room
    /// It goes to a file, or nowhere.
    case nobody
  }

  /// The speed of speech; 100 is as it was spoken.
  package private(set) var percent = 100
  /// What began to play, oldest first, so that it can be said again.
  package private(set) var history: [Piece] = []
  /// The last sentence of a reply that played to its end.
  private var lastHeard: String?
  /// What was said in the last seconds, oldest first.
  private var said: [Said] = []

  /// Nothing is being spoken yet.
  /// - Parameter isAloud: whether it can be heard in the room, so that what is heard there may be its own.
  package init(isAloud: Bool = true) { audience = isAloud ? .room : .nobody }

  private struct Said: Equatable, Sendable {
    let words: SpokenWords
    let end: SessionTime
  }

  /// Whether anything is being spoken or about to be.
  package var isActive: Bool { !queue.isEmpty || requested != nil || !playing.isEmpty || isModelSpeaking }

  /// Whether the listener itself speaks.
  package var isModelSpeaking: Bool { model.speech != nil }

  /// Whether what is said now can be heard by somebody: not what goes to a file or nowhere, or waits for its device.
  package var canBeHeard: Bool { audience == .room && speaker == .present }

  /// Whether the program can be heard, or could a moment ago.
  package func isAudible(at now: SessionTime, within milliseconds: Int) -> Bool {
    guard audience == .room else { return false }
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

  /// Whether these words sound like part of what was said in the last seconds, or is being said.
  /// - Parameter isSure: whether the recogniser is sure of them.
  package func soundsLikeJustSaid(_ words: SpokenWords, isSure: Bool = false, at now: SessionTime) -> Bool {
    words.soundAsPart(of: justSaid(at: now), isSure: isSure)
  }

  private func justSaid(at now: SessionTime) -> SpokenWords {
    var all = SpokenWords("")
    guard audience == .room else { return all }
    for said in said where said.end.advanced(byMilliseconds: Limits.echoMemoryMilliseconds) > now {
      all.words += said.words.words
    }
    for piece in playing { all.words += SpokenWords(piece.text).words }
    return all
  }

  /// Everything that is still to be said, what plays now first.
  package var ahead: [Piece] {
    unheard + [requested].compactMap { $0 }.filter { piece in !playing.contains { $0.id == piece.id } } + queue
  }

  /// What plays and is to be heard to its end.
  package var unheard: [Piece] { playing.filter { !forgone.contains($0.id) } }

  /// Whether what would play now is not to be heard any more.
  package var isForgone: Bool { playing.first.map { forgone.contains($0.id) } ?? false }

  /// Take note that this was said, to its end or until it was cut.
  package mutating func note(said text: String, at now: SessionTime) {
    said.removeAll { $0.end.advanced(byMilliseconds: Limits.echoMemoryMilliseconds) <= now }
    var words = SpokenWords(String(text.suffix(Limits.echoBytes)))
    words.words = words.words.suffix(Limits.echoWords)
    said.append(Said(words: words, end: now))
    // Nobody says more in that time, whatever a server writes.
    var count = said.reduce(0) { $0 + $1.words.words.count }
    while count > Limits.echoWords || said.count > Limits.echoPieces { count -= said.removeFirst().words.words.count }
  }
}

// MARK: - From a text to its sound

extension SpeechRegion {
  /// Let a piece wait for its turn. Returns false if too many wait already.
  package mutating func enqueue(_ piece: Piece) -> Bool {
    guard queue.count < Limits.waitingPieces else { return false }
    queue.append(piece)
    return true
  }

  /// A piece is not spoken, because too many wait. Returns whether the user has yet to be told: once, until something was asked for.
  package mutating func noteUnspoken() -> Bool {
    defer { hasToldUnspoken = true }
    return !hasToldUnspoken
  }

  /// The piece that is to be asked for now; nil if one is asked for already, or none waits.
  package mutating func requestNext() -> Piece? {
    guard requested == nil, !queue.isEmpty else { return nil }
    hasToldUnspoken = false
    progress = .awaited
    let piece = queue.removeFirst()
    requested = piece
    return piece
  }

  /// Sound of a piece came. Returns false if the piece was cut, and the sound is not played.
  package mutating func arrived(sampleCount: Int, of id: SpeechID) -> Bool {
    guard let requested, requested.id == id else { return false }
    progress = .made
    if playing.last?.id != id {
      playing.append(requested)
      history.append(requested)
      if history.count > Limits.spokenHistory { history.removeFirst() }
    }
    sampleCounts[id, default: 0] += sampleCount
    return true
  }

  /// What the end of a piece's sound means.
  package enum Ended: Equatable, Sendable {
    /// It plays to its end.
    case playing
    /// Nothing came of it.
    case withoutSound
    /// It was cut before.
    case cut
  }

  /// All sound of a piece has come.
  package mutating func ended(_ id: SpeechID) -> Ended {
    guard requested?.id == id else { return .cut }
    requested = nil
    return playing.last?.id == id ? .playing : .withoutSound
  }

  /// What is to be done about a voice that has given no sound for a while.
  package enum Stall: Equatable, Sendable {
    /// It is waited on: sound came meanwhile, or it is known to be at work.
    case goesOn
    /// The model's own voice has broken off.
    case modelVoice
    /// The readout has.
    case readout
    /// It is over already.
    case nothing
  }

  /// The stall timer of a voice has fired.
  ///
  /// - Parameter isAtWork: whether the readout is known to be at work; a slow machine is no fault.
  package mutating func stalled(_ id: SpeechID, isAtWork: Bool) -> Stall {
    if model.speech == id { return model.takeProgress() ? .goesOn : .modelVoice }
    guard requested?.id == id else { return .nothing }
    defer { progress = .awaited }
    return progress == .made || isAtWork ? .goesOn : .readout
  }

  /// A piece has played to its end.
  package mutating func playbackEnded(_ id: SpeechID, at now: SessionTime) {
    guard let place = playing.firstIndex(where: { $0.id == id }) else { return }
    let piece = playing.remove(at: place)
    sampleCounts[id] = nil
    forgone.remove(id)
    note(said: piece.text, at: now)
    if case .reply = piece.purpose { lastHeard = piece.text }
  }

  /// The speaker failed: nothing is spoken any more.
  package mutating func speakerFailed() { speaker = .failed }

  /// The speaker's device is away. Returns whether that is new.
  package mutating func speakerLost() -> Bool {
    guard speaker == .present else { return false }
    speaker = .lost
    return true
  }

  /// The speaker's device works again. Returns whether it was away.
  package mutating func speakerReturned() -> Bool {
    defer { speaker = .present }
    return speaker != .present
  }

  /// Another reply begins, of which nothing was heard yet.
  package mutating func replyBegins() { lastHeard = nil }

  /// Speak at the next of these speeds, or the one before. Returns whether there is one.
  package mutating func changePercent(by step: Int, of percents: [Int]) -> Bool {
    let place = (percents.firstIndex(of: percent) ?? 0) + step
    guard percents.indices.contains(place) else { return false }
    percent = percents[place]
    return true
  }
}

// MARK: - Cutting

extension SpeechRegion {
  /// Take the last piece out of the history, if there is one: it will begin again.
  package mutating func takeLast() -> Piece? { history.popLast() }

  /// These pieces begin anew, under other numbers: they are history again once they have.
  package mutating func forget(_ pieces: [Piece]) {
    history.removeAll { piece in pieces.contains { $0.id == piece.id } }
  }

  /// What waits is not said. Whatever has begun goes on.
  package mutating func dropQueue(_ isDropped: (Piece) -> Bool = { _ in true }) { queue.removeAll(where: isDropped) }

  /// These pieces are said next, before whatever waits.
  package mutating func sayNext(_ pieces: [Piece]) { queue = pieces + queue }

  /// The piece that was asked for is not wanted any more; nil if none was.
  package mutating func cancelRequested() -> Piece? { requested.take() }

  /// What waits to play for this purpose is skipped, but not what is being heard: nothing that plays before it is cut for that.
  package mutating func forgo(_ purpose: SpeechPurpose) {
    forgone.formUnion(playing.dropFirst().filter { $0.purpose == purpose }.map(\.id))
  }

  /// What plays is cut. Take note of it as said, as far as it came, unless it begins anew.
  package mutating func stopPlaying(isNoted: Bool, at now: SessionTime) {
    if isNoted { for piece in playing { note(said: piece.text, at: now) } }
    playing = []
    sampleCounts = [:]
    forgone = []
  }
}

// MARK: - The listener's own voice

extension SpeechRegion {
  /// The listener's turn begins with sound, which plays, under this number, or is ignored if that is nil. To be called while
  /// its voice is silent.
  package mutating func modelBegan(as id: SpeechID?, in turn: ModelTurnID? = nil) { model.began(as: id, in: turn) }

  /// Sound of the listener's turn came.
  package mutating func modelSpoke(sampleCount: Int) -> ModelVoice.Sound { model.spoke(sampleCount: sampleCount) }

  /// The rest of the listener's turn is not heard. Returns its number if it was speaking.
  package mutating func ignoreModelVoice() -> SpeechID? { model.cut() }

  /// All sound of the listener's turn has come. Returns its number if it plays: to its end.
  package mutating func modelEnded() -> SpeechID? { playToEnd(model.ended()) }

  /// The listener's turn is longer than it may be. Returns its number.
  package mutating func modelExceededLimit() -> SpeechID? { playToEnd(model.cut()) }

  /// The listener's connection is over: how much is heard of its last turn concerns nobody.
  package mutating func connectionLost() { model.forgetTurn() }

  private mutating func playToEnd(_ id: SpeechID?) -> SpeechID? {
    if let id { playing.append(.init(id: id, text: "", purpose: .report)) }
    return id
  }
}

// MARK: - How much was heard

extension SpeechRegion {
  /// What the user has heard of a reply that he cuts.
  package enum Heard: Equatable, Sendable {
    /// These are the last words.
    case words(String)
    /// The speaker will tell.
    case notKnownYet
    /// It was no reply.
    case noReply
  }

  /// The user cuts what is being said, or about to be.
  package mutating func cutByUser() -> Heard {
    guard let piece = playing.first ?? requested ?? queue.first, case .reply = piece.purpose else { return .noReply }
    guard !playing.isEmpty else { return .words(lastHeard ?? "") }
    let milliseconds = (sampleCounts[piece.id] ?? 0) * 1000 / PCM.speakerRate
    cut = .init(piece: piece, milliseconds: milliseconds, before: lastHeard)
    return .notKnownYet
  }

  /// The speaker tells how much of a piece has really played. Returns how much that is of the turn, at the speed at which it
  /// was spoken, if the piece was the listener's own voice; nil if it was not, or its turn is not known.
  package mutating func modelCut(
    _ id: SpeechID?, heardMilliseconds: Int
  ) -> (turn: ModelTurnID, heardMilliseconds: Int)? {
    guard let id, let turn = model.takeTurn(of: id) else { return nil }
    return (turn, heardMilliseconds * percent / 100)
  }

  /// The speaker tells how much of a piece has really played, in its own time. Returns the last words that were heard; nil
  /// if nothing was cut that somebody wants to know of.
  package mutating func playbackCleared(_ id: SpeechID?, heardMilliseconds: Int) -> String? {
    guard let cut = cut.take() else { return nil }
    // At the speed that the user likes.
    let heard = id == cut.piece.id ? cut.text(heardMilliseconds: heardMilliseconds * percent / 100) : ""
    return [cut.before ?? "", heard].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension SpeechRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(
      queue, requested, hasToldUnspoken, progress == .made, playing, model, hasSpeaker, speaker == .lost, cut,
      sampleCounts.count, percent, history, lastHeard, audience == .nobody)
    for piece in playing { digest.fold(forgone.contains(piece.id), sampleCounts[piece.id]) }
    digest.fold(said.count)
    for said in said {
      for word in said.words.words { digest.fold(word) }
      digest.fold(said.end)
    }
  }
}
