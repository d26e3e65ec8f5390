import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// Sessions in which anything happens at any time, in an order that no real world would give.
struct RandomSession {
  private let settings: InteractionSettings?
  private let longestPause: Int
  var generator: SeededGenerator
  private let samples: [Int16]
  var controller = InteractionController()
  var rules = SessionRules()
  /// Not at zero, where what never happened and what happened at once look the same.
  var time = SessionTime.milliseconds(1)
  var position = 0
  var calls = 0
  var permissions = 0
  var stepCount = 0
  /// What a server transcribed once, and may send again at any time.
  private var transcripts: [String] = []

  /// - Parameters:
  ///   - settings: nil for random ones.
  ///   - pace: the longest time between two events, in milliseconds.
  ///   - samples: what the microphone hears, in each frame.
  init(seed: UInt64, settings: InteractionSettings? = nil, pace: Int = 400, samples: [Int16] = [7]) {
    generator = SeededGenerator(seed: seed)
    self.samples = samples
    self.settings = settings
    longestPause = pace
  }

  /// - Parameter watch: is shown each event with what was decided; the controller is as it is afterwards.
  mutating func run(steps: Int, watch: (InteractionController, VoiceEvent, [VoiceAction]) -> Void = { _, _, _ in }) {
    let mode: InteractionMode = Bool.random(using: &generator) ? .review : .direct
    let detection: InteractionSettings.TurnDetection = Bool.random(using: &generator) ? .server : .client
    let detector: VoiceDetector = Bool.random(using: &generator) ? .vad : .model
    let random = InteractionSettings {
      $0.mode = mode
      $0.turnDetection = detection
      $0.interruptedBy = detector
      $0.spokenDecisions = pick([.none, .instructions, .all])
      $0.duringRun = pick([.queue, .steer, .halt])
      $0.startsListening = pick([true, true, false])
      $0.answerLimitMilliseconds = pick([0, 10_000, 60_000])
      $0.endWord = pick(["", "", "over"])
      $0.longThought = pick([false, false, false, true])
      $0.shownMilliseconds = pick([0, 700, 700, 2_000])
    }
    _ = give(.sessionStarted(settings: settings ?? random))
    while stepCount < steps, controller.outcome == nil {
      let event = event()
      let actions = give(event)
      watch(controller, event, actions)
    }
  }

