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

  /// What is spoken belongs to something of late: further back is not searched, however long a log is.
  private static let recentTurns = 100
  private static let recentPieces = 100
  private static let comparedCharacters = 100_000
  /// The longest pause inside one utterance.
  private static let pauseMilliseconds = 1_500
  /// No word is as short as this: a click was taken for a voice.
  private static let shortestMilliseconds = 100

  /// The readout was asked for a piece. Which purpose it serves is told by its words: a log does not name it.
  mutating func asked(_ speech: SpeechID, _ text: String, _ moment: Moment) -> Int? {
    let (purpose, turn) = readBacks[text].map { (.readBack, $0) } ?? purpose(Self.letters(text))
    add(SpokenPiece(id: speech, text: text, purpose: purpose, turn: turn, requested: moment))
    return turn
  }

  /// An item waits for a decision, and may be said aloud in these words.
  mutating func expectReadBack(_ text: String, of turn: Int?) {
    guard let turn else { return }
    for piece in SpokenWording.of(text).spokenPieces() { readBacks[piece] = turn }
  }

  /// Of what was not expected in these words: a reminder of an item, an answer, or a report.
  private mutating func purpose(_ words: String) -> (SpokenPiece.Purpose, turn: Int?) {
    if let item = held.first(where: { Self.isPart(words, Self.letters($0.text)) }) {
      return (.readBack, turnOfInstruction[item.id])
    }
    let asking = turns.suffix(Self.recentTurns).last {
      $0.requests.contains { $0.answered == nil && Self.isPart(words, Self.letters($0.title)) }
    }
    if let asking { return (.readBack, asking.number) }
    guard let lastDispatched else {
      // What is spoken may be worded otherwise than what is written.
      return held.first.map { (.readBack, turnOfInstruction[$0.id]) } ?? (.report, turns.last?.number)
    }
    let run = turns[answering(words, lastDispatched) - 1]
    let isAnswer =
      run.end == nil || held.isEmpty || Self.letters(run.answer.suffix(Self.comparedCharacters)).contains(words)
    return isAnswer ? (.answer, run.number) : (.readBack, held.first.flatMap { turnOfInstruction[$0.id] })
  }

  /// The turn whose answer is said in these words: an older one may still be read aloud while the agent works on the next.
  private mutating func answering(_ words: String, _ last: Int) -> Int {
    let older = turns[..<(last - 1)].suffix(Self.recentTurns).last { !$0.answer.isEmpty }
    guard let older else { return last }
    let run = turns[last - 1]
    guard run.stages[.answered] != nil else { return older.number }
    if olderAnswer?.turn != older.number || olderAnswer?.count != older.answer.utf8.count {
      let letters = Self.letters(older.answer.suffix(Self.comparedCharacters))
      olderAnswer = (older.number, older.answer.utf8.count, letters)
    }
    guard olderAnswer?.letters.contains(words) == true else { return last }
    return Self.letters(run.answer.suffix(Self.comparedCharacters)).contains(words) ? last : older.number
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

  private static func letters(_ text: some StringProtocol) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// Whether one text is part of the other: a long item is read in several pieces, a short one with words around it.
  private static func isPart(_ left: String, _ right: String) -> Bool {
    !left.isEmpty && !right.isEmpty && (left.contains(right) || right.contains(left))
  }
}
