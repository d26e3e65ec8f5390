import CTerminal
import VoiceAudio
import VoiceConfiguration
import VoiceConverse
import VoiceCore
import VoiceFoundation
import VoiceHistory
import VoiceLive
import VoiceLocal
import VoiceLoop
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// One real session: the parts that the plan names, behind the ports of `VoiceSession`.
struct LiveSession {
  private let plan: Plan
  private let inbox = EventInbox()
  private let output = OutputQueue()
  private let screen: Screen
  private let display: DisplayGuard
  private let record: SessionRecord
  private let eventOutput: EventOutput?
  private let undone: UndoneWork
  private let audio: SessionAudio
  private let settings: InteractionSettings
  private let live: LiveParts
  private let microphone: ClosedMicrophone
  private let agent: any ConverseAgent
  private let words: SessionWords
  private let neighbours: Neighbours
  private let told: String?
  /// Ends once a connection is ready.
  private let connected: AsyncStream<Void>

  /// Open everything that can be opened before the session starts.
  ///
  /// - Parameters:
  ///   - path: the session folder; nil for a new one in the default folder.
  ///   - start: the session that the agent begins with.
  ///   - told: which one that is, if it is an earlier one.
  ///   - printsEvents: whether standard output carries the voice-event log.
  init(
    _ plan: Plan, folder path: String?, start: AgentSessionStart = .new, told: String? = nil, printsEvents: Bool = false
  ) throws {
    (self.plan, self.told) = (plan, told)
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    // Where it carries sound or events, the lines go to a copy of standard error: libraries write there, too.
    let isTaken = plan.speaker == "-" || printsEvents
    screen = Screen(
      descriptor: isTaken ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : STDOUT_FILENO, output, display: plan.display,
      environment: ProcessInfo.processInfo.environment)
    guard !(plan.speaker == "-" && printsEvents) else {
      throw ConfigurationError("Standard output cannot carry both sound and events; name another --speaker.")
    }

    let display = DisplayGuard(inbox, output, screen)
    self.display = display
    let turns = TurnFinding(plan)
    record = try SessionRecord(plan, folder: path, now: { [inbox] in inbox.now }, post: display.postOnceShown)
    undone = UndoneWork(beside: record.port, approved: display.approved)
    do {
      agent = try makeAgent(plan, start: start, traffic: record.agent?.tap("agent"), pace: inbox.pace, post: post)
      words = SessionWords(plan, post: post)
      neighbours = Neighbours(
        workingFolder: PlainFile.real(plan.workingFolder) ?? "", record: record.folder, post: post)
      let (connected, connection) = AsyncStream<Void>.makeStream()
      self.connected = connected
      live = try LiveParts(
        plan, turns: turns, record: record.live, report: { [screen] in screen.line("speech", $0) },
        guesses: screen.hasStatusLine,
        post: { [inbox] event in
          if case .linkReady = event { connection.finish() }
          inbox.post(event)
        })
      microphone = ClosedMicrophone(isOpen: plan.startsListening, recorder: record.sound, listeners: live.listeners)
      eventOutput =
        printsEvents
        ? EventOutput(beside: undone, scrubber: record.scrubber) { [output] in output.put($0, to: STDOUT_FILENO) }
        : nil
      if let folder = record.folder { Self.divertErrors(to: folder.diagnostics) } else { Self.divertErrorsNowhere() }
      do {
        let sound = SessionSound(plan)
        var settings = Self.settings(plan, sound, turns.detection, screen)
        audio = try sound.open(
          Self.wiring(inbox, record: record, screen: screen, watch: live.watch, microphone: microphone),
          turns: turns, needsVAD: settings.hasVAD,
          goesOnWithoutDevices: settings.takesCommands && isatty(STDIN_FILENO) == 1)
        settings.keepsUnsent = record.isFoundLater
        settings.speaksAloud = sound.speaker.isAloud
        settings.hasMicrophone = audio.lacks[.microphone] == nil
        self.settings = settings
      } catch {
        parley_errors_restore()
        live.stop()
        throw error
      }
    } catch {
      record.discard()
      throw error
    }
  }

