import VoiceCore
import VoiceJSON
import VoiceLanguage
import VoiceRecording
import VoiceVocabulary

/// Reads the lines of a recorded session in order, and writes a script of them.
struct SessionReading {
  /// One thing that the user did, or that befell the world.
  struct TimedAction {
    var action: Fixture.UserAction
    /// When it began, and when it was over.
    var start: SessionTime
    var end: SessionTime
    /// Which turn it belongs to; 0 before the first, nil if to all.
    var turn: Int?
    /// The first step that belongs to it.
    var step: Int
    /// Which utterance it is, if it is one.
    var utterance: Int?

    /// Whether it tells how the microphone stands beside the loudspeaker.
    var isDuplexChange: Bool { if case .happen(.duplexChanged) = action { true } else { false } }
  }

  /// What was said, and what the live model made of it.
  struct Utterance {
    /// Samples.
    var range: Range<Int>
    var answer = Fixture.ModelAnswer(heard: "")
  }

  /// What the agent did for an instruction, and what it was answered.
  struct Run {
    let turn: Int
    let start: SessionTime
    var events: [(time: SessionTime, event: AgentEvent)] = []
    var answers: [String: Bool] = [:]
    var chosen: [QuestionID: AgentQuestion.Answer] = [:]
  }

  /// Sound from before the detector decided, and none from behind the last word: the script's own detector waits again.
  private static let leadSamples = PCM.microphoneRate * 8 / 10
  private static let tailSamples = PCM.microphoneRate / 2

  /// What the session began with; for a turn alone, what was set when that began.
  private var settings: InteractionSettings
  /// What is set now.
  private var current: InteractionSettings
  private var actions: [TimedAction] = []
  private var utterances: [Utterance] = []
  private var runs: [RunID: Run] = [:]
  private var triggers: [(trigger: Fixture.Trigger, time: SessionTime, step: Int)] = []
  /// Samples heard so far, and how many of them belong to utterances that are over.
  private var heardSamples = 0
  private var usedSamples = 0
  private var isSpeaking = false
  private var openConnection: ConnectionID?
  private var readyConnection: ConnectionID?
  private(set) var turns = 0
  private var time = SessionTime.zero
  private var step = 0
  /// The first step of each turn, and what was set then.
  private var turnStarts: [Int: (step: Int, settings: InteractionSettings)] = [:]
  /// The turn in which each instruction came up: what is decided about it, and its run, belong there however late they come.
  private var turnOfInstruction: [InstructionID: Int] = [:]
  /// The turn whose step asked for each piece of speech.
  private var turnOfSpeech: [SpeechID: Int] = [:]
  /// The turn of steps that belong to another than the latest.
  private var turnOfStep: [Int: Int] = [:]

  /// The turn of what was said, by each step in which words or a proposal came of it.
  private(set) var turnOfWords: [Int: Int] = [:]

  /// The first step of each turn, in order.
  var firstSteps: [Int] { turnStarts.sorted { $0.key < $1.key }.map(\.value.step) }

  init(_ settings: InteractionSettings) { (self.settings, current) = (settings, settings) }

  /// The next line of the session.
  mutating func take(_ line: LogLine) {
    (time, step) = (line.step.time, line.step.sequence)
    let known = actions.count
    happened(line)
    // First whose step it is.
    for case .noteInLedger(let entry) in line.step.actions {
      switch entry {
      case .proposed(let instruction): turnOfInstruction[instruction.id] = turnOfStep[step] ?? turns
      case .approved(let id), .rejected(let id), .amended(let id, _): belongs(to: turnOfInstruction[id], since: known)
      default: break
      }
    }
    for action in line.step.actions {
      switch action {
      case .show(let notice):
        current.adopt(notice)
        if let trigger = Fixture.Trigger(notice) { triggers.append((trigger, time, step)) }
      case .speak(let speech, _, _): turnOfSpeech[speech] = turnOfStep[step] ?? turns
      case .openLink(let connection, _): openConnection = connection
      case .closeLink(let connection): if openConnection == connection { openConnection = nil }
      case .startRun(let run, let instruction):
        let turn = turnOfInstruction[instruction.id] ?? turns
        if turn != turns { turnOfStep[step] = turn }
        runs[run] = Run(turn: turn, start: time)
      case .answerPermission(let run, let permission, let choice, _):
        runs[run]?.answers[permission.rawValue] = choice.allows
        belongs(to: runs[run]?.turn, since: known)
      case .answerQuestion(let run, let question, let answer):
        runs[run]?.chosen[question] = answer
        belongs(to: runs[run]?.turn, since: known)
      default: break
      }
    }
  }

  /// What the user did in this step was about something of this turn.
  private mutating func belongs(to turn: Int?, since known: Int) {
    guard let turn, turn != turns, actions.count > known else { return }
    guard case .happen(.commandGiven) = actions[known].action else { return }
    actions[known].turn = turn
    turnOfStep[step] = turn
  }

