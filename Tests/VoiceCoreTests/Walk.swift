import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// A session that is brought somewhere step by step, with its promises watched.
struct Walk {
  var controller = InteractionController()
  var rules = SessionRules()
  private var time = SessionTime.zero
  private var calls = 0
  private var requests = 0
  private var position = 0
  init(_ settings: InteractionSettings = .init { $0.spokenDecisions = .all }) {
    give(.sessionStarted(settings: settings))
  }

  var isOver: Bool { controller.outcome != nil }
  var connection: ConnectionID { controller.link.currentConnection ?? ConnectionID(rawValue: 1) }
  var run: RunID {
    switch controller.run.state {
    case .running(let run), .cancelling(let run), .entering(let run), .withdrawing(let run): run.id
    case .none: RunID(rawValue: 99)
    }
  }
  var instruction: InstructionID {
    switch controller.run.state {
    case .entering(let run), .withdrawing(let run): return run.instruction.id
    case .none, .running, .cancelling: break
    }
    if case .entering(let instruction, _) = controller.run.steering { return instruction.id }
    return InstructionID(rawValue: 99)
  }
  var speech: SpeechID {
    controller.speech.requested?.id ?? controller.speech.playing.first?.id ?? SpeechID(rawValue: 99)
  }

  mutating func give(_ event: VoiceEvent) {
    guard !isOver else { return }
    time = time.advanced(byMilliseconds: 900)
    rules.check(event, controller.handle(event, at: time), at: time)
  }

  mutating func command(_ command: UserCommand) { give(.commandGiven(command: command)) }

  mutating func propose(_ text: String) {
    calls += 1
    give(.instructionProposed(call: CallID(connection: connection, id: "c\(calls)", tool: "converse"), text: text))
  }

  mutating func hear(_ text: String) { give(.userTranscribed(connection: connection, text: text, isFinal: true)) }

  mutating func report(_ event: AgentEvent) { give(.agentReported(run: run, event: event)) }

  mutating func ask() {
    requests += 1
    report(
      .permissionRequested(
        request: .init(
          id: .init(rawValue: "p\(requests)"), title: "Edit \(requests)", detail: "",
          choices: [.allowOnce, .rejectOnce])))
  }

  mutating func wonder() {
    requests += 1
    report(
      .questionAsked(
        question: .init(id: .init(rawValue: "q\(requests)"), text: "Which?", options: [.init(label: "red")])))
  }

  mutating func frame() {
    position += PCM.frameSamples
    give(.microphoneFrame(frame: MicrophoneFrame(position: position, samples: [7])))
  }

  mutating func work() {
    command(.mode(mode: .direct))
    command(.say(text: "build it"))
    give(.ledgerEntered(instruction: instruction))
    command(.mode(mode: .review))
  }

  mutating func talk() {
    report(.text(delta: "This is a sentence. Is that another one? "))
    give(.speechAudio(speech: speech, audio: SpeechAudio(samples: [1, 2, 3])))
    give(.playbackStarted(speech: speech))
  }
}