  /// What the plan says of the interaction.
  private static func settings(
    _ plan: Plan, _ sound: SessionSound, _ turnDetection: InteractionSettings.TurnDetection, _ screen: Screen
  ) -> InteractionSettings {
    InteractionSettings {
      $0.mode = plan.mode
      $0.turnDetection = turnDetection
      $0.interruptedBy = plan.interruptedBy ?? (sound.usesDevice ? .vad : .model)
      $0.readsBack = plan.readsBack
      $0.isRecorded = plan.records
      $0.playsModelVoice = plan.playsModelVoice
      $0.takesCommands = Keyboard.isOpen && plan.microphone != "-"
      $0.spokenDecisions = plan.spokenDecisions
      $0.keyboardOnly = KeyboardOnlyActs(
        patterns: plan.keyboardOnly, workingFolder: PlainFile.real(plan.workingFolder) ?? "",
        voiceCommands: plan.voiceCommands)
      $0.duringRun = plan.duringRun
      $0.tellsWhatWasHeard = plan.tellsWhatWasHeard
      $0.startsListening = plan.startsListening
      $0.microphoneWaits = sound.isRecording
      $0.answerLimitMilliseconds = plan.answerLimitSeconds * 1000
      $0.endWord = plan.endWord
      $0.longThought = plan.thinksLong
      $0.shownMilliseconds = plan.shownMilliseconds
      $0.keyMilliseconds = screen.takesKeys ? KeyBurst.typingMilliseconds : 0
      $0.silenceMilliseconds = plan.silenceMilliseconds
      $0.backgroundMilliseconds = plan.backgroundSeconds * 1000
      $0.phrases = plan.phrases
    }
  }

  private static func wiring(
    _ inbox: EventInbox, record: SessionRecord, screen: Screen, watch: DescriptorWatch?, microphone: ClosedMicrophone
  ) -> AudioWiring {
    var wiring = AudioWiring(now: { inbox.now }, post: { inbox.post($0) })
    wiring.watch = watch
    wiring.heard = { frame in
      microphone.hear(frame)
      screen.level(frame)
    }
    if let sounds = record.sound {
      wiring.played = { sounds.played($0, $1) }
    }
    return wiring
  }

  /// What libraries write on standard error (sound systems do, at length) goes to a file of the session, not between the
  /// lines of the screen.
  private static func divertErrors(to path: String) {
    let file: Int32
    do throws(PlainFile.Refusal) {
      file = try PlainFile.open(writing: path, O_APPEND)
    } catch {
      // Better nowhere than between the lines of the screen, or behind a planted link.
      return divertErrorsNowhere()
    }
    _ = parley_errors_divert(file)
    close(file)
  }

  private static func divertErrorsNowhere() {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    _ = parley_errors_divert(nowhere)
    close(nowhere)
  }

