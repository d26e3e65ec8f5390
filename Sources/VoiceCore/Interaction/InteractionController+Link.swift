import VoiceVocabulary

/// The listener's connection, and the sound that goes out on it.
extension InteractionController {
  /// Open the listener's next connection, and wait for its setup no longer than the limit.
  mutating func openLink(resuming: Bool) {
    let connection = numbering.connection()
    link.opens(connection)
    proposals.connectionOpened()
    leaveConnection()
    act(.openLink(connection: connection, resuming: resuming))
    arm(.setup(connection: connection), milliseconds: Limits.setupMilliseconds)
  }

  /// A connection is set up: what was said and not answered goes out again on it.
  mutating func linkReady(_ connection: ConnectionID, resumed: Bool) {
    guard link.ready(connection) else { return ignore(connection) }
    disarm(.setup(connection: connection))
    attempts.becameReady(at: now)
    if settings.hasMicrophone {
      show(input.isListening ? .listening(resumed: resumed) : .connected(resumed: resumed))
    } else {
      show(.withoutMicrophone)
    }
    startMicrophone()
    floor.resent(at: now)
    proposals.resending(unanswered.utterances, at: now)
    if !unanswered.utterances.isEmpty { sound.wordsMayFollow(at: now) }
    for item in unanswered.takeAll(isMarked: marksUtterances) { put(item, on: connection) }
    if !unanswered.utterances.isEmpty { awaitAnswer() }
  }

  /// Start the microphone, once in a session.
  mutating func startMicrophone() {
    if input.start() { act(.startMicrophone) }
  }

  private mutating func ignore(_ connection: ConnectionID) {
    because("Ignored: connection \(connection.rawValue) is not the current one.")
  }

  /// The server never answered the setup: as if it had closed.
  mutating func setupTimedOut(_ connection: ConnectionID) {
    guard link.isOpening(connection) else { return }
    act(.closeLink(connection: connection))
    let reason = "The live model did not answer the setup within \(Limits.setupMilliseconds / 1000) seconds."
    let error = link.setupError.map { " It reports an error: \($0)" } ?? ""
    connectionLost(LinkFailure(remedy: .newSession, reason: reason + error), wasSlow: true)
  }

  /// A connection is gone: try again after a while, begin anew, or give up, as the failure demands.
  mutating func linkClosed(_ connection: ConnectionID, _ failure: LinkFailure) {
    guard link.currentConnection == connection else { return ignore(connection) }
    disarm(.setup(connection: connection))
    disarm(.rotation(connection: connection))
    if link.openConnection != nil { attempts.left(at: now) }
    connectionLost(failure)
  }

  /// What was sent counts as unsent, and a turn that a server had begun to hear is not going on any more.
  private mutating func leaveConnection() {
    endModelVoice()
    speech.connectionLost()
    let forgetsSigns = unanswered.hasUnanswered
    unanswered.connectionLost(forgetsSigns: forgetsSigns)
    if settings.turnDetection == .server { floor.fellQuiet(at: now) }
    if unanswered.hasUnsent { floor.connectionLost() }
    if !unanswered.utterances.isEmpty { sound.resent() }
    if forgetsSigns { attempts.forgetSigns() }
    floor.takenWordsEnded()
    lateWords.connectionLeft()
    proposals.connectionLeft(at: now)
  }

  /// - Parameter wasSlow: whether a server was there, and only took its time.
  private mutating func connectionLost(_ failure: LinkFailure, wasSlow: Bool = false, wasRotated: Bool = false) {
    leaveConnection()
    guard failure.remedy != .giveUp, failure.remedy != .none,
      let wait = attempts.failed(wasSlow: wasSlow, wasRotated: wasRotated, hasSomethingToLose: hasSomethingToLose)
    else {
      because(
        failure.remedy == .giveUp
          ? "Ended: to connect again would fail in the same way."
          : "Ended: the live model could not be reached, however often it was tried.")
      link.gaveUp()
      finish(.failed(reason: failure.reason))
      return
    }
    if wait == 0 { return openLink(resuming: true) }
    link.waits(resuming: failure.remedy == .resume)
    because(
      failure.remedy == .resume
        ? "Connecting again, to go on with the conversation: what was not answered is sent once more."
        : "Connecting again, with a new conversation: the old one cannot be gone on with.")
    show(.linkLost(reason: failure.reason, retryInMilliseconds: wait))
    arm(.reconnect, milliseconds: wait)
  }

