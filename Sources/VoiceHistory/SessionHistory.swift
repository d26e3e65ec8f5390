import VoiceLanguage
package import VoiceRecording
package import VoiceVocabulary

/// What a session was, read once from its log: turns with the time of each stage, what was spoken, the connections, and
/// a timeline for people. The one place that knows how steps make a turn.
///
/// A value that grows line by line, so that a running session can be followed. It judges only what the log says and
/// never decides again: the log of a damaged session gives what can be told.
package struct SessionHistory: Sendable {
  package internal(set) var settings: InteractionSettings?
  package internal(set) var turns: [Turn] = []
  package internal(set) var entries: [TimelineEntry] = []
  package internal(set) var utterances: [Utterance] = []
  package internal(set) var connections: [Connection] = []
  package internal(set) var pieces: [SpokenPiece] = []
  package internal(set) var agent: AgentDescription?
  package internal(set) var outcome: SessionOutcome?
  /// The newest time in the log.
  package internal(set) var duration = SessionTime.zero
  /// Where the pieces of each turn stand, and each piece by its number: the newest, where a log has two of one.
  private(set) var piecesOfTurn: [Int: [Int]] = [:]
  private(set) var placeOfPiece: [SpeechID: Int] = [:]
  /// How many frames the microphone gave.
  package internal(set) var frameCount = 0
  /// Tokens of the live model: in, out; the newest sum of each connection.
  package internal(set) var modelTokens: [ConnectionID: (input: Int, output: Int)] = [:]

  /// One stretch of the user's voice, as a detector heard it.
  package struct Utterance: Equatable, Sendable {
    package var detector: VoiceDetector
    package var started: Moment
    package var ended: Moment?
    package var turn: Int?
  }

  /// One connection to the live model.
  package struct Connection: Equatable, Sendable {
    package var id: ConnectionID
    package var opened: Moment
    package var ready: Moment?
    package var closed: Moment?
    /// Why it closed, in words; nil if it was closed on purpose.
    package var reason: String?
  }

  /// One piece of speech that was asked for.
  package struct SpokenPiece: Equatable, Sendable {
    /// What is said with it.
    package enum Purpose: String, Sendable { case readBack, answer, report, model }

    package var id: SpeechID
    package var text: String
    package var purpose: Purpose
    package var turn: Int?
    package var requested: Moment
    package var started: Moment?
    package var ended: Moment?
    /// How much of it had played when it was cut, in milliseconds.
    package var cutAfterMilliseconds: Int?
  }

  // What is under way.

  var timeline = Timeline()
  /// When the user began to speak what no turn stands for yet.
  var pending: (started: Moment, ended: Moment?)?
  /// When a detector told last that the user pauses: long after the pause began, where the machine slept meanwhile.
  var pauseNoticed: Moment?
  /// Since when it has been quiet at the microphone, told as a pause; nil while somebody is heard.
  var quietSince: Moment?
  /// The turn whose words are still coming in.
  var openTurn: Int?
  /// The turn that runs or ran last.
  var lastDispatched: Int?
  var turnOfInstruction: [InstructionID: Int] = [:]
  var turnOfRun: [RunID: Int] = [:]
  /// Instructions waiting for a decision, oldest first: their numbers and text, as far as known.
  var held: [(item: HeldItemID, id: InstructionID, text: String)] = []
  /// The turn of each held instruction.
  var heldTurns: [HeldItemID: Int] = [:]
  /// The turn of each request of the agent that waited for an answer.
  var requestTurns: [HeldItemID: Int] = [:]

  /// How many turns there are, as a clause: "the session has 3 turns".
  package var turnsText: String { "the session has \(Counted(turns.count, "turn").spoken)" }

  package init() {}

  /// Add a piece of speech, so that it is found by its name and by its turn.
  mutating func add(_ piece: SpokenPiece) {
    placeOfPiece[piece.id] = pieces.count
    if let turn = piece.turn { piecesOfTurn[turn, default: []].append(pieces.count) }
    pieces.append(piece)
  }

  /// The pieces of speech that belong to a turn, in the order in which they were asked for.
  func pieces(of turn: Int) -> [SpokenPiece] { (piecesOfTurn[turn] ?? []).map { pieces[$0] } }

  /// The history of a whole log.
  package init(_ lines: [LogLine]) {
    for line in lines { append(line) }
    finish()
  }

  /// Take the next line of the log. Returns the timeline's new entries.
  @discardableResult
  package mutating func append(_ line: LogLine) -> ArraySlice<TimelineEntry> {
    let step = line.step
    let moment = Moment(time: step.time, step: step.sequence)
    var last = step.time
    if case .microphoneFrame = step.event {
      frameCount += line.repeated
      last = step.time.advanced(byMilliseconds: (line.repeated - 1) * PCM.frameMilliseconds)
    }
    duration = max(duration, last)
    let turn = follow(step, moment)
    return note(timeline.texts(line), moment, turn)
  }

  /// The log is over: what was still being gathered is told.
  @discardableResult
  package mutating func finish() -> ArraySlice<TimelineEntry> {
    note(timeline.rest(), Moment(time: duration, step: entries.last?.moment.step ?? 0), entries.last?.turn)
  }

  private mutating func note(_ texts: [NoticeText], _ moment: Moment, _ turn: Int?) -> ArraySlice<TimelineEntry> {
    let count = entries.count
    entries += texts.map { TimelineEntry(moment: moment, turn: turn, text: $0) }
    return entries[count...]
  }
}