/// Every state of every region, by the way that leads there.
let walkedStates: [(name: String, make: @Sendable () -> Walk)] = [
  ("opening", { Walk() }),
  ("open", { .open() }),
  ("expiring", { .open { $0.give(.linkExpiring(connection: $0.connection, milliseconds: 50_000)) } }),
  (
    "waiting",
    { .open { $0.give(.linkClosed(connection: $0.connection, failure: .init(remedy: .resume, reason: "x"))) } }
  ),
  ("user speaking", { .open { $0.give(.voiceStarted(detector: .model)) } }),
  ("transcribed", { .open { $0.hear("approve") } }),
  ("microphone closed", { .open { $0.command(.listen(isOn: false)) } }),
  ("half duplex", { .open { $0.give(.duplexChanged(duplex: .half)) } }),
  ("screen lent", { .open { $0.give(.screenLent) } }),
  (
    "editing",
    {
      .open {
        $0.propose("run the tests"); $0.command(.beginEdit)
      }
    }
  ),
  (
    "asked whether to quit",
    {
      .open {
        $0.propose("run the tests"); $0.command(.leave)
      }
    }
  ),
  ("microphone ended", { .open { $0.give(.microphoneEnded) } }),
  ("microphone failed", { .open { $0.give(.microphoneFailed(reason: "gone")) } }),
  ("nobody commands", { .open { $0.give(.commandsEnded) } }),
  ("held", { .open { $0.propose("run the tests") } }),
  (
    "two held",
    {
      .open {
        $0.propose("run the tests"); $0.propose("show the diff")
      }
    }
  ),
  (
    "second selected",
    {
      .open {
        $0.propose("run the tests"); $0.propose("show the diff"); $0.command(.next)
      }
    }
  ),
  (
    "extending",
    {
      .open {
        $0.propose("run the tests"); $0.command(.extend)
      }
    }
  ),
  ("held dangerous", { .open { $0.propose("delete the branch") } }),
  (
    "entering",
    {
      .open {
        $0.propose("run the tests"); $0.command(.approve)
      }
    }
  ),
  ("running", { .open { $0.work() } }),
  (
    "running with a queue",
    {
      .open {
        $0.work(); $0.propose("then push"); $0.command(.approve)
      }
    }
  ),
  (
    "permission held",
    {
      .open {
        $0.work(); $0.ask()
      }
    }
  ),
  (
    "permission with a limit",
    {
      .open(.init { $0.answerLimitMilliseconds = 60_000 }) {
        $0.work(); $0.ask()
      }
    }
  ),
  (
    "permission behind an instruction",
    {
      .open {
        $0.work(); $0.propose("then push"); $0.ask()
      }
    }
  ),
  (
    "question held",
    {
      .open {
        $0.work(); $0.wonder()
      }
    }
  ),
  (
    "cancelling",
    {
      .open {
        $0.work(); $0.command(.halt)
      }
    }
  ),
  (
    "escalated",
    {
      .open {
        $0.work(); $0.command(.halt); $0.command(.halt)
      }
    }
  ),
  ("steering enters", { .steering() }),
  ("steering sent", { .steering { $0.give(.ledgerEntered(instruction: $0.instruction)) } }),
  (
    "speech requested",
    {
      .open {
        $0.work(); $0.report(.text(delta: "This is a sentence. "))
      }
    }
  ),
  (
    "speech playing",
    {
      .open {
        $0.work(); $0.talk()
      }
    }
  ),
  (
    "suspected",
    {
      .open {
        $0.work(); $0.talk(); $0.give(.voiceStarted(detector: .model))
      }
    }
  ),
  (
    "doubted",
    {
      .open {
        $0.work(); $0.talk(); $0.give(.voiceStarted(detector: .model)); $0.give(.voicePaused(detector: .model))
      }
    }
  ),
  (
    "dismissed",
    {
      .open {
        $0.work()
        $0.talk()
        $0.give(.voiceStarted(detector: .model))
        $0.give(.voicePaused(detector: .model))
        $0.give(.timerFired(timer: .interruption))
      }
    }
  ),
  (
    "muted run",
    {
      .open {
        $0.work(); $0.talk(); $0.command(.quiet)
      }
    }
  ),
  ("model speaking", { .open { $0.give(.modelAudio(connection: $0.connection, audio: SpeechAudio(samples: [1]))) } }),
  (
    "model ignored",
    {
      .open {
        $0.propose("a"); $0.give(.modelAudio(connection: $0.connection, audio: SpeechAudio(samples: [1])))
      }
    }
  ),
  (
    "without a speaker",
    {
      .open {
        $0.work(); $0.talk(); $0.give(.speakerFailed(reason: "gone"))
      }
    }
  ),
  ("sound server away", { .open { $0.loseDevices() } }),
  ("direct", { .open(.init { $0.mode = .direct }) { _ in } }),
  (
    "client detection",
    {
      .open(
        .init {
          $0.turnDetection = .client
          $0.interruptedBy = .vad
        }
      ) { $0.give(.voiceStarted(detector: .vad)) }
    }
  ),
]

extension Walk {
  static func open(
    _ settings: InteractionSettings = .init { $0.spokenDecisions = .all },
    _ body: (inout Walk) -> Void = { _ in }
  ) -> Walk {
    var walk = Walk(settings)
    walk.give(.linkReady(connection: walk.connection, resumed: false))
    walk.give(.agentReady(agent: .init(name: "agent", capabilities: [.ask, .cancel, .steer])))
    walk.frame()
    body(&walk)
    return walk
  }

  static func steering(_ body: (inout Walk) -> Void = { _ in }) -> Walk {
    .open {
      $0.work()
      $0.propose("and push")
      $0.command(.steer)
      body(&$0)
    }
  }

  private static let everyReport: [AgentEvent] = {
    let request = PermissionRequest(id: .init(rawValue: "pn"), title: "New", detail: "", choices: [.allowOnce])
    let question = AgentQuestion(id: .init(rawValue: "qn"), text: "New?")
    return [
      .turnStarted, .sessionReady(session: .init(rawValue: "s")), .text(delta: "Are there more? "), .paragraphEnded,
      .thought(delta: "hm"), .toolStarted(tool: .init(id: "t", title: "Read", kind: "read")),
      .toolUpdated(id: "t", title: "Read on"),
      .toolResult(id: "t", result: AgentToolResult(title: "Run", kind: "execute", detail: "ls", output: "a")),
      .toolFinished(id: "t", outcome: .completed), .plan(entries: []),
      .permissionRequested(request: request), .permissionWithdrawn(id: .init(rawValue: "p1")),
      .questionAsked(question: question), .questionWithdrawn(id: .init(rawValue: "q1")),
      .steered(instruction: InstructionID(rawValue: 3)), .usage(usage: .init()), .status(text: "waits"),
      .steeringRefused(instruction: InstructionID(rawValue: 3), reason: "busy"), .turnEnded(end: .completed),
      .turnEnded(end: .cancelled), .turnEnded(end: .stopped(reason: "full")), .turnEnded(end: .failed(reason: "died")),
      .turnEnded(end: .unconfirmed(reason: "lost")), .turnEnded(end: .unconfirmed(reason: "lost", mayGoOn: true)),
    ]
  }()