  private mutating func happened(_ line: LogLine) {
    switch line.step.event {
    case .microphoneFrame(let frame): heardSamples = frame.position + line.repeated * PCM.frameSamples
    case .voiceStarted(let detector): if hears(detector) { startUtterance(lead: Self.leadSamples) }
    case .voiceEnded(let detector): if hears(detector) { endUtterance() }
    case .userTranscribed(_, let text, _, let hearing):
      if utterances.isEmpty || (!isSpeaking && isAnswered) { startUtterance(lead: PCM.microphoneRate * 20) }
      utterances[utterances.count - 1].answer.heard += text
      if let hearing { utterances[utterances.count - 1].answer.hearing = hearing }
      noteWords()
    case .instructionProposed(_, let text): proposed(.converse, text)
    case .stopRequested: proposed(.stop, nil)
    case .modelTranscribed(_, let text):
      if !utterances.isEmpty { utterances[utterances.count - 1].answer.says = text }
    case .commandGiven(let command):
      if case .say = command { beginTurn() }
      add(.happen(event: .commandGiven(command: command)))
    case .commandsEnded: add(.endCommands)
    case .terminationRequested: add(.terminate)
    case .microphoneEnded: add(.endMicrophone)
    case .microphoneFailed: add(.loseMicrophone)
    case .speakerFailed: add(.loseSpeaker)
    case .soundDeviceSilent(let kind, _): add(.unplug(device: kind))
    case .soundDeviceReturned(let kind, _): add(.plugIn(device: kind))
    case .duplexChanged, .wakePhraseHeard: add(.happen(event: line.step.event))
    case .linkReady(let connection, _): readyConnection = connection
    case .linkClosed(let connection, let failure):
      guard connection == openConnection else { return }
      add(readyConnection == connection ? .cutLink(remedy: failure.remedy) : .refuseLink(times: 1))
    case .linkExpiring(_, let milliseconds): add(.expireLink(milliseconds: min(milliseconds, 3_600_000)))
    case .agentReported(let run, let event):
      runs[run]?.events.append((time, event))
      if let turn = runs[run]?.turn, turn != turns { turnOfStep[step] = turn }
    case .instructionRecovered:
      beginTurn()
      add(.happen(event: line.step.event))
    case .playbackStarted(let speech): played(speech, .speechStarted)
    case .playbackEnded(let speech): played(speech, .speechEnded)
    case .sessionStarted, .timerFired, .readoutUsage: break
    // What its engines did was for the turns of then; the world's live model does its own work.
    case .speechEngineReported(.working), .speechEngineReported(.idle): break
    // What comes by itself, such as the names of the project, comes in the script as well.
    case let event: if event.lane(listener: openConnection) == .outside { add(.happen(event: event), always: true) }
    }
  }

  private mutating func played(_ speech: SpeechID, _ trigger: Fixture.Trigger) {
    if let turn = turnOfSpeech[speech], turn != turns { turnOfStep[step] = turn }
    triggers.append((trigger, time, step))
  }

  private var isAnswered: Bool { utterances.last.map { $0.answer.call != nil } ?? true }

  /// Whether this detector finds the turns.
  private func hears(_ detector: VoiceDetector) -> Bool {
    detector == (settings.turnDetection == .client ? .vad : .model)
  }

  private mutating func startUtterance(lead: Int) {
    guard !isSpeaking else { return }
    isSpeaking = true
    beginTurn()
    let start = max(usedSamples, heardSamples - lead)
    let since = time.microseconds - Int64(heardSamples - start) * 1_000_000 / Int64(PCM.microphoneRate)
    let index = utterances.count
    utterances.append(Utterance(range: start..<max(start + 1, heardSamples)))
    actions.append(
      TimedAction(
        action: .say(recording: "utterance-\(index + 1).wav", whole: true),
        start: SessionTime(microseconds: max(since, actions.last?.end.microseconds ?? 0)), end: time,
        turn: turns, step: step, utterance: index))
  }

  private mutating func beginTurn() {
    turns += 1
    turnStarts[turns] = (step, current)
  }

  private mutating func endUtterance() {
    guard isSpeaking, let index = utterances.indices.last else { return }
    isSpeaking = false
    let start = utterances[index].range.lowerBound
    let end = max(start + PCM.microphoneRate / 5, heardSamples - Self.tailSamples)
    utterances[index].range = start..<end
    usedSamples = end
    if let action = actions.lastIndex(where: { $0.utterance == index }) {
      actions[action].end = max(actions[action].start, SessionTime(microseconds: time.microseconds - 500_000))
    }
  }

  private mutating func proposed(_ call: Fixture.ModelAnswer.Call, _ text: String?) {
    if utterances.isEmpty || (!isSpeaking && isAnswered && utterances.last?.answer.instruction != text) {
      startUtterance(lead: PCM.microphoneRate * 20)
    }
    // A server that tells nothing of pauses has heard one when it proposes.
    if settings.turnDetection == .server, !actions.contains(where: { $0.utterance != nil && $0.start > time }) {
      endUtterance()
    }
    let index = utterances.count - 1
    if utterances[index].answer.call == call {
      utterances[index].answer.times = (utterances[index].answer.times ?? 1) + 1
    }
    utterances[index].answer.call = call
    utterances[index].answer.instruction = text
    noteWords()
  }

