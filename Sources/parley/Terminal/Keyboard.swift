import CTerminal
import Dispatch
import VoiceSystem
import VoiceVocabulary

/// Standard input as a source of commands: single keys from a terminal, lines from anything else. Reads on a thread of its
/// own, which ends with the program.
final class Keyboard: Sendable {
  private enum Editing {
    case none
    /// The edit key was pressed, and the text to edit is on its way: what is typed meanwhile is kept.
    case opening([Key])
    /// The key for the user's own editor was pressed, and the text is on its way to the thread that waits for it.
    case openingOutside
    case line(LineEditor, Purpose)
  }

  private struct State {
    var editing = Editing.none
    var mode: InteractionMode
    /// The text for the user's own editor, once it came.
    var outsideText: String?
    /// What the agent offers, for completion.
    var controls = AgentControls()
    /// What the session was doing when it told that last.
    var status = SessionStatus()
  }

  /// What only the thread that reads the keys knows.
  private struct Reading {
    var decoder = KeyDecoder()
    var paste = UnmarkedPaste()
    var burst = KeyBurst()
    var talk = TalkKey()
    var interrupts = InterruptKey()
    private let start = ContinuousClock.now

    /// What has passed since it began.
    var now: Duration { ContinuousClock.now - start }

    /// When something is to be done though no key comes.
    var due: Duration? { [paste.due, burst.due, talk.due].compactMap { $0 }.min() }
  }

  private let screen: Screen
  private let microphone: ClosedMicrophone
  private let post: @Sendable (VoiceEvent) -> Void
  private let state: Locked<State>
  private let textArrived = DispatchSemaphore(value: 0)

  /// Reads nothing yet.
  init(
    _ screen: Screen, mode: InteractionMode, microphone: ClosedMicrophone,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.screen = screen
    self.microphone = microphone
    self.post = post
    state = Locked(State(mode: mode))
  }

  /// Whether standard input can give commands at all: not if it is closed.
  static var isOpen: Bool { fcntl(STDIN_FILENO, F_GETFD) >= 0 }

  /// Begin to read.
  func start() {
    let takesKeys = screen.takesKeys && parley_terminal_enter(screen.descriptor) == 0
    if !takesKeys, isatty(STDIN_FILENO) == 1 {
      screen.line("keys", "Commands are lines here, such as approve or halt, each with Enter; help lists them.")
    }
    SystemThread.detach(for: "the keyboard") { [self] in takesKeys ? readKeys() : readLines() }
  }

  /// What the session tells the user may concern the keys; any thread.
  func notice(_ notice: Notice) {
    switch notice {
    case .editing(let text, let alternatives): edit(text, alternatives ?? [])
    case .cannot: cancelOpening()
    case .mode(let mode): state.withLock { $0.mode = mode }
    case .agentOffers(let controls): state.withLock { $0.controls = controls }
    default: break
    }
  }

  /// What the session does decides what there is to type about; any thread.
  func show(_ status: SessionStatus) { state.withLock { $0.status = status } }

  /// Open the editor on a held text.
  private func edit(_ text: String, _ alternatives: [String]) {
    let command: UserCommand? = state.withLock { state in
      var typed: [Key] = []
      switch state.editing {
      case .openingOutside:
        state.outsideText = text
        textArrived.signal()
        return nil
      case .opening(let keys): typed = keys
      case .none, .line: break
      }
      let editor = LineEditor(text, alternatives: alternatives)
      state.editing = .line(editor, .held)
      screen.edit(editor, label: Purpose.held.label)
      // What was typed behind its end was not meant as keys.
      for key in typed {
        guard case .line(let editor, let purpose) = state.editing else { break }
        if let command = press(key, in: editor, for: purpose, &state) { return command }
      }
      return nil
    }
    if let command { give(command) }
  }

  /// There is nothing to edit.
  private func cancelOpening() {
    let isWaiting = state.withLock { state in
      switch state.editing {
      case .opening:
        state.editing = .none
        return false
      case .openingOutside: return true
      case .none, .line: return false
      }
    }
    if isWaiting { textArrived.signal() }
  }