  /// Whether the session has something to lose while its connection is away: work that goes on, what is held, or a person
  /// who has talked to it and may still want to.
  private var hasSomethingToLose: Bool {
    if !run.isIdle, !waitsInVain { return true }
    return input.takesCommands && (attempts.wasEverReady || !held.isEmpty)
  }

  /// The wait before the next attempt is over.
  mutating func reconnect() {
    if let resuming = link.awaitsResuming { openLink(resuming: resuming) }
  }

  /// The server said that it will close: move to a new connection in the next pause, and at the latest just before.
  mutating func linkExpiring(_ connection: ConnectionID, in milliseconds: Int) {
    guard let isResumable = link.expires(connection) else { return ignore(connection) }
    rotateInPause()
    guard link.openConnection == connection else { return }
    because(
      isResumable
        ? "Waiting to move until the user pauses and was answered: the server will cut this connection."
        : "Waiting to move: the server will cut this connection, but the conversation cannot be resumed from here.")
    let wait = max(0, milliseconds - Limits.rotationReserveMilliseconds)
    arm(.rotation(connection: connection), milliseconds: wait)
  }

  /// Whether nothing is being said, and nothing that was said is unanswered: then no sound has to be sent twice. A turn of the
  /// live model that has answered may have more to ask for, which only this connection hears.
  private var isPause: Bool {
    if unanswered.isBeingAnswered { return false }
    return floor.floor == .quiet && !input.awaitsAnswer && unanswered.utterances.isEmpty && !speech.isModelSpeaking
  }

  /// Move in a pause, if the server will cut this connection.
  mutating func rotateInPause() {
    guard let connection = link.movableConnection, isPause else { return }
    because("Moved in a pause: the server will cut this connection, and the conversation can be resumed from here.")
    rotate(from: connection)
  }

  /// Whether the server can go on where it is, on another connection.
  mutating func resumptionChanged(_ connection: ConnectionID, _ isPossible: Bool) {
    if !link.resumptionChanged(connection, isPossible: isPossible) { ignore(connection) }
  }

  /// The server reports an error. What it cost shows in what does not come; the user is told, so that he knows why.
  mutating func linkErred(_ reason: String, on connection: ConnectionID) {
    guard link.isOpening(connection) || hears(connection) else { return }
    guard link.erred(reason) else { return because("Not told: this error was told, or as many others.") }
    show(.warning(text: "The live model reports an error: \(reason)"))
  }

  /// Leave an expiring connection. The old socket is closed first: a server refuses to resume a session that is in use.
  mutating func rotate(from connection: ConnectionID) {
    guard link.openConnection == connection else { return }
    disarm(.rotation(connection: connection))
    show(.rotating)
    act(.closeLink(connection: connection))
    attempts.left(at: now)
    connectionLost(
      LinkFailure(remedy: .resume, reason: "The live model closes every connection soon after it opens."),
      wasRotated: true)
  }

  /// The user has said something, and this connection gives no sign that it hears: make another.
  mutating func renew(_ connection: ConnectionID) {
    because("Connecting again: since the user spoke, the live model has given no sign that it hears.")
    show(.warning(text: "The live model does not react to what you say. Connecting again; it is sent once more."))
    disarm(.rotation(connection: connection))
    act(.closeLink(connection: connection))
    attempts.renewing()
    connectionLost(
      LinkFailure(remedy: .resume, reason: "The live model did not respond to what was said."), wasSlow: true)
  }

  // MARK: Sound