  /// Run it to its end, and close everything again.
  func run() async -> SessionEnd {
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    inbox.post(.sessionStarted(settings: settings))
    screen.begin()
    display.watchOutput()
    tellLacks()
    if !plan.wakePhrase.isEmpty, live.listeners.wake == nil {
      screen.line(
        "warning",
        "“\(plan.wakePhrase)” has no effect: it is detected only with the local live model or turn detection at the client. "
          + "Use a key.")
    }
    if let folder = record.folder {
      screen.line("session", UserFolders(ProcessInfo.processInfo.environment).abbreviated(folder.path))
    }
    if let told { screen.line("session", told) }
    if let lack = audio.lacks[.speaker] { inbox.post(.speakerFailed(reason: Self.sentence(lack))) }
    tellWhatIsLeftOver()
    watchSignals()
    // Whoever decides can have seen so much.
    if isatty(screen.descriptor) == 0 { output.finish(isUrgent: true) }
    let keyboard = Keyboard(screen, mode: settings.mode, microphone: microphone, post: display.postFromUser)
    if settings.takesCommands { keyboard.start() }
    let ports = VoicePorts(
      audio: audio, liveModel: live.listener, readout: live.readout, agent: agent,
      timers: RealTimers(now: { [inbox] in inbox.now }, post: post),
      console: RealConsole(screen: screen, keyboard: keyboard, microphone: microphone),
      recorder: eventOutput ?? undone, words: words)
    let (agent, live, words, connected, neighbours) = (agent, live, words, connected, neighbours)
    let isOver = Locked(false)
    let outcome = await withTaskGroup { group in
      group.addTask { await agent.run() }
      group.addTask { await live.run() }
      group.addTask { await neighbours.watch() }
      group.addTask {
        live.expect(words.expected(), names: [])
        // It takes a processor for a while, which is in nobody's way once there is a connection; but it would be in the way
        // of the other tasks.
        for await _ in connected {}
        let known = await SystemThread.value(for: "the words of the project") { words.gather() }
        guard !Task.isCancelled, known != ProjectWords() else { return }
        live.expect(words.expected(), names: known.names)
        post(.wordsLearned(words: known))
      }
      let outcome = await inbox.run(VoiceSession(ports: ports))
      SessionEnd.exitAnyway(
        unless: { isOver.withLock { $0 } }, keepSound: { [sound = record.sound] in sound?.finish() })
      audio.stop()
      live.stop()
      agent.shutDown()
      group.cancelAll()
      return outcome
    }
    isOver.withLock { $0 = true }
    return await conclude(outcome)
  }

  /// Every part has ended: write what stays, and show the rest.
  private func conclude(_ outcome: SessionOutcome) async -> SessionEnd {
    // The record first: a reader that has stopped reading holds up what is shown.
    let unwritten = record.finish(outcome, await lateReports())
    screen.close()
    eventOutput?.finish()
    // Whoever ends the program does not wait for a reader that has stopped reading.
    let isTerminated = if case .terminated = outcome { true } else { false }
    output.finish(isUrgent: isTerminated)
    parley_terminal_leave()
    parley_errors_restore()
    let end = SessionEnd(
      outcome: outcome, unwritten: unwritten, unprinted: display.unprinted,
      hasIgnoredDecision: display.hasIgnoredDecision, undone: undone.reason)
    end.exitSoon()
    return end
  }

  private func watchSignals() {
    Signals.watch(
      post: { [inbox] in inbox.post($0) }, resized: { [screen] in screen.redraw() },
      continued: { [display] in display.processContinued() })
  }

  /// What the agent told of its runs when the session was over.
  private func lateReports() async -> LateReports {
    inbox.finish()
    var reports = LateReports()
    while let next = await inbox.next() {
      if case .agentReported(let run, let event) = next.event { reports.take(event, of: run) }
    }
    return reports
  }

  /// What this machine does not have, or not as it should be, and how the session goes on without it.
  private func tellLacks() {
    for warning in audio.warnings { screen.line("warning", warning.asSentence) }
    guard let lack = audio.lacks[.microphone] else { return }
    screen.line("warning", Self.sentence(lack))
    screen.line("keys", "Press i to type an instruction; ? shows all keys.")
  }

  private static func sentence(_ lack: AudioError) -> String { lack.description.asSentence.beginningAsSentence }

  /// What earlier sessions left open is told, and offered to somebody who can decide; it is never sent by itself. What was meant for
  /// another folder is told alone.
  private func tellWhatIsLeftOver() {
    let told = record.leftOver.sessions.flatMap { LedgerText.lines($0, namesFolder: false) }
    for line in told + record.leftOver.elsewhere.map(LedgerText.line) { screen.line("earlier", line) }
    let events = record.leftOver.events
    if settings.takesCommands, isatty(STDIN_FILENO) == 1 {
      if record.leftOver.lacksWords {
        let text = "A secret was kept out of what is offered again: “(secret)” stands in its place. Edit it first."
        screen.line("warning", text)
      }
      for event in events { inbox.post(event) }
    } else if !events.isEmpty {
      screen.line("earlier", "Nothing is sent again by itself. To decide, start parley run in a terminal.")
    }
    for session in record.leftOver.sessions { session.closeIfSettled() }
  }
}
