import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// Each rule sees the step that breaks it, and nothing in the same steps without that.
struct SessionRulesTests {
  struct Breach: Sendable, CustomTestStringConvertible {
    let words: String
    var settings = InteractionSettings { $0.mode = .direct }
    /// What may be done.
    let lawful: [Step]
    /// What may not, after that.
    let unlawful: Step

    var testDescription: String { words }
  }

  struct Step: Sendable {
    let event: VoiceEvent
    let actions: [VoiceAction]

    init(_ event: VoiceEvent, _ actions: VoiceAction...) {
      self.event = event
      self.actions = actions
    }
  }

  private static let first = ConnectionID(rawValue: 1)
  private static let second = ConnectionID(rawValue: 2)
  private static let call = CallID(connection: first, id: "c", tool: "converse")
  private static let speech = SpeechID(rawValue: 1)
  private static let sound = SpeechAudio(samples: [1])
  private static let instruction = Instruction(id: .init(rawValue: 1), text: "run it", heard: nil, source: .keyboard)
  private static let other = Instruction(id: .init(rawValue: 2), text: "push it", heard: nil, source: .keyboard)

  private static let own = Instruction(id: .init(rawValue: 1), text: "go on", heard: nil, source: .agent)

  private static func run(_ number: Int) -> RunID { RunID(rawValue: number) }

  private static func frame(_ position: Int, _ sample: Int16 = 9_000) -> MicrophoneFrame {
    MicrophoneFrame(position: position, samples: [Int16](repeating: sample, count: PCM.frameSamples))
  }

  private static let opening = [
    Step(.commandsEnded, .openLink(connection: first, resuming: false)),
    Step(.linkReady(connection: first, resumed: false)),
  ]

  private static func entered(_ instructions: Instruction...) -> [Step] {
    instructions.flatMap {
      [
        Step(.commandGiven(command: .say(text: $0.text)), .enterInLedger(run: run(1), instruction: $0)),
        Step(.ledgerEntered(instruction: $0.id)),
      ]
    }
  }

