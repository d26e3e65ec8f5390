/// What the controller needs to know of the plan. Part of the log, so that a session replays under its own settings.
package struct InteractionSettings: Equatable, Sendable, Codable {
  /// Who says when the user has ended.
  package enum TurnDetection: String, Sendable, Codable, CaseIterable {
    /// The detector at the microphone opens and closes each utterance.
    case client
    /// Sound is sent all the time, and the live model's server decides.
    case server
  }

  /// Which held items may be decided by voice.
  package enum SpokenDecisions: String, Sendable, Codable, CaseIterable {
    case none
    case instructions
    /// Instructions, and what the agent asks.
    case all
  }

  /// What shows that somebody was heard, before an utterance may decide anything.
  package enum SoundMarks: String, Sendable, Codable, CaseIterable {
    /// Any detector, the server's as well: recordings of sessions that were made before the microphone told of sound.
    case anyDetector
    /// The microphone and the detector at it. What a server claims to have heard proves nothing about what was said.
    case microphone
  }

  /// What becomes of a new instruction while the agent works.
  package enum DuringRun: String, Sendable, Codable, CaseIterable {
    /// It waits for the end of the run.
    case queue
    /// It goes into the run, where the agent can take it; it waits otherwise.
    case steer
    /// The run is stopped, and the instruction sent once that is confirmed.
    case halt
  }

  /// What becomes of what the agent asks once nobody can decide any more.
  package enum Unattended: String, Sendable, Codable, CaseIterable {
    /// It waits, and the session ends with it.
    case ends
    /// It is refused, and the agent works on.
    case refuses
  }

  package var mode: InteractionMode = .review
  package var turnDetection: TurnDetection = .server
  /// Which detector may interrupt a reply. With a loudspeaker only the local VAD knows the program's own voice.
  package var interruptedBy: VoiceDetector = .model
  /// Whether a held instruction is read aloud.
  package var readsBack = true
  /// Whether the listener's own voice is played while nothing else speaks.
  package var playsModelVoice = true
  /// Whether anybody can decide: false when standard input is closed from the start.
  package var takesCommands = true
  package var spokenDecisions: SpokenDecisions = .instructions
  package var keyboardOnly = KeyboardOnlyActs()
  package var duringRun: DuringRun = .queue
  /// Whether the agent is told how much of a reply was heard that the user cut.
  package var tellsWhatWasHeard = true
  /// Whether the microphone is open from the start; if not, the user opens it to talk.
  package var startsListening = true
  /// Whether the microphone is started only when somebody listens: a recording can wait, a person cannot.
  package var microphoneWaits = false
  /// How long the agent waits for an answer before it gives up; 0 where it waits as long as it takes.
  package var answerLimitMilliseconds = 0
  /// The word that ends a spoken instruction, such as "over"; empty where a pause does.
  package var endWord = ""
  /// Whether only the end word or the key ends a spoken instruction.
  package var longThought = false
  /// What is said to stop, to close the microphone, and to open it.
  package var phrases = SpokenPhrases()
  /// Whether there is a microphone; without one the user types.
  package var hasMicrophone = true
  /// Whether what is said can be heard in the room: not where it goes to a file, or nowhere.
  package var speaksAloud = true
  /// How long an item must have been shown before it can be decided about; with 0 what comes before it counts as well.
  package var shownMilliseconds = Limits.shownMilliseconds
  package var soundMarks: SoundMarks = .microphone
  /// The pause that a server takes for the end of an utterance, as it was told.
  package var silenceMilliseconds = 600
  package var unattended: Unattended = .ends
  /// How long what the agent has left in the background is waited for where nobody is there who would wait.
  package var backgroundMilliseconds = Limits.backgroundMilliseconds
  /// Whether a later session offers what this one could not send, because it finds this session's ledger in the default place.
  package var keepsUnsent = true
  /// Whether the session leaves a folder with its sound.
  package var isRecorded = true
  /// Whether it is told that typing about an item is given up: then no words that are heard meanwhile decide about it.
  package var tellsEndOfTyping = true
  /// Whether what belongs to one turn of the live model is kept together: its late words, a repeated call, and the connection
  /// that it is on; and whether what is unclear over the program's voice is held, and a "yes" that may answer the agent decides
  /// nothing. Sessions of before were decided without.
  package var keepsTurnsTogether = true

  /// The defaults, changed.
  package init(_ change: (inout InteractionSettings) -> Void = { _ in }) { change(&self) }

  /// What a log means that does not name a setting: the rules as they were before there was a choice.
  package static let unnamed = InteractionSettings {
    $0.soundMarks = .anyDetector
    $0.tellsEndOfTyping = false
    $0.keepsTurnsTogether = false
  }

  /// One setting in its written form.
  private struct Field: Sendable {
    typealias Written = KeyedEncodingContainer<FieldName>

    let name: String
    let read: @Sendable (KeyedDecodingContainer<FieldName>, inout InteractionSettings) throws -> Void
    /// Write it where it differs from the second.
    let write: @Sendable (InteractionSettings, InteractionSettings, inout Written) throws -> Void

    init<Value: Codable & Equatable & SendableMetatype>(
      _ name: String, _ path: any WritableKeyPath<InteractionSettings, Value> & Sendable, isAlwaysWritten: Bool = false
    ) {
      self.name = name
      let key = FieldName(stringValue: name)
      read = { values, settings in
        if let value = try values.decodeIfPresent(Value.self, forKey: key) { settings[keyPath: path] = value }
      }
      write = { settings, known, values in
        let value = settings[keyPath: path]
        if isAlwaysWritten || value != known[keyPath: path] { try values.encode(value, forKey: key) }
      }
    }
  }

  private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  private static let fields = [
    Field("mode", \.mode, isAlwaysWritten: true),
    Field("turnDetection", \.turnDetection),
    Field("interruptedBy", \.interruptedBy),
    Field("readsBack", \.readsBack),
    Field("playsModelVoice", \.playsModelVoice),
    Field("takesCommands", \.takesCommands),
    Field("spokenDecisions", \.spokenDecisions),
    Field("keyboardOnly", \.keyboardOnly),
    Field("duringRun", \.duringRun),
    Field("tellsWhatWasHeard", \.tellsWhatWasHeard),
    Field("startsListening", \.startsListening),
    Field("microphoneWaits", \.microphoneWaits),
    Field("answerLimitMilliseconds", \.answerLimitMilliseconds),
    Field("endWord", \.endWord),
    Field("longThought", \.longThought),
    Field("hasMicrophone", \.hasMicrophone),
    Field("speaksAloud", \.speaksAloud),
    Field("shownMilliseconds", \.shownMilliseconds),
    Field("soundMarks", \.soundMarks),
    Field("silenceMilliseconds", \.silenceMilliseconds),
    Field("unattended", \.unattended),
    Field("backgroundMilliseconds", \.backgroundMilliseconds),
    Field("keepsUnsent", \.keepsUnsent),
    Field("isRecorded", \.isRecorded),
    Field("tellsEndOfTyping", \.tellsEndOfTyping),
    Field("keepsTurnsTogether", \.keepsTurnsTogether),
    Field("phrases", \.phrases),
  ]

  /// The names of the settings as they are written.
  package static var names: [String] { fields.map(\.name) }

  /// As a log has them: one that is older knows fewer of them.
  package init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: .unnamed) }

  /// Only what differs is written, so that a log shows what matters and a new setting changes no old log.
  package func encode(to encoder: any Encoder) throws { try encode(to: encoder, besides: .unnamed) }

  /// What is named, and everything else as it is in `known`.
  package init(from decoder: any Decoder, besides known: InteractionSettings) throws {
    let values = try decoder.container(keyedBy: FieldName.self)
    self = known
    for field in Self.fields { try field.read(values, &self) }
  }

  /// Write what differs from `known`, and the mode.
  package func encode(to encoder: any Encoder, besides known: InteractionSettings) throws {
    var values = encoder.container(keyedBy: FieldName.self)
    for field in Self.fields { try field.write(self, known, &values) }
  }
}

extension InteractionSettings {
  /// How much silence a server has to hear, once the microphone is closed, to know that the user is done.
  package var closingSilenceMilliseconds: Int {
    if turnDetection == .client { return 0 }
    let pause = keepsTurnsTogether ? silenceMilliseconds + Limits.behindPauseMilliseconds : 0
    return max(Limits.closingSilenceMilliseconds, pause)
  }
}
