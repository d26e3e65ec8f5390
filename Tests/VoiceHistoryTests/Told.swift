import VoiceCore
import VoiceHistory
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session that is decided as the real one is, and told as its log would be.
struct Told {
  private var controller = InteractionController()
  private(set) var history = SessionHistory()
  private(set) var lines: [LogLine] = []
  private var sequence = 0
  private var time = SessionTime.zero
  private var calls = 0
  /// Whether what is to be spoken waits for `speakNext`.
  var isSilent = false
  private let connection = ConnectionID(rawValue: 1)

  init(_ settings: InteractionSettings = InteractionSettings()) {
    give(.sessionStarted(settings: settings))
    give(.linkReady(connection: connection, resumed: false))
    give(.agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .cancel])))
  }

  /// Something happens, and what the ledger and the readout answer to it.
  mutating func give(_ event: VoiceEvent, after milliseconds: Int = 1_000) {
    time = time.advanced(byMilliseconds: milliseconds)
    let actions = controller.handle(event, at: time)
    let line = LogLine(
      step: VoiceStep(
        sequence: sequence, time: time, event: event, actions: actions, reasons: controller.takeReasons()))
    lines.append(line)
    history.append(line)
    sequence += 1
    for action in actions {
      switch action {
      case .enterInLedger(_, let instruction): give(.ledgerEntered(instruction: instruction.id), after: 1)
      case .speak(let speech, _, _): if !isSilent { speak(speech) }
      default: break
      }
    }
  }

  private mutating func speak(_ speech: SpeechID) {
    give(.speechAudio(speech: speech, audio: SpeechAudio(samples: [0, 0])), after: 1)
    give(.speechEnded(speech: speech), after: 1)
    give(.playbackStarted(speech: speech), after: 1)
    give(.playbackEnded(speech: speech), after: 1)
  }

  /// What was asked for is spoken.
  mutating func speakNext() {
    if let piece = controller.speech.requested { speak(piece.id) }
  }

  /// The user gives a command.
  mutating func command(_ command: UserCommand) { give(.commandGiven(command: command)) }

  /// The agent reports something of a run.
  mutating func report(_ event: AgentEvent, of run: Int = 1) {
    give(.agentReported(run: RunID(rawValue: run), event: event))
  }

  /// Somebody is heard for so long.
  mutating func voice(_ milliseconds: Int, after: Int = 1_000) {
    give(.voiceStarted(detector: .model), after: after)
    give(.voiceEnded(detector: .model), after: milliseconds)
  }

  /// The live model heard this and makes an instruction of it.
  mutating func proposed(_ text: String) {
    give(.userTranscribed(connection: connection, text: text, isFinal: true), after: 200)
    calls += 1
    give(
      .instructionProposed(call: CallID(connection: connection, id: "c\(calls)", tool: "converse"), text: text),
      after: 50)
    give(.modelTurnEnded(connection: connection), after: 50)
  }

  /// Why a turn went as it did, a sentence each.
  func why(_ turn: Int) -> [String] {
    Explanation(history.turns[turn - 1], in: history).sentences.map(\.text)
  }

  /// The session as a folder, read again.
  func session(in home: TemporaryFolder, started: String = "2026-11-21T10:00:00Z") throws -> RecordedSession {
    let folder = try SessionFolder(creating: home.path + "/session")
    try SessionManifest(program: "parley 0.1.0", started: started, plan: []).write(to: folder.manifest)
    let codec = LogCodec()
    let log = lines.reduce(into: codec.encode(LogHeader.current)) { $0 += codec.encode($1) }
    try Data(log).write(to: URL(filePath: folder.log))
    return try RecordedSession(folder.path)
  }
}