  private static let breaches = [
    Breach(
      words: "a closed microphone sends frame 0",
      settings: .init {
        $0.mode = .direct
        $0.startsListening = false
      },
      lawful: opening, unlawful: Step(.microphoneFrame(frame: frame(0)), .sendAudio(connection: first, frame: frame(0)))
    ),
    Breach(
      words: "a closed microphone sends what it hears at 320",
      lawful: opening + [
        Step(.commandGiven(command: .listen(isOn: false)), .show(notice: .listeningChanged(isOn: false))),
        Step(.microphoneFrame(frame: frame(0)), .sendAudio(connection: first, frame: frame(0, 0))),
      ],
      unlawful: Step(.microphoneFrame(frame: frame(320)), .sendAudio(connection: first, frame: frame(320)))),
    Breach(
      words: "an utterance begins at a closed microphone",
      settings: .init {
        $0.mode = .direct
        $0.startsListening = false
      },
      lawful: opening, unlawful: Step(.voiceStarted(detector: .vad), .sendActivityStart(connection: first))),
    Breach(
      words: "a closed microphone is shown as listening",
      settings: .init {
        $0.mode = .direct
        $0.startsListening = false
      },
      lawful: opening, unlawful: Step(.commandsEnded, .show(notice: .listening(resumed: false)))),
    Breach(
      words: "sound on connection 2, which is not open", lawful: opening,
      unlawful: Step(.microphoneFrame(frame: frame(0)), .sendAudio(connection: second, frame: frame(0)))),
    Breach(
      words: "sound went backwards on connection 1",
      lawful: opening + [
        Step(.microphoneFrame(frame: frame(320)), .sendAudio(connection: first, frame: frame(320)))
      ],
      unlawful: Step(.microphoneFrame(frame: frame(320)), .sendAudio(connection: first, frame: frame(320)))),
    Breach(
      words: "connection 2 opens beside connection 1", lawful: opening,
      unlawful: Step(.commandsEnded, .openLink(connection: second, resuming: false))),
    Breach(
      words: "call c was answered twice",
      lawful: opening + [
        Step(.instructionProposed(call: call, text: "x"), .answerCall(call: call, answer: "held"))
      ],
      unlawful: Step(.commandsEnded, .answerCall(call: call, answer: "held"))),
    Breach(
      words: "call c was answered on a closed connection",
      lawful: opening + [
        Step(.linkClosed(connection: first, failure: .init(remedy: .resume, reason: "cut")))
      ],
      unlawful: Step(.commandsEnded, .answerCall(call: call, answer: "held"))),
    Breach(
      words: "starts before it is in the ledger", lawful: opening,
      unlawful: Step(.commandsEnded, .startRun(run: run(1), instruction: instruction))),
    Breach(
      words: "run 2 starts while 1 runs",
      lawful: entered(instruction, other) + [
        Step(.commandsEnded, .startRun(run: run(1), instruction: instruction))
      ],
      unlawful: Step(.commandsEnded, .startRun(run: run(2), instruction: other))),
    Breach(
      words: "is sent twice",
      lawful: entered(instruction) + [
        Step(.commandsEnded, .startRun(run: run(1), instruction: instruction)),
        Step(.agentReported(run: run(1), event: .turnEnded(end: .completed))),
      ],
      unlawful: Step(.commandsEnded, .startRun(run: run(2), instruction: instruction))),
    Breach(
      words: "run 1 was begun by the agent, and is handed to it", lawful: entered(own),
      unlawful: Step(.commandsEnded, .startRun(run: run(1), instruction: own))),
    Breach(
      words: "run 1 is steered and does not run", lawful: entered(instruction),
      unlawful: Step(.commandsEnded, .steerRun(run: run(1), instruction: instruction))),
    Breach(
      words: "goes out in review mode without an approval", settings: .init { $0.mode = .review }, lawful: opening,
      unlawful: Step(.commandsEnded, .enterInLedger(run: run(1), instruction: instruction))),
    Breach(
      words: "time sent an instruction",
      lawful: [Step(.commandsEnded, .startTimer(timer: .reconnect, milliseconds: 1))],
      unlawful: Step(.timerFired(timer: .reconnect), .enterInLedger(run: run(1), instruction: instruction))),
    Breach(
      words: "a barge-in cancelled a run", lawful: opening,
      unlawful: Step(.modelInterrupted(connection: first), .cancelRun(run: run(1)))),
    Breach(
      words: "plays after it was cleared",
      lawful: [Step(.commandsEnded, .play(speech: speech, audio: sound)), Step(.commandsEnded, .clearPlayback)],
      unlawful: Step(.commandsEnded, .play(speech: speech, audio: sound))),
    Breach(
      words: "was cancelled but not armed",
      lawful: [
        Step(.commandsEnded, .startTimer(timer: .reconnect, milliseconds: 1), .cancelTimer(timer: .reconnect))
      ],
      unlawful: Step(.commandsEnded, .cancelTimer(timer: .reconnect))),
    Breach(
      words: "an action after the end", lawful: [Step(.commandsEnded, .end(outcome: .completed))],
      unlawful: Step(.commandsEnded, .clearPlayback)),
  ]

  @Test(arguments: breaches) func aRuleSeesTheStepThatBreaksIt(_ breach: Breach) {
    var rules = SessionRules()
    rules.check(.sessionStarted(settings: breach.settings), [], at: .zero)
    for step in breach.lawful { rules.check(step.event, step.actions, at: .zero) }
    #expect(rules.violations.isEmpty)
    rules.check(breach.unlawful.event, breach.unlawful.actions, at: .zero)
    #expect(rules.violations.contains { $0.contains(breach.words) }, "\(rules.violations)")
  }

  /// The rules know of each item by its place in the queue.
  @Test func theItemBehindWhichNoneIsHeldMayBeDecidedFirst() throws {
    var (controller, rules, time) = (InteractionController(), SessionRules(), SessionTime.zero)
    func give(_ event: VoiceEvent) {
      time = time.advanced(byMilliseconds: 2_000)
      rules.check(event, controller.handle(event, at: time), at: time)
    }
    give(.sessionStarted(settings: InteractionSettings()))
    for text in ["build it", "run it", "push it"] { give(.commandGiven(command: .say(text: text))) }
    for line in ["next", "next", "reject", "approve"] {
      give(.commandGiven(command: try #require(UserCommand(line: line))))
    }
    #expect(controller.held.map(\.content.title) == ["build it"])
    #expect(rules.violations.isEmpty)
  }
}