  /// Everything that can happen, each kind at least once; as it would come to this session, and as something late.
  var everyEvent: [VoiceEvent] {
    let late = ConnectionID(rawValue: 77)
    let audio = SpeechAudio(samples: [1, 2])
    func call(_ tool: String, on connection: ConnectionID) -> CallID {
      .init(connection: connection, id: "n", tool: tool)
    }
    var events: [VoiceEvent] = [
      .commandsEnded, .screenLent, .screenReturned, .terminationRequested(signal: "SIGTERM"), .wakePhraseHeard,
      .microphoneFrame(frame: MicrophoneFrame(position: controller.input.lastPosition + 1, samples: [])),
      .microphoneFailed(reason: "gone"), .microphoneClips(name: "default"), .beginningLost,
      .soundDeviceSilent(kind: .microphone, name: "default"), .soundDeviceSilent(kind: .speaker, name: "default"),
      .soundDeviceReturned(kind: .microphone, name: "default"), .soundDeviceReturned(kind: .speaker, name: "default"),
      .muteChanged(name: "default", isMuted: true), .linkErred(connection: connection, reason: "Too many."),
      .soundDeviceReplaced(kind: .speaker, name: "b", formerName: "a"), .otherSessionFound(name: "s", since: "14:05"),
      .microphoneEnded, .speakerFailed(reason: "gone"), .agentUnavailable(reason: "gone"), .agentClosed(reason: "idle"),
      .agentReady(agent: .init(name: "agent")), .ledgerEntered(instruction: instruction),
      .ledgerFailed(instruction: instruction, reason: "full"), .ledgerEntered(instruction: InstructionID(rawValue: 77)),
      .duplexChanged(duplex: .unknown), .duplexChanged(duplex: .half), .duplexChanged(duplex: .full),
      .duplexChanged(duplex: .noEcho), .duplexChanged(duplex: .drowned), .recordingFailed(reason: "full"),
      .callsWithdrawn(calls: [call("converse", on: connection)]),
    ]
    for detector in [VoiceDetector.vad, .model] {
      events += [.voiceStarted(detector: detector), .voicePaused(detector: detector), .voiceEnded(detector: detector)]
    }
    for connection in [connection, late] {
      events += [
        .linkReady(connection: connection, resumed: true), .linkExpiring(connection: connection, milliseconds: 50_000),
        .resumptionChanged(connection: connection, isPossible: true), .modelInterrupted(connection: connection),
        .modelAudio(connection: connection, audio: audio), .modelAudioEnded(connection: connection),
        .modelTranscribed(connection: connection, text: "hello"), .modelTurnEnded(connection: connection),
        .modelUsage(connection: connection, inputTokens: 1, outputTokens: 1),
        .stopRequested(call: call("stop", on: connection)), .callRejected(call: call("x", on: connection), reason: "?"),
      ]
      for remedy in [LinkFailure.Remedy.none, .resume, .newSession, .giveUp] {
        events.append(.linkClosed(connection: connection, failure: .init(remedy: remedy, reason: "cut")))
      }
      for text in ["approve", "no", "yes, but wait", "add a test", "again", "uh-huh", "run it", ""] {
        events.append(.userTranscribed(connection: connection, text: text, isFinal: true))
        events.append(.instructionProposed(call: call("converse", on: connection), text: text))
      }
    }
    for speech in [speech, SpeechID(rawValue: 77)] {
      events += [
        .speechAudio(speech: speech, audio: audio), .speechEnded(speech: speech),
        .speechFailed(speech: speech, reason: "no"), .playbackStarted(speech: speech), .playbackEnded(speech: speech),
        .playbackCleared(speech: speech, heardMilliseconds: 10),
      ]
    }
    for run in [run, RunID(rawValue: 77)] { events += Self.everyReport.map { .agentReported(run: run, event: $0) } }
    events += [
      .agentControlsTold(controls: AgentControls(mode: .init(current: "ask", offered: ["ask", "plan"]))),
      .agentSettingRefused(setting: .mode, value: "plan", reason: "no"), .agentSessionRefused(reason: "no"),
      .agentSessionsListed(sessions: []), .soundLevelChanged(level: .sound),
    ]
    events += (UserCommand.every + [.amend(text: " "), .say(text: "")]).map { .commandGiven(command: $0) }
    events += controller.armedTimers.map { .timerFired(timer: $0) }
    return events
  }
}
