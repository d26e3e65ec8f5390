/// The listener's connection, and the sound that goes out on it.
extension InteractionController {
  mutating func openLink(resuming: Bool) {
    let connection = numbering.connection()
    link = .opening(connection)
    takenCalls = DigestedSet()
    leaveConnection()
    act(.openLink(connection: connection, resuming: resuming))
    arm(.setup(connection: connection), milliseconds: Limits.setupMilliseconds)
  }

  mutating func linkReady(_ connection: ConnectionID, resumed: Bool) {
    guard link == .opening(connection) else { return ignore(connection) }
    disarm(.setup(connection: connection))
    attempts.becameReady()
    link = .open(connection, .steady(resumable: false))
    if settings.hasMicrophone {
      show(input.isListening ? .listening(resumed: resumed) : .connected(resumed: resumed))
    } else {
      show(.withoutMicrophone)
    }
    startMicrophone()
    for item in unanswered.takeAll() { put(item, on: connection) }
  }

  mutating func startMicrophone() {
    if input.isStarted { return }
    input.isStarted = true
    act(.startMicrophone)
  }

  private mutating func ignore(_ connection: ConnectionID) {
    because("Ignored: connection \(connection.rawValue) is not the current one.")
  }

  mutating func setupTimedOut(_ connection: ConnectionID) {
    guard link == .opening(connection) else { return }
    act(.closeLink(connection: connection))
    lost(
      LinkFailure(remedy: .startAfresh, reason: "The live model did not answer the setup within 10 seconds."),
      wasSlow: true)
  }

  mutating func linkClosed(_ connection: ConnectionID, _ failure: LinkFailure) {
    guard link.currentConnection == connection else { return ignore(connection) }
    disarm(.setup(connection: connection))
    disarm(.rotation(connection: connection))
    lost(failure)
  }

  /// What was sent counts as unsent, and a turn that a server had begun to hear is not going on any more.
  private mutating func leaveConnection() {
    endModelVoice()
    unanswered.connectionLost()
    // All of it is heard again, and transcribed again.
    if unanswered.hasUnsent { floor.endUtterance() }
    if settings.turnDetection == .server { floor.floor = .quiet }
  }

  /// - Parameter wasSlow: whether a server was there, and only took its time.
  private mutating func lost(_ failure: LinkFailure, wasSlow: Bool = false) {
    leaveConnection()
    guard failure.remedy != .giveUp, failure.remedy != .none,
      let wait = attempts.failed(wasSlow: wasSlow, isMissed: isMissed)
    else {
      because(
        failure.remedy == .giveUp
          ? "Ended: to connect again would fail in the same way."
          : "Ended: the live model could not be reached, however often it was tried.")
      link = .closed
      finish(.failed(reason: failure.reason))
      return
    }
    link = .waiting(resuming: failure.remedy == .resume)
    because(
      failure.remedy == .resume
        ? "Connecting again, to go on with the conversation: what was not answered is sent once more."
        : "Connecting again, with a new conversation: the old one cannot be gone on with.")
    show(.linkLost(reason: failure.reason, retryInMilliseconds: wait))
    arm(.reconnect, milliseconds: wait)
  }

  /// Whether the session has something to lose while its connection is away: work that goes on, what is held, or a person
  /// who has talked to it and may still want to.
  private var isMissed: Bool {
    if !run.isIdle, !waitsForNobody { return true }
    return input.takesCommands && (attempts.everReady || !held.isEmpty)
  }

  mutating func reconnect() {
    guard case .waiting(let resuming) = link else { return }
    openLink(resuming: resuming)
  }

  mutating func linkExpiring(_ connection: ConnectionID, in milliseconds: Int) {
    guard case .open(connection, let lease) = link else { return ignore(connection) }
    if lease == .steady(resumable: true) {
      because("Moved at once: the server will cut this connection, and the conversation can be resumed from here.")
      rotate(from: connection)
    } else {
      because("Waiting to move: the server will cut this connection, but the conversation cannot be resumed from here.")
      link = .open(connection, .expiring)
      let wait = max(0, milliseconds - Limits.rotationReserveMilliseconds)
      arm(.rotation(connection: connection), milliseconds: wait)
    }
  }

  mutating func resumptionChanged(_ connection: ConnectionID, _ isPossible: Bool) {
    guard case .open(connection, let lease) = link else { return ignore(connection) }
    attempts.provedAlive()
    switch lease {
    case .steady: link = .open(connection, .steady(resumable: isPossible))
    case .expiring:
      guard isPossible else { return }
      because("Moved now: the conversation can be resumed from here, and the server will cut this connection.")
      rotate(from: connection)
    }
  }

  /// Leave an expiring connection. The old socket is closed first: a server refuses to resume a session that is in use.
  mutating func rotate(from connection: ConnectionID) {
    guard link.openConnection == connection else { return }
    disarm(.rotation(connection: connection))
    show(.rotating)
    act(.closeLink(connection: connection))
    openLink(resuming: true)
  }

  // MARK: Sound

  mutating func heard(_ frame: MicrophoneFrame) {
    precondition(frame.position > input.lastPosition, "microphone positions must increase")
    input.lastPosition = frame.position
    var frame = frame
    if !input.isListening {
      // A closed microphone sends nothing, but for the silence in which a server hears that the user is done.
      guard input.takeClosingFrame() else { return }
      frame.samples = [Int16](repeating: 0, count: frame.samples.count)
    }
    if settings.turnDetection == .client, floor.floor == .quiet {
      preroll.append(frame)
      if preroll.count > Limits.prerollFrames { preroll.removeFirst() }
    } else {
      send(.frame(frame))
    }
  }

  mutating func send(_ item: UnansweredSound.Item) {
    if let connection = link.openConnection {
      unanswered.keepSent(item)
      put(item, on: connection)
    } else if unanswered.keep(item) {
      show(.warning(text: "No connection for over a minute: the oldest sound that was not sent is dropped."))
    }
  }

  private mutating func put(_ item: UnansweredSound.Item, on connection: ConnectionID) {
    switch item {
    case .activityStart: act(.sendActivityStart(connection: connection))
    case .frame(let frame): act(.sendAudio(connection: connection, frame: frame))
    case .activityEnd: act(.sendActivityEnd(connection: connection))
    }
  }
}