  // MARK: Keys

  private func readKeys() {
    stopInBackground()
    var reading = Reading()
    while true {
      switch readSome(before: reading.due.map { $0 - reading.now }) {
      case .over: return post(.commandsEnded)
      case .nothing: elapse(&reading)
      case .bytes(let bytes): take(reading.decoder.keys(bytes), &reading)
      }
    }
  }

  /// Whoever reads from a terminal in the background is stopped by a signal, until he is in the foreground; were it blocked, as all
  /// are in this thread, the input would be over.
  private func stopInBackground() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTIN)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Time has passed without a key.
  private func elapse(_ reading: inout Reading) {
    let now = reading.now
    for key in reading.paste.elapse(to: now) { press(key, at: now, isInText: true, &reading) }
    for outcome in reading.burst.elapse(to: now) { perform(outcome, &reading) }
    if let isOn = reading.talk.elapse(to: now) { give(.listen(isOn: isOn)) }
  }

  /// Take the keys of one read.
  private func take(_ keys: [Key], _ reading: inout Reading) {
    let now = reading.now
    let text = keys.filter(\.isText)
    // The same key several times may have been held down.
    let isText = text.contains { $0 != text[0] }
    for key in keys {
      for key in reading.paste.press(key, at: now, isPasted: isText) {
        press(key, at: now, isInText: isText && key.isText, &reading)
      }
    }
  }

  private func press(_ key: Key, at now: Duration, isInText: Bool, _ reading: inout Reading) {
    if pressInEditor(key) { return }
    for outcome in reading.burst.press(key, at: now, isInText: isInText) {
      if case .text = outcome { reading.paste.openedLine() }
      perform(outcome, &reading)
    }
  }

  private func perform(_ outcome: KeyBurst.Outcome, _ reading: inout Reading) {
    switch outcome {
    case .text(let text): ask(.instruction, text)
    case .command(.released(" ")): if let isOn = reading.talk.release(at: reading.now) { give(.listen(isOn: isOn)) }
    case .command(let key): if let binding = Self.bindingOfKey[key] { perform(binding.act, key, &reading) }
    }
  }

  private func perform(_ act: Binding.Act, _ key: Key, _ reading: inout Reading) {
    switch act {
    case .give(let command): give(command)
    case .type(let purpose, let text): ask(purpose, text)
    case .edit:
      state.withLock { $0.editing = .opening([]) }
      give(.beginEdit)
    case .editOutside: editOutside()
    case .choose: if let number = Int(key.name) { give(.choose(numbers: [number])) }
    case .switchMode: give(.mode(mode: state.withLock { $0.mode == .review ? .direct : .review }))
    case .switchListening: give(.listen(isOn: !microphone.isOpen))
    case .talk:
      let isOn = reading.talk.press(
        at: reading.now, isListening: microphone.isOpen, tellsReleases: reading.decoder.reportsReleases)
      if let isOn { give(.listen(isOn: isOn)) }
    case .interrupt: interrupt(&reading)
    // With the kitty protocol this key raises no signal any more.
    case .suspend: kill(getpid(), SIGTSTP)
    }
  }

  /// Ctrl-C asks the session to end, which asks back if that would lose something. Who goes on pressing it does not want to
  /// wait for anything.
  private func interrupt(_ reading: inout Reading) {
    switch reading.interrupts.press(at: reading.now) {
    case nil: break
    case 1, 2: give(.leave)
    default: kill(getpid(), SIGINT)
    }
  }

  /// Returns whether a line is being edited, or about to be, which takes the key.
  private func pressInEditor(_ key: Key) -> Bool {
    let (isTaken, command): (Bool, UserCommand?) = state.withLock { state in
      switch state.editing {
      case .none: return (false, nil)
      case .opening(let keys): state.editing = .opening(keys + [key])
      case .openingOutside: break
      case .line(let editor, let purpose): return (true, press(key, in: editor, for: purpose, &state))
      }
      return (true, nil)
    }
    if let command { give(command) }
    return isTaken
  }

  /// Returns what the line commands if this key ends it. The state stays locked meanwhile: the thread that opens the editor
  /// presses what was typed ahead, and the one that reads the keys must not come between.
  private func press(_ key: Key, in editor: LineEditor, for purpose: Purpose, _ state: inout State) -> UserCommand? {
    var editor = editor
    if key == .tab { complete(&editor, for: purpose, state.controls) }
    let outcome = editor.press(key)
    if outcome == .refused { refuseLength() }
    let isOpen = [.editing, .refused].contains(outcome)
    state.editing = isOpen ? .line(editor, purpose) : .none
    screen.edit(isOpen ? editor : nil, label: purpose.label)
    return switch outcome {
    case .kept(let text): purpose.command(text)
    case .dropped: purpose.isAboutHeld ? .endTyping : nil
    case .editing, .refused: nil
    }
  }

  private func refuseLength() {
    let most = Limits.instructionCharacters
    screen.line("cannot", "Too long: an instruction has \(most) bytes at most. Save it in a file, and name that.")
  }

  /// Complete a line; a held instruction may have been heard otherwise.
  private func complete(_ editor: inout LineEditor, for purpose: Purpose, _ controls: AgentControls) {
    guard case .held = purpose else { return editor.complete(from: purpose.completions(controls)) }
    if !editor.showNextAlternative() { screen.line("cannot", "Nothing else was heard.") }
  }

  private func give(_ command: UserCommand) { post(.commandGiven(command: command)) }

  /// Let the user type a text, if there is anything it could be for.
  private func ask(_ purpose: Purpose, _ text: String = "") {
    let isAboutSomething = state.withLock { purpose.hasSubject($0.status, $0.controls) }
    if !isAboutSomething, let lack = purpose.lack { return screen.line("cannot", lack) }
    if let opening = purpose.opening { give(opening) }
    guard isAboutSomething else { return }
    guard LineEditor.hasRoom(for: text) else { return refuseLength() }
    let editor = LineEditor(text)
    state.withLock { $0.editing = .line(editor, purpose) }
    screen.edit(editor, label: purpose.label)
  }

  /// Let the user's own editor edit the held instruction. The thread that reads the keys waits for it, so that the editor
  /// has the keyboard for itself.
  private func editOutside() {
    // Told of more than once, the last text would be taken for the answer to this.
    while textArrived.wait(timeout: .now()) == .success {}
    state.withLock { $0.editing = .openingOutside }
    give(.beginEdit)
    // The session answers with the text, or that there is none, in its next step.
    let isThere = textArrived.wait(timeout: .now() + .seconds(5)) == .success
    let text = state.withLock { state in
      defer { (state.editing, state.outsideText) = (.none, nil) }
      return isThere ? state.outsideText : nil
    }
    guard let text else { return }
    post(.screenLent)
    screen.lend(true)
    let edited = OutsideEditor.edit(text)
    screen.lend(false)
    post(.screenReturned)
    switch edited {
    case .success(let edited): give(.amend(text: edited))
    case .failure(let failure):
      screen.line("cannot", failure.reason)
      give(.endTyping)
    }
  }

  // MARK: Lines

  private func readLines() {
    InputLines.read(obey: obey, refuse: { screen.line("cannot", $0) })
    post(.commandsEnded)
  }

  private func obey(_ line: String) {
    if let command = UserCommand(line: line) {
      give(command)
    } else {
      screen.line("cannot", UserCommand.refusal(of: line, hasSound: true))
    }
  }

  private enum Input {
    case bytes([UInt8])
    /// Nothing came in time.
    case nothing
    case over
  }

  /// - Parameter wait: how long to wait; nil for ever.
  private func readSome(before wait: Duration? = nil) -> Input {
    if let wait {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // Rounded up, so that the time is over when nothing came.
      let milliseconds = max(0, wait / .milliseconds(1)).rounded(.up)
      if poll(&input, 1, Int32(milliseconds)) <= 0 { return .nothing }
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    do throws(Descriptors.Failure) {
      let count = try Descriptors.read(STDIN_FILENO, into: &buffer)
      return count > 0 ? .bytes(Array(buffer[..<count])) : .over
    } catch {
      return .over
    }
  }
}
