import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// A session with its promises watched, and a clock that is moved by hand.
struct Talk {
  var controller = InteractionController()
  var rules = SessionRules()
  private(set) var time = SessionTime.zero
  private var calls = 0
  let connection = ConnectionID(rawValue: 1)
  let run = RunID(rawValue: 1)

  init(_ settings: InteractionSettings = .init()) {
    give(.sessionStarted(settings: settings))
    give(.linkReady(connection: connection, resumed: false))
    give(.agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .cancel, .steer])))
  }

  @discardableResult mutating func give(_ event: VoiceEvent, after milliseconds: Int = 10) -> [VoiceAction] {
    time = time.advanced(byMilliseconds: milliseconds)
    let actions = controller.handle(event, at: time)
    rules.check(event, actions, at: time)
    return actions
  }

  /// The user decides at leisure, unless it is told how soon.
  @discardableResult mutating func command(_ line: String, after milliseconds: Int = 1_000) throws -> [VoiceAction] {
    give(.commandGiven(command: try #require(UserCommand(line: line))), after: milliseconds)
  }

  @discardableResult mutating func propose(_ text: String) -> [VoiceAction] {
    calls += 1
    return give(
      .instructionProposed(call: CallID(connection: connection, id: "c\(calls)", tool: "converse"), text: text))
  }

  /// The user says something into silence, and the live model makes it an instruction word for word.
  @discardableResult mutating func say(_ text: String, after milliseconds: Int = 12_000) -> [VoiceAction] {
    give(.voiceStarted(detector: .model), after: milliseconds)
    give(.soundLevelChanged(level: .sound), after: 0)
    give(.soundLevelChanged(level: .silence), after: 500)
    give(.voiceEnded(detector: .model), after: 300)
    give(.userTranscribed(connection: connection, text: text, isFinal: true), after: 300)
    return propose(text)
  }

  /// A server claims that the user said something, of which the microphone has heard nothing.
  @discardableResult mutating func claim(_ text: String, after milliseconds: Int = 12_000) -> [VoiceAction] {
    give(.voiceStarted(detector: .model), after: milliseconds)
    give(.voiceEnded(detector: .model), after: 800)
    give(.userTranscribed(connection: connection, text: text, isFinal: true), after: 300)
    return propose(text)
  }

  /// Let the agent work on something, started from the keyboard.
  mutating func work() throws {
    let mode = controller.settings.mode.rawValue
    try command("mode direct")
    let actions = try command("say build it")
    let id = try #require(actions.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    give(.ledgerEntered(instruction: id))
    try command("mode \(mode)")
  }

  /// Let the agent's answer be heard: one sentence of 2 s after the other.
  mutating func answer(_ text: String) {
    give(.agentReported(run: run, event: .text(delta: text + " ")))
    give(.agentReported(run: run, event: .paragraphEnded))
    playNext()
  }

  mutating func playNext() {
    guard let piece = controller.speech.requested else { return }
    give(.speechAudio(speech: piece.id, audio: SpeechAudio(samples: [Int16](repeating: 1, count: 48_000))))
    give(.speechEnded(speech: piece.id))
    give(.playbackStarted(speech: piece.id))
  }

  static let permission = PermissionRequest(
    id: .init(rawValue: "p"), title: "Run make", detail: "", subject: .init(kind: "execute", command: "make"),
    choices: [.allowOnce, .rejectOnce])

  var heldTexts: [String] { controller.held.map(\.content.title) }
}

extension [VoiceAction] {
  var refusal: String? {
    compactMap { if case .show(.cannot(let text)) = $0 { text } else { nil } }.first
  }
  var isApproval: Bool {
    contains { action in
      switch action {
      case .show(.approved), .answerPermission(_, _, .allowOnce, _): true
      default: false
      }
    }
  }
}
