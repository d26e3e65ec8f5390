import VoiceLanguage
import VoiceVocabulary

/// What is said aloud, and what cuts it.
extension InteractionController {
  /// Queue something to be spoken, worded for the ear. A long text is cut at words, so that a barge-in has little to drop.
  mutating func say(_ sentence: SpokenSentence, _ purpose: SpeechPurpose) {
    guard speech.hasSpeaker else { return }
    let limit =
      switch sentence {
      case .explanation: Limits.spokenExplanationCharacters
      case .heldBehind: Limits.spokenPieceCharacters
      default: Limits.spokenCharacters
      }
    let text = SpokenSentence.beginning(of: sentence.text, scalars: limit)
    let pieces = SpokenWording.of(text).spokenPieces()
      .map { SpeechRegion.Piece(id: numbering.speech(), text: $0, purpose: purpose) }
    if isAwaited(purpose), Self.isLong(speech.ahead.dropFirst()) {
      because("Said next: the agent waits for the answer, and much else waits to be said.")
      speech.sayNext(pieces)
    } else {
      for piece in pieces where !speech.enqueue(piece) {
        tellUnspoken()
        break
      }
    }
    requestNext()
  }

  /// Whether the agent waits for what is decided about this.
  private func isAwaited(_ purpose: SpeechPurpose) -> Bool {
    guard let item = held.current, item.content.isRequest else { return false }
    return purpose == .readBack(item: item.id)
  }

  /// Whether this takes too long to say for the agent to wait for it. What the agent said just before it asks is often why it asks.
  private static func isLong(_ pieces: ArraySlice<SpeechRegion.Piece>) -> Bool {
    pieces.reduce(0) { $0 + $1.text.count } > Limits.spokenBeforeRequestCharacters
  }

  /// A piece begins to be heard.
  mutating func playbackStarted(_ id: SpeechID) {
    // What the detector heard before the program spoke was not heard over it.
    if speech.isBeginning(at: now) { echo.forgetVAD() }
    guard let piece = speech.playing.first, piece.id == id else { return }
    if case .readBack(let item) = piece.purpose, item == held.current?.id { openQuestion.readBackBegan(item, at: now) }
    noteReplyHeard()
  }

  /// What is being heard may ask something.
  private mutating func noteReplyHeard() {
    if let piece = speech.playing.first, case .reply = piece.purpose { openQuestion.replied(piece.text, at: now) }
  }

  /// A piece has played to its end: what the agent waits for comes before what only informs, and what was decided meanwhile
  /// is left out.
  mutating func playbackEnded(_ id: SpeechID) {
    if speech.playing.first?.id == id { noteReplyHeard() }
    speech.playbackEnded(id, at: now)
    let ahead = speech.ahead
    guard let place = ahead.firstIndex(where: { isAwaited($0.purpose) }), Self.isLong(ahead[..<place]) else {
      if speech.isForgone { sayInstead(ahead) }
      return
    }
    sayInstead(ahead.filter { isAwaited($0.purpose) } + ahead.filter { !isAwaited($0.purpose) })
  }

  /// More waits to be spoken than anybody will listen to. Told once, until something was spoken.
  private mutating func tellUnspoken() {
    because("Not spoken: \(Limits.waitingPieces) pieces wait already.")
    // With `parley ask` nothing is spoken in any case.
    guard speech.noteUnspoken(), settings.unattended != .refuses else { return }
    show(.warning(text: "Too much is waiting to be spoken; from here on the answer is only shown."))
  }

  /// Pieces are asked for one at a time: a live model takes a second one as an interruption of the first.
  private mutating func requestNext() {
    guard let piece = speech.requestNext() else { return }
    act(.speak(speech: piece.id, text: piece.text, purpose: piece.purpose))
    arm(.speechStall(speech: piece.id), milliseconds: Limits.speechStallMilliseconds)
  }

  /// Sound of the piece that was asked for.
  mutating func speechArrived(_ audio: SpeechAudio, of id: SpeechID) {
    guard speech.arrived(sampleCount: audio.samples.count, of: id) else {
      return because("Not played: this piece was cut.")
    }
    act(.play(speech: id, audio: audio))
  }