  /// A frame came from the microphone: sent, kept for later, or left out, as the link and the open microphone allow.
  mutating func received(_ frame: MicrophoneFrame) {
    let missing = input.received(frame) * 1_000 / PCM.microphoneRate
    // A recording that comes late goes on where it was.
    if missing >= Limits.toldGapMilliseconds, input.isListening, !settings.microphoneWaits {
      // After silence nothing was being said: a writer may just have had nothing to write.
      if input.hearsSound || echo.isVoiceActive { sound.missed(at: now) }
      if !outage.explainsGap(at: now) {
        show(.warning(text: "\(missing) ms of sound were lost: the machine was too busy, or the microphone away."))
      }
    }
    var frame = frame
    if !input.isListening {
      // A closed microphone sends nothing, but for the silence in which a server hears that the user is done.
      guard input.takeClosingFrame() else { return }
      frame.samples = [Int16](repeating: 0, count: frame.samples.count)
    }
    if settings.turnDetection == .client, floor.floor == .quiet {
      floor.keepPreroll(frame)
    } else {
      send(.frame(frame))
    }
  }

  /// Send a frame, and keep it until what was said in it is answered.
  mutating func send(_ item: UnacknowledgedAudio.Item) {
    if let connection = link.openConnection {
      if unanswered.keepSent(item, at: now) { show(.warning(text: Self.droppedSpeech)) }
      put(item, on: connection)
      settle()
    } else if unanswered.keep(item, at: now) {
      show(
        .warning(
          text: unanswered.utterances.isEmpty
            ? "No connection for over a minute: the oldest sound that was not sent is dropped." : Self.droppedSpeech))
    }
  }

  /// It became louder or quieter at the microphone.
  mutating func soundLevelChanged(_ level: SoundLevel) {
    // What ends now was heard until now.
    if input.soundLevelChanged(to: level) { sound.heard(at: now) }
    guard input.isListening, settings.turnDetection == .server else { return }
    let wasInUtterance = unanswered.isInUtterance
    unanswered.levelChanged(level, at: now)
    // Where no detector tells that somebody spoke, the sound does.
    guard wasInUtterance != unanswered.isInUtterance, !floor.hasLocalDetector, !engine.isPresent else { return }
    guard wasInUtterance else { return }
    awaitAnswer()
    // Within its turn, the same proposal once more is still the model repeating itself.
    if !floor.hasTakenInstruction { floor.userWasHeard() }
  }

  private static let droppedSpeech =
    "You have spoken for over ten minutes without an answer; older sound is dropped."

  /// What was answered together with something else is known by the server's silence; not if it has heard the beginning of
  /// something since, or has not ended its answer.
  private mutating func settle() {
    // The timer looks after what goes on.
    if floor.floor == .quiet, floor.transcript.isEmpty, !unanswered.isInUtterance, !engine.isUnderstanding,
      let empty = unanswered.giveUpEmpty(at: now)
    {
      tell(of: empty)
      settled()
    }
    guard unanswered.hasWhole, floor.start == nil, !unanswered.isBeingAnswered, !engine.isUnderstanding,
      unanswered.hasSettled(since: proposals.resentAt ?? .zero, at: now)
    else { return }
    tell(of: unanswered.giveUp())
    // What was sent again and brought nothing was dealt with, too, if the live model has given a sign since.
    if let resentAt = proposals.resentAt, attempts.lastSign > resentAt {
      proposals.turnEnded(unanswered.utterances, at: now)
    }
    settled()
  }

  /// Something is not waited for any longer.
  private mutating func settled() {
    considerAnswered()
    endDraftWithoutNextPiece(isByTime: false)
    rotateInPause()
    considerEnding()
  }

  private mutating func put(_ item: UnacknowledgedAudio.Item, on connection: ConnectionID) {
    switch item {
    case .activityStart: act(.sendActivityStart(connection: connection))
    case .frame(let frame): act(.sendAudio(connection: connection, frame: frame))
    case .activityEnd: act(.sendActivityEnd(connection: connection))
    }
  }
}