  /// Something came in this step of what was said last.
  private mutating func noteWords() {
    turnOfWords[step] = actions.last { $0.utterance == utterances.count - 1 }?.turn
  }

  /// - Parameter always: whatever turns are kept.
  private mutating func add(_ action: Fixture.UserAction, always: Bool = false) {
    let turn = always ? nil : turns
    actions.append(TimedAction(action: action, start: time, end: time, turn: turn, step: step, utterance: nil))
  }

  // MARK: The script

  /// Leave out every other turn, but for what still holds in this one.
  mutating func keep(_ turn: Int) {
    if let start = turnStarts[turn] { settings = start.settings }
    let duplex = actions.lastIndex { $0.isDuplexChange && ($0.turn ?? turn) < turn }
    if let duplex { actions[duplex].turn = nil }
    actions.removeAll { $0.turn != nil && $0.turn != turn }
    runs = runs.filter { $0.value.turn == turn }
    // What the user's voice interrupted was the speech of another turn.
    triggers = triggers.filter { owns(turn, $0.step) && $0.trigger != .bargedIn && $0.trigger != .falseInterruption }
  }

  /// Whether a step belongs to a turn.
  func owns(_ turn: Int, _ step: Int) -> Bool {
    if let other = turnOfStep[step] { return other == turn }
    let first = turnStarts[turn]?.step ?? 0
    return step >= first && step < max(first, turnStarts[turn + 1]?.step ?? .max)
  }

  /// The sounds that are played, by name.
  var sounds: [(String, Range<Int>)] {
    actions.compactMap { action in
      guard case .say(let name, _) = action.action, let index = action.utterance else { return nil }
      return (name, utterances[index].range)
    }
  }

  /// A script of what was read.
  func fixture(_ title: String) -> Fixture {
    let said = actions.compactMap(\.utterance).map { utterances[$0].answer.cleaned }
    let scripts = runs.keys.sorted().compactMap { runs[$0] }.map(script)
    return Fixture(title: title, settings: settings, user: userSteps, model: said, agent: scripts).withoutSecrets
  }

  private var userSteps: [Fixture.UserStep] {
    var steps: [Fixture.UserStep] = []
    var last: TimedAction?
    var rest = triggers[...]
    for action in actions {
      let since = last?.step ?? 0
      rest = rest.drop { $0.step < since }
      // What the session did last before the user did this is what the user waited for; what it did in answer to this, even
      // at the same time, is not.
      let between = rest.prefix { $0.step < action.step }.filter { $0.time <= action.start && $0.trigger.isAwaited }
      var step = Fixture.UserStep(do: action.action)
      if last != nil, let cause = between.last {
        step.await = cause.trigger
        let count = between.filter { $0.trigger == cause.trigger }.count
        step.times = count > 1 ? count : nil
        step.after = Self.milliseconds(from: cause.time, to: action.start)
      } else {
        // Whatever came before the first turn that is kept has no place in the script.
        step.after = last?.turn == nil ? 500 : last.map { Self.milliseconds(from: $0.end, to: action.start) } ?? 500
      }
      steps.append(step)
      last = action
    }
    let endings: [Fixture.UserAction] = [.endMicrophone, .loseMicrophone, .terminate]
    let quits = Fixture.UserAction.happen(event: .commandGiven(command: .quit))
    if !steps.contains(where: { endings.contains($0.do) || $0.do == quits }) {
      steps.append(.init(await: runs.isEmpty ? nil : .runEnded, after: 1_500, do: .endMicrophone))
    }
    return steps
  }
}

extension InteractionSettings {
  /// What the user switches in a session.
  fileprivate mutating func adopt(_ notice: Notice) {
    switch notice {
    case .mode(let mode): self.mode = mode
    case .listeningChanged(let isOn): startsListening = isOn
    case .longThought(let isOn): longThought = isOn
    default: break
    }
  }
}

extension Fixture.ModelAnswer {
  /// As a script has it: without what says nothing.
  fileprivate var cleaned: Self {
    var answer = self
    answer.heard = heard.trimmingWhitespace()
    if answer.instruction?.trimmingWhitespace() == answer.heard { answer.instruction = nil }
    if let says = answer.says { answer.says = String(says.prefix(Limits.spokenPieceCharacters)) }
    return answer
  }
}

extension Fixture {
  /// With every word that looks like a key replaced.
  fileprivate var withoutSecrets: Fixture {
    do {
      let clean = JSON(encoding: self).mapStrings { text in
        text.split(separator: " ", omittingEmptySubsequences: false)
          .map { SecretText.looksLikeKey($0) ? Scrubber.markText : String($0) }.joined(separator: " ")
      }
      return try clean.decoded(Fixture.self)
    } catch {
      preconditionFailure("a script cannot be encoded: \(error)")
    }
  }
}
