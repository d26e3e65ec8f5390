import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

/// Whoever asks why something happened by itself, or did not happen, is told.
struct ToldReasonTests {
  /// What happens, and what is told of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let reason: String
    let settings: InteractionSettings
    let happen: @Sendable (inout Talk) throws -> Void

    var testDescription: String { reason }
  }

  private static func told(
    _ reason: String, _ settings: InteractionSettings = .init { $0.readsBack = false },
    _ happen: @escaping @Sendable (inout Talk) throws -> Void
  ) -> Case { Case(reason: reason, settings: settings, happen: happen) }

  private static func check(_ one: Case) throws {
    var talk = Talk(one.settings)
    try one.happen(&talk)
    let reasons = talk.controller.takeReasons()
    #expect(reasons.contains(one.reason), "\(reasons)")
  }

  @Test(arguments: link + sound + speech) func ofConnectionsAndSound(_ one: Case) throws { try Self.check(one) }
  @Test(arguments: instructions + drafts) func ofInstructions(_ one: Case) throws { try Self.check(one) }
  @Test(arguments: decisions + requests + work) func ofDecisionsAndWork(_ one: Case) throws { try Self.check(one) }

  private static let gone = ConnectionID(rawValue: 9)

  private static let link = [
    told("Not told: this error was told, or as many others.") { talk in
      for _ in 0..<2 { talk.give(.linkErred(connection: talk.connection, reason: "busy")) }
    },
    told("Nothing is taken back: the calls were answered, and what they proposed was the user's will.") { talk in
      talk.give(.callsWithdrawn(calls: []))
    },
    told("The call is not answered: the connection that asked is gone.") { talk in
      talk.give(.stopRequested(call: CallID(connection: gone, id: "s", tool: "stop")))
    },
    told("Ended: there is no agent to hand anything to.") { $0.give(.agentUnavailable(reason: "It is gone.")) },
    told("Ignored: this timer is not armed any more.") { $0.give(.timerFired(timer: .latePiece)) },
  ]

  private static let sound = [
    told("Ignored: there is no wake phrase.") { $0.give(.wakePhraseHeard) },
    told("Ignored: the microphone is open already.", .init { $0.phrases = .init(wake: "hey parley") }) { talk in
      talk.give(.wakePhraseHeard)
    },
    told(
      "The microphone stays closed: that was the program's own voice.", .init { $0.phrases = .init(wake: "hey parley") }
    ) {
      talk in
      try talk.work()
      talk.answer("Say hey parley.")
      try talk.command("listen off", after: 10)
      talk.give(.wakePhraseHeard)
    },
    told(
      "The microphone stays open: nothing could open it again.",
      .init {
        $0.takesCommands = false
        $0.phrases = .builtIn
      }
    ) { $0.say("stop listening") },
    told("Ignored: that device was not away.") { $0.give(.soundDeviceReturned(kind: .microphone, name: "USB")) },
    told("Ignored: that device is away already, or not used any more.") { talk in
      for _ in 0..<2 { talk.give(.soundDeviceSilent(kind: .microphone, name: "USB")) }
    },
    told("Not told anew: the device keeps dropping out, and the user is told that once.") { talk in
      for _ in 0...Limits.toldOutages + 1 {
        talk.give(.soundDeviceSilent(kind: .microphone, name: "USB"))
        talk.give(.soundDeviceReturned(kind: .microphone, name: "USB"))
      }
    },
    told("Not ended: somebody is here to type, and the microphone may come back.") { talk in
      talk.give(.soundDeviceSilent(kind: .microphone, name: "USB"))
      for milliseconds in [Limits.toldOutageMilliseconds, Limits.longOutageMilliseconds, Limits.deviceAwayMilliseconds]
      {
        talk.give(.timerFired(timer: .soundDevices), after: milliseconds)
      }
    },
  ]

  /// The agent's answer is heard, and somebody makes a sound.
  private static func interrupt(_ talk: inout Talk, _ words: String, _ hearing: Hearing? = nil) throws {
    try talk.work()
    talk.answer("The first sentence is here. The second one is a longer sentence.")
    talk.give(.voiceStarted(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: words, isFinal: true, hearing: hearing), after: 200)
  }

  private static let speech = [
    told("No interruption: that is what a listener says.") { try interrupt(&$0, "Uh-huh.") },
    told("No interruption: these are the program's own words.") { try interrupt(&$0, "the first sentence is here") },
    told("No interruption: the words are little more than a guess.") {
      try interrupt(&$0, "wait there", Hearing(sureness: [1, 1]))
    },
    told("Not told: nobody could hear what was stopped.", .init { $0.speaksAloud = false }) {
      try interrupt(&$0, "wait there")
    },
    told("Not silenced: the other detector decides that.", .init { $0.interruptedBy = .vad }) { talk in
      talk.give(.modelInterrupted(connection: talk.connection))
    },
    told("Not played: this piece was cut.") {
      $0.give(.speechAudio(speech: SpeechID(rawValue: 9), audio: SpeechAudio(samples: [1])))
    },
    told("Ignored: this piece was cut.") { $0.give(.speechEnded(speech: SpeechID(rawValue: 9))) },
    told("Ignored: this piece was cut.") { $0.give(.speechFailed(speech: SpeechID(rawValue: 9), reason: "")) },
    told("Not played: its connection is gone.") {
      $0.give(.modelAudio(connection: gone, audio: SpeechAudio(samples: [1])))
    },
    told("Cut: the model's own voice is heard for half a minute at most.") { talk in
      for count in [Limits.modelVoiceSamples, 1] {
        let audio = SpeechAudio(samples: [Int16](repeating: 1, count: count))
        talk.give(.modelAudio(connection: talk.connection, audio: audio))
      }
    },
    told("Taken for ended: the model's own voice has given no sound for 10 seconds.") { talk in
      let actions = talk.give(.modelAudio(connection: talk.connection, audio: SpeechAudio(samples: [1])))
      let stalls = actions.compactMap { if case .startTimer(let timer, _) = $0 { timer } else { nil } }
      for _ in 0..<2 {
        for stall in stalls { talk.give(.timerFired(timer: stall), after: Limits.speechStallMilliseconds) }
      }
    },
    told("Not spoken: \(Limits.waitingPieces) pieces wait already.") { talk in
      try talk.work()
      let answer = String(repeating: "This is a paragraph of its own.\n\n", count: 2 * Limits.waitingPieces)
      talk.give(.agentReported(run: talk.run, event: .text(delta: answer)))
    },
  ]

  private static let parted = "Take another look at the."
  private static let rest = "Configuration before you go on."

  private static let instructions = [
    told("Dropped: an instruction may have \(Limits.instructionCharacters) characters.") {
      $0.propose(String(repeating: "x", count: Limits.instructionCharacters + 1))
    },
    told("Dropped: \(Limits.heldItems) items wait already.") { talk in
      for number in 0..<Limits.heldItems { try talk.command("say \(number)") }
      talk.say("build it")
    },
    told("Not sent yet: nobody ends like this, so the rest is waited for.", .init { $0.mode = .direct }) {
      $0.say(parted)
    },
    told("Complete: the user went on, and came to an end.", .init { $0.mode = .direct }) { talk in
      talk.say(parted)
      talk.say(rest, after: 1_500)
    },
    told("Held: it looks unfinished, and time sends nothing.", .init { $0.mode = .direct }) { talk in
      talk.say(parted)
      talk.give(.timerFired(timer: .latePiece), after: Limits.latePieceMilliseconds)
    },
    told("Joined with what is held: the user went on with the same sentence.") { talk in
      talk.say(parted)
      talk.say(rest, after: 1_500)
    },
    told("Into the running work: the user went on with the sentence that it began with.", .init { $0.mode = .direct }) {
      talk in
      talk.say("Copy the folder.")
      talk.give(.ledgerEntered(instruction: InstructionID(rawValue: 1)))
      talk.say("To the other machine.", after: 1_500)
    },
    told("Added to what is held: the user wanted to speak on.") { talk in
      talk.say("build it")
      try talk.command("extend")
      talk.say("and test it")
    },
    told("Held: session s ended before it was confirmed, and nothing is sent again by itself.") {
      $0.give(.instructionRecovered(text: "go", origin: .init(session: "s", instruction: InstructionID(rawValue: 4))))
    },
    told("Held: \(Limits.queuedInstructions) approved instructions wait already.") { talk in
      try talk.work()
      try talk.command("mode direct")
      for number in 0...Limits.queuedInstructions { try talk.command("say \(number)") }
    },
    told(
      "Into the running work, as the user has set it.",
      .init {
        $0.mode = .direct
        $0.duringRun = .steer
      }
    ) { talk in
      try talk.work()
      try talk.command("say test it")
    },
    told(
      "The work is stopped for what comes next, as the user has set it.",
      .init {
        $0.mode = .direct
        $0.duringRun = .halt
      }
    ) {
      talk in
      try talk.work()
      try talk.command("say test it")
    },
    told("Held: run 1 was not seen to end, and may go on beside it.", .init { $0.mode = .direct }) { talk in
      try talk.work()
      talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .unconfirmed(reason: "lost", mayGoOn: true))))
      try talk.command("say test it")
    },
  ]

  private static let drafts = [
    told("Dropped: the user rejected what was said so far.", .init { $0.longThought = true }) { talk in
      talk.say("build it")
      try talk.command("reject")
    },
    told("Complete: nothing more is added to what is held.", .init { $0.longThought = true }) { talk in
      try talk.command("say build it")
      try talk.command("extend")
      try talk.command("done")
    },
    told("Complete with what is still being understood: the user pressed the key.", .init { $0.longThought = true }) {
      talk in
      talk.say("build it")
      talk.give(.voiceStarted(detector: .model))
      try talk.command("done")
    },
    told("Complete: nothing came of what was still on its way.", .init { $0.longThought = true }) { talk in
      talk.say("build it")
      talk.give(.voiceStarted(detector: .model))
      try talk.command("done")
      talk.give(.voiceEnded(detector: .model))
      talk.give(.modelTurnEnded(connection: talk.connection))
    },
  ]

  private static func ask(_ talk: inout Talk, _ request: PermissionRequest = Talk.permission) throws {
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: request)))
  }

  private static let decisions = [
    told("Not decided: what was typed was about another item.") { talk in
      try ask(&talk)
      try talk.command("say build it")
      talk.give(.commandGiven(command: .beginTyping))
      talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
      try talk.command("reject it takes an hour")
    },
    told("Not allowed: to approve is to allow once, and the agent does not offer that.") { talk in
      var request = Talk.permission
      request.choices = [.allowAlways, .rejectOnce]
      try ask(&talk, request)
      try talk.command("approve")
    },
    told("Not allowed: not all of what would happen had been shown.") { talk in
      var request = Talk.permission
      request.unseenCharacters = 1
      try ask(&talk, request)
      try talk.command("approve")
    },
    told("Answered as the user chose, by its number.") { talk in
      try ask(&talk)
      try talk.command("choose 1")
    },
    told("Declined: the user did not want to answer.") { talk in
      try talk.work()
      let question = AgentQuestion(id: QuestionID(rawValue: "q"), text: "Which?", options: [])
      talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
      try talk.command("reject")
    },
  ]

  private static let own = RunID(rawValue: -1)

  private static let requests = [
    told("Still held: the agent waits for it in another run now.") { talk in
      try ask(&talk)
      talk.give(.agentStartedRun(run: own, text: "It goes on."))
      talk.give(.agentReported(run: own, event: .permissionRequested(request: Talk.permission)))
    },
    told("Ignored: it was answered in the run before, and that answer is on its way.") { talk in
      try ask(&talk)
      try talk.command("reject")
      talk.give(.agentStartedRun(run: own, text: "It goes on."))
      talk.give(.agentReported(run: own, event: .permissionRequested(request: Talk.permission)))
    },
    told("Refused: \(Limits.heldItems) items wait already.") { talk in
      try talk.work()
      for number in 0..<Limits.heldItems { try talk.command("say \(number)") }
      talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    },
    told(
      "Refused: nobody can decide any more, and the agent is not to wait for that.", .init { $0.unattended = .refuses }
    ) {
      talk in
      try ask(&talk)
      talk.give(.commandsEnded)
    },
    told("Said: the agent soon gives up waiting.", .init { $0.answerLimitMilliseconds = 60_000 }) { talk in
      try ask(&talk)
      talk.give(.timerFired(timer: .answerWarning(item: HeldItemID(rawValue: 1))), after: 50_000)
    },
    told(
      "Denied: nobody answered before the agent gives up, and time never approves.",
      .init { $0.answerLimitMilliseconds = 60_000 }
    ) { talk in
      try ask(&talk)
      talk.give(.timerFired(timer: .answerLimit(item: HeldItemID(rawValue: 1))), after: 60_000)
    },
  ]

  private static let work = [
    told("The agent began this by itself; nobody asked for it.") {
      $0.give(.agentStartedRun(run: own, text: "Tests."))
    },
    told("Ignored: the agent works on something else that it began by itself.") { talk in
      talk.give(.agentStartedRun(run: own, text: "Tests."))
      talk.give(.agentStartedRun(run: RunID(rawValue: -2), text: "More tests."))
    },
    told("Ended: nobody is there to wait for what the agent has left in the background.") { talk in
      talk.give(.agentOwes(work: ["make"]))
      talk.give(.commandsEnded)
      talk.give(.microphoneEnded)
      talk.give(.timerFired(timer: .background), after: Limits.backgroundMilliseconds)
    },
    told("Said next: the agent waits for the answer, and much else waits to be said.") { talk in
      try talk.work()
      for _ in 0..<20 {
        talk.give(
          .agentReported(run: talk.run, event: .text(delta: "This is a sentence of a long answer to be said. ")))
        talk.give(.agentReported(run: talk.run, event: .paragraphEnded))
      }
      talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    },
    told("The reason goes into the running work: this agent takes none together with a denial.") { talk in
      try ask(&talk)
      try talk.command("reject it takes an hour")
    },
  ]
}