  /// The readout has given all of a piece.
  mutating func speechEnded(_ id: SpeechID) {
    let ended = speech.ended(id)
    guard ended != .cut else { return because("Ignored: this piece was cut.") }
    disarm(.speechStall(speech: id))
    if ended == .playing { act(.finishPlaying(speech: id)) }
    requestNext()
  }

  /// The readout could not speak a piece, which is shown; the next one is tried.
  mutating func speechFailed(_ id: SpeechID, _ reason: String) {
    guard let piece = speech.requested, piece.id == id else { return because("Ignored: this piece was cut.") }
    show(.warning(text: "Not spoken: “\(piece.text)”. \(reason)"))
    speechEnded(id)
  }

  /// The readout gave nothing for too long: as if it had failed.
  mutating func speechStalled(_ id: SpeechID) {
    let seconds = Limits.speechStallMilliseconds / 1000
    switch speech.stalled(id, isAtWork: engine.isSpeaking) {
    case .goesOn: arm(.speechStall(speech: id), milliseconds: Limits.speechStallMilliseconds)
    case .modelVoice:
      because("Taken for ended: the model's own voice has given no sound for \(seconds) seconds.")
      endModelVoice()
    case .readout:
      act(.cancelSpeech(speech: id))
      speechFailed(id, "The readout gave no sound for \(seconds) seconds.")
    case .nothing: break
    }
  }

  /// Nothing can be heard any more; what was to be said is shown.
  mutating func speakerFailed(_ reason: String) {
    silence()
    speech.speakerFailed()
    show(.error(text: "The session goes on without sound. \(reason)"))
  }

  // MARK: Moving about in what is said

  /// Leave out the rest of the sentence that is being said.
  mutating func skip() {
    guard let first = speech.ahead.first else { return show(.cannot(text: "Nothing is being said.")) }
    speech.note(said: first.text, at: now)
    sayInstead(Array(speech.ahead.dropFirst()))
  }

  /// Say the sentence before again, and go on from there.
  mutating func back() {
    let ahead = speech.ahead
    while let last = speech.takeLast() {
      guard !ahead.contains(where: { $0.id == last.id }) else { continue }
      return sayInstead([last] + ahead)
    }
    guard !ahead.isEmpty else { return show(.cannot(text: "Nothing was said before.")) }
    sayInstead(ahead)
  }

  /// Say the current sentence from its beginning, or the last one if nothing is being said.
  mutating func repeatSpeech() {
    if !speech.ahead.isEmpty { return sayInstead(speech.ahead) }
    guard let last = speech.takeLast() else { return show(.cannot(text: "Nothing is held, and nothing was said yet.")) }
    sayInstead([last])
  }

  /// Speak faster or more slowly: what is being said starts again, so that the change is heard at once.
  mutating func changeRate(by step: Int) {
    guard speech.changePercent(by: step, of: Self.speechRates) else {
      return show(.cannot(text: "Speech is already at its limit, \(speech.percent) percent."))
    }
    act(.setSpeechRate(percent: speech.percent))
    show(.speechRate(percent: speech.percent))
    if !speech.ahead.isEmpty { sayInstead(speech.ahead) }
  }

  /// In percent, each about an eighth more than the one before; at the ends speech is hard to understand.
  private static let speechRates = [60, 70, 80, 90, 100, 112, 125, 140, 160, 180, 200]

  /// Fall silent, and say these pieces instead of what was to be said.
  private mutating func sayInstead(_ pieces: [SpeechRegion.Piece]) {
    guard speech.hasSpeaker else { return }
    noteCut()
    cancelRequested()
    if !speech.playing.isEmpty {
      clearPlayback()
      if armedTimers.contains(.interruption) { act(.duckPlayback) }
    }
    speech.stopPlaying(isNoted: false, at: now)
    speech.dropQueue()
    speech.sayNext(renumbered(pieces))
    requestNext()
  }

  /// The pieces under new numbers: sound of the old ones may still be on its way.
  private mutating func renumbered(_ pieces: [SpeechRegion.Piece]) -> [SpeechRegion.Piece] {
    speech.forget(pieces)
    return pieces.map { .init(id: numbering.speech(), text: $0.text, purpose: $0.purpose) }
  }

  // MARK: Cutting

