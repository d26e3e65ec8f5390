import VoiceCore
import VoiceLanguage
import VoiceSound
import VoiceVocabulary

/// What was heard and what was spoken.
extension SessionHistory {
  /// Somebody was heard.
  mutating func voiceStarted(_ detector: VoiceDetector, _ moment: Moment) {
    // A second stretch soon after the first, before its words came, belongs to the same utterance; what was heard long
    // before, and came to nothing, was noise.
    if let before = pending, !isNoise(before, at: moment) || openTurn != nil {
      // Its end is still to come, whatever a shorter stretch before it had.
      pending = (before.started, nil)
    } else {
      pending = (moment, nil)
    }
    utterances.append(Utterance(detector: detector, started: moment, turn: openTurn))
  }

  /// It became louder or quieter at the microphone.
  mutating func soundLevelChanged(_ level: SoundLevel, _ moment: Moment) {
    switch level {
    case .sound: quietSince = nil
    case .pause:
      quietSince = Moment(
        time: moment.time.advanced(byMilliseconds: -LevelEndpointer.pauseMilliseconds), step: moment.step)
    case .silence: break
    }
  }

  /// Somebody was not heard any more. A detector says so when the pause has lasted: the user ended when it began.
  mutating func voiceEnded(_ detector: VoiceDetector, _ noticed: Moment) {
    if let index = utterances.lastIndex(where: { $0.detector == detector && $0.ended == nil }) {
      utterances[index].ended = speechEnd(noticed, since: utterances[index].started)
    }
    let moment = speechEnd(noticed, since: pending?.started ?? turns.last?.stages[.speechStarted])
    if pending != nil { pending?.ended = moment }
    pauseNoticed = noticed
    // The words of a turn, and even its proposal, may come in before the pause that ends it was noticed.
    if let openTurn {
      turns[openTurn - 1].stages[.speechEnded] = moment
    } else if let last = turns.indices.last, turns[last].stages[.speechStarted] != nil {
      turns[last].reach(.speechEnded, moment)
    }
  }

  /// When it became quiet, if that was after this beginning, or else when a detector noticed it.
  private func speechEnd(_ noticed: Moment, since started: Moment?) -> Moment {
    guard let quietSince, let started, started.time < quietSince.time else { return noticed }
    return quietSince
  }

  /// Whether what was heard before has nothing to do with what begins now.
  private func isNoise(_ before: (started: Moment, ended: Moment?), at moment: Moment) -> Bool {
    guard let ended = before.ended else { return false }
    return moment.time > ended.time.advanced(byMilliseconds: Self.pauseMilliseconds)
      || ended.time < before.started.time.advanced(byMilliseconds: Self.shortestMilliseconds)
  }

  /// What the live model says belongs to a piece of late: further back is not searched, however long a log is.
  private static let recentPieces = 100
  /// The longest pause inside one utterance.
  private static let pauseMilliseconds = 1_500
  /// No word is as short as this: a click was taken for a voice.
  private static let shortestMilliseconds = 100

  /// The readout was asked for a piece. The result is its turn.
  mutating func asked(_ speech: SpeechID, _ text: String, _ purpose: SpeechPurpose, _ moment: Moment) -> Int? {
    let (told, turn): (SpokenPiece.Purpose, Int?) =
      switch purpose {
      case .readBack(let item): (.readBack, heldTurns[item] ?? requestTurns[item])
      case .reply(let run): (.answer, turnOfRun[run])
      case .report: (.report, lastDispatched ?? turns.last?.number)
      }
    add(SpokenPiece(id: speech, text: text, purpose: told, turn: turn, requested: moment))
    return turn
  }

  /// The live model's own voice is played without having been asked for.
  mutating func played(_ speech: SpeechID, _ moment: Moment) {
    guard placeOfPiece[speech] == nil else { return }
    add(SpokenPiece(id: speech, text: "", purpose: .model, turn: turns.last?.number, requested: moment))
  }

  /// The live model's own voice said this. The result is the turn, if its piece goes on.
  mutating func modelSaid(_ text: String) -> Int? {
    let last = pieces.suffix(Self.recentPieces).lastIndex { $0.purpose == .model }
    guard let index = last, pieces[index].ended == nil else { return nil }
    pieces[index].text += text
    return pieces[index].turn
  }

  /// A piece began to play. The result is its turn.
  mutating func playbackStarted(_ speech: SpeechID, _ moment: Moment) -> Int? {
    update(speech) { $0.started = moment }
    guard let piece = placeOfPiece[speech].map({ pieces[$0] }), let turn = piece.turn else { return nil }
    switch piece.purpose {
    case .readBack: wasReadBack(turn, moment)
    // What is said of a run that told nothing is no answer.
    case .answer: if !turns[turn - 1].answer.isEmpty { turns[turn - 1].reach(.spoken, moment) }
    case .report, .model: break
    }
    return turn
  }

  /// What the agent asked is told; what the user said is read back before it leaves.
  private mutating func wasReadBack(_ turn: Int, _ moment: Moment) {
    guard turns[turn - 1].stages[.dispatched] != nil else { return turns[turn - 1].reach(.readBack, moment) }
    let index = turns[turn - 1].requests.firstIndex { $0.told == nil && $0.answered == nil }
    if let index { turns[turn - 1].requests[index].told = moment }
  }

  /// A piece was played to its end. The result is its turn.
  mutating func playbackEnded(_ speech: SpeechID, _ moment: Moment) -> Int? {
    update(speech) { $0.ended = moment }
    return answerWasHeard(speech, moment)
  }

  /// A piece was cut off, so many milliseconds of it were heard. The result is its turn.
  mutating func playbackCleared(_ speech: SpeechID?, _ milliseconds: Int, _ moment: Moment) -> Int? {
    guard let speech else { return nil }
    update(speech) { piece in
      piece.ended = moment
      piece.cutAfterMilliseconds = milliseconds
    }
    return answerWasHeard(speech, moment)
  }

  private mutating func answerWasHeard(_ speech: SpeechID, _ moment: Moment) -> Int? {
    guard let piece = placeOfPiece[speech].map({ pieces[$0] }), let turn = piece.turn else { return nil }
    if piece.purpose == .answer { turns[turn - 1].stages[.spokenToEnd] = moment }
    return turn
  }

  private mutating func update(_ speech: SpeechID, _ change: (inout SpokenPiece) -> Void) {
    guard let index = placeOfPiece[speech] else { return }
    change(&pieces[index])
  }
}