  private mutating func give(_ event: VoiceEvent) -> [VoiceAction] {
    time = time.advanced(byMilliseconds: Int.random(in: 0...longestPause, using: &generator))
    if case .userTranscribed(_, let text, _, _) = event { transcripts.append(text) }
    let actions = controller.handle(event, at: time)
    rules.check(event, actions, at: time)
    // Two states are the same, however they were come to.
    _ = controller.takeReasons()
    stepCount += 1
    return actions
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  /// More than is shown at once.
  private static let longAct = ActTable.run("cat " + String(repeating: "a", count: Limits.shownActBytes))

  /// The instruction that is being written to the ledger.
  private var entering: InstructionID? {
    if case .entering(let run) = controller.run.state { return run.instruction.id }
    if case .entering(let instruction, _) = controller.run.steering { return instruction.id }
    return nil
  }

  private mutating func event() -> VoiceEvent {
    // Where there is no connection, something late of the first one.
    let current = controller.link.currentConnection ?? ConnectionID(rawValue: 1)
    let run = pick(
      [
        controller.run.running?.id, controller.run.own?.run.id,
        RunID(rawValue: Int.random(in: 1...8, using: &generator)),
      ].compactMap { $0 })
    let instruction = pick(
      [entering, InstructionID(rawValue: Int.random(in: 1...12, using: &generator))].compactMap { $0 })
    let speech = pick(
      [controller.speech.requested?.id, controller.speech.playing.first?.id].compactMap { $0 }
        + [SpeechID(rawValue: Int.random(in: 1...20, using: &generator))])
    switch Int.random(in: 0..<54, using: &generator) {
    case let kind where (6...25).contains(kind) || kind == 40:
      return ofTheWorld(kind, current: current, instruction: instruction, speech: speech)
    case let kind where (26...28).contains(kind) || (33...34).contains(kind):
      return ofTheAgent(kind, run: run, instruction: instruction)
    case let kind where (29...31).contains(kind) || (35...36).contains(kind) || [38, 39, 44, 48].contains(kind):
      return .commandGiven(command: command(kind))
    case 0...5:
      position += PCM.frameSamples
      return .microphoneFrame(frame: MicrophoneFrame(position: position, samples: samples))
    case 32:
      // In a fixed order, because a set has none.
      let armed = controller.armedTimers.sorted { "\($0)" < "\($1)" }.filter { $0 != .endOfInput }
      return armed.isEmpty ? .modelAudioEnded(connection: current) : .timerFired(timer: pick(armed))
    case 41, 42:
      return .userTranscribed(
        connection: current, text: pick(["approve", "yes, send it", "no", "yes but", "uh-huh", "add this", "again"]),
        isFinal: true)
    case 43:
      calls += 1
      let call = CallID(connection: current, id: "c\(calls)", tool: "converse")
      return .instructionProposed(
        call: call, text: pick(["approve", "no", "yes but", "rm it", "open a, no, I mean b"]))
    case 45: return ofTheEngine()
    case 46:
      calls += 1
      let call = CallID(connection: current, id: "c\(calls)", tool: "converse")
      return .instructionProposed(call: call, text: pick(["and then the linter", "over", "that is all, over"]))
    case 47: return pick([.screenLent, .screenReturned, .screenReturned, .commandGiven(command: .beginTyping)])
    case 37: return .agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .steer]))
    // The server says again what it said before, whether anybody spoke or not.
    case 49: return .userTranscribed(connection: current, text: pick(transcripts + ["yes, send it"]), isFinal: true)
    case 50: return .soundLevelChanged(level: .sound)
    case 51: return ofItself()
    case 52: return .commandGiven(command: pick(UserCommand.every.filter { $0 != .quit }))
    default:
      return pick([
        .interimTranscribed(connection: current, text: "approve"), .commandsEnded, .callsWithdrawn(calls: []),
        .playbackStarted(speech: speech), .soundLevelChanged(level: pick(SoundLevel.allCases)),
      ])
    }
  }

  /// What the live model, the detectors, the speech and the ledger tell.
  private mutating func ofTheWorld(
    _ kind: Int, current: ConnectionID, instruction: InstructionID, speech: SpeechID
  ) -> VoiceEvent {
    let audio = SpeechAudio(samples: [1, 2, 3])
    switch kind {
    case 6: return .linkReady(connection: current, resumed: Bool.random(using: &generator))
    case 7:
      return .linkClosed(connection: current, failure: .init(remedy: pick([.resume, .newSession]), reason: "cut"))
    case 8: return .linkExpiring(connection: current, milliseconds: Int.random(in: 0...60_000, using: &generator))
    case 9: return .resumptionChanged(connection: current, isPossible: Bool.random(using: &generator))
    case 10: return .voiceStarted(detector: pick([.vad, .model]))
    case 11: return .voiceEnded(detector: pick([.vad, .model]))
    case 12:
      return .userTranscribed(
        connection: current, text: pick(["run", " the", " tests", ""]), isFinal: Bool.random(using: &generator))
    case 13, 14:
      calls += 1
      let call = CallID(connection: current, id: "c\(calls)", tool: "converse")
      return .instructionProposed(call: call, text: pick(["run the tests", "show the diff", " ", "run"]))
    case 15:
      calls += 1
      return .stopRequested(call: CallID(connection: current, id: "c\(calls)", tool: "stop"))
    case 16: return .modelInterrupted(connection: current)
    case 17: return .modelTurnEnded(connection: current)
    case 18: return .modelAudio(connection: current, audio: audio)
    case 19: return .speechAudio(speech: speech, audio: audio)
    case 20: return .speechEnded(speech: speech)
    case 21: return .speechFailed(speech: speech, reason: "no")
    case 22: return .playbackEnded(speech: speech)
    case 23, 24: return .ledgerEntered(instruction: instruction)
    case 25: return .ledgerFailed(instruction: instruction, reason: "full")
    case 40: return .voicePaused(detector: pick([.vad, .model]))
    default: preconditionFailure("\(kind) is none of these")
    }
  }

  private mutating func command(_ kind: Int) -> UserCommand {
    switch kind {
    case 29: return pick([.approve, .approve, .reject(reason: nil)])
    case 30: return pick([.quiet, .halt, .beginEdit, .amend(text: "other"), .again])
    case 31: return pick([.say(text: "typed"), .mode(mode: .direct), .mode(mode: .review)])
    case 35:
      return pick([.choose(numbers: [1]), .choose(numbers: [3]), .answer(text: "b"), .steer])
    case 36: return .steer
    case 38: return pick([.next, .previous, .extend, .explain, .slower, .faster])
    case 39: return pick([.skip, .back, .again, .listen(isOn: true), .listen(isOn: false)])
    case 44: return pick([.done, .done, .longThought, .reject(reason: nil)])
    // A burst of keys: what comes at once decides at most once.
    case 48: return pick([.approve, .reject(reason: nil), .choose(numbers: [1]), .leave])
    default: preconditionFailure("\(kind) is none of these")
    }
  }

  private mutating func ofTheEngine() -> VoiceEvent {
    let part: SpeechPart = pick([.recogniser, .voice])
    return .speechEngineReported(
      report: pick([
        .loading(part: part), .ready(part: part), .working(part: part), .idle(part: part),
        .restarting(reason: "it ended"), .unavailable(part: part, reason: "no"),
      ]))
  }

  /// What the agent does unasked.
  private mutating func ofItself() -> VoiceEvent {
    let run = RunID(rawValue: Int.random(in: -4 ... -1, using: &generator))
    return pick([
      .agentStartedRun(run: run, text: "a command ended"), .duplexChanged(duplex: .unknown),
      .duplexChanged(duplex: .half), .duplexChanged(duplex: .full),
      .agentOwes(work: pick([[], [], ["make"], ["make", "sleep 1"]])),
      .agentControlsTold(
        controls: AgentControls(
          mode: .init(current: pick(["ask", "plan"]), offered: ["ask", "plan"]), commands: ["go"])),
      .agentSettingRefused(setting: pick([.mode, .model]), value: "plan", reason: "no"),
      .commandGiven(command: .agentSetting(setting: pick([.mode, .model]), name: pick(["", "plan", "none"]))),
    ])
  }

  private mutating func ofTheAgent(_ kind: Int, run: RunID, instruction: InstructionID) -> VoiceEvent {
    switch kind {
    case 26: return .agentReported(run: run, event: .text(delta: pick(["Some words. ", "More", ", shall I? "])))
    case 27:
      permissions += 1
      var request = pick([ActTable.edit(["a.c"]), ActTable.run("git status"), ActTable.run("make"), Self.longAct])
      request.id = .init(rawValue: "p\(permissions)")
      return .agentReported(run: run, event: .permissionRequested(request: request))
    case 28:
      return .agentReported(run: run, event: .turnEnded(end: pick([.completed, .cancelled, .failed(reason: "died")])))
    case 33:
      permissions += 1
      let question = AgentQuestion(
        id: .init(rawValue: "q\(permissions)"), text: "Which \(permissions)?",
        options: [.init(label: "a"), .init(label: "b")])
      return .agentReported(run: run, event: .questionAsked(question: question))
    case 34:
      return .agentReported(
        run: run,
        event: pick([
          .questionWithdrawn(id: .init(rawValue: "q\(permissions)")),
          .permissionWithdrawn(id: .init(rawValue: "p\(permissions)")), .steered(instruction: instruction),
          .steeringRefused(instruction: instruction, reason: "busy"), .turnEnded(end: .unconfirmed(reason: "lost")),
          .turnEnded(end: .unconfirmed(reason: "lost", mayGoOn: true)),
        ]))
    default: preconditionFailure("\(kind) is none of these")
    }
  }
}

/// Four parts, so that they can run beside each other: 5,000 sessions in all.
@Test(arguments: 0..<4 as Range<UInt64>) func noOrderOfEventsBreaksAPromise(_ part: UInt64) {
  let sessions = 1_250 as UInt64
  var steps = 0
  var startedRuns = 0
  for seed in part * sessions..<(part + 1) * sessions {
    var session = RandomSession(seed: seed)
    session.run(steps: 120)
    steps += session.stepCount
    startedRuns += session.controller.run.isIdle ? 0 : 1
    #expect(session.rules.violations.isEmpty, "seed \(seed): \(session.rules.violations.prefix(3))")
  }
  print("\(sessions) random sessions, \(steps) steps, \(startedRuns) with a run under way at their end: no rule broken")
  // The sessions must have gone far enough to mean something.
  #expect(steps > 50_000)
  #expect(startedRuns > 25)
}