  /// Fall silent now, and forget what was still to be said.
  mutating func silence() {
    run.mute()
    noteCut()
    speech.dropQueue()
    cancelRequested()
    if !speech.playing.isEmpty || speech.isModelSpeaking || interruption.isLowered {
      act(.clearPlayback)
      // At full level again, whatever comes next.
      interruption.settled()
    }
    stopDeciding()
    speech.stopPlaying(isNoted: true, at: now)
    ignoreModelVoice()
  }

  /// Cut what is said for one purpose. What is being said before it goes on, and what was queued behind it is said afterwards.
  mutating func cut(_ purpose: SpeechPurpose) {
    speech.dropQueue { $0.purpose == purpose }
    let isRequested = speech.requested?.purpose == purpose
    guard speech.playing.first?.purpose == purpose else {
      speech.forgo(purpose)
      if isRequested { cancelRequested() }
      return requestNext()
    }
    noteCut()
    clearPlayback()
    if armedTimers.contains(.interruption) { act(.duckPlayback) }
    var behind = speech.unheard.filter { $0.purpose != purpose && $0.id != speech.requested?.id }
    if let requested = speech.requested, !isRequested { behind.append(requested) }
    speech.stopPlaying(isNoted: true, at: now)
    cancelRequested()
    speech.sayNext(renumbered(behind))
    requestNext()
  }

  /// What plays is cut: take note of how far it was heard.
  private mutating func noteCut() {
    noteReplyHeard()
    if case .readBack = speech.playing.first?.purpose { openQuestion.readBackCut(at: now) }
  }

  /// Whatever plays falls silent, and the listener's own voice with it: the rest of it is not heard either.
  private mutating func clearPlayback() {
    act(.clearPlayback)
    ignoreModelVoice()
  }

  private mutating func ignoreModelVoice() {
    if let id = speech.ignoreModelVoice() { disarm(.speechStall(speech: id)) }
  }

  private mutating func cancelRequested() {
    guard let requested = speech.cancelRequested() else { return }
    disarm(.speechStall(speech: requested.id))
    act(.cancelSpeech(speech: requested.id))
  }

  // MARK: The listener's own voice

  /// The listener may ask back or make small talk while nothing else has the floor.
  mutating func modelSpoke(_ audio: SpeechAudio, in turn: ModelTurnID?, on connection: ConnectionID) {
    guard link.openConnection == connection else { return because("Not played: its connection is gone.") }
    if speech.model.isSilent {
      let isHeard = settings.playsModelVoice && speech.hasSpeaker && !speech.isActive && run.isIdle && held.isEmpty
      let id = isHeard ? numbering.speech() : nil
      speech.modelBegan(as: id, in: turn)
      guard let id else {
        return because("Not played: the model's own voice is heard only while nothing else has the floor.")
      }
      arm(.speechStall(speech: id), milliseconds: Limits.speechStallMilliseconds)
    }
    noteModelSpeech()
    switch speech.modelSpoke(sampleCount: audio.samples.count) {
    case .plays(let id): act(.play(speech: id, audio: audio))
    case .ignored: because("Not played: this turn of the model's own voice was cut.")
    case .exceedsLimit:
      because("Cut: the model's own voice is heard for half a minute at most.")
      finishModelVoice(speech.modelExceededLimit())
    }
  }

  /// All sound of the listener's turn has come; it plays to its end.
  mutating func endModelVoice() { finishModelVoice(speech.modelEnded()) }

  private mutating func finishModelVoice(_ id: SpeechID?) {
    guard let id else { return }
    disarm(.speechStall(speech: id))
    act(.finishPlaying(speech: id))
  }
}

extension String {
  /// Cut at words into pieces of at most `Limits.spokenPieceCharacters` characters.
  package func spokenPieces() -> [String] {
    var pieces: [String] = []
    var rest = self[...]
    while rest.count > Limits.spokenPieceCharacters {
      let limit = rest.index(rest.startIndex, offsetBy: Limits.spokenPieceCharacters)
      let cut = rest[..<limit].lastIndex(of: " ") ?? limit
      pieces.append(rest[..<cut].trimmingWhitespace())
      rest = rest[cut...].drop { $0.isWhitespace }
    }
    let last = rest.trimmingWhitespace()
    return last.isEmpty ? pieces : pieces + [last]
  }
}
