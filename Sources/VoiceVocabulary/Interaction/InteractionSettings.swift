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
  /// How long before its command a key was pressed: a terminal waits, to tell it from text. What is decided had to be shown by then.
  /// A line that was typed is commanded as soon as Enter is pressed.
  package var keyMilliseconds = 0
  /// The pause that a server takes for the end of an utterance, as it was told.
  package var silenceMilliseconds = 600
  package var unattended: Unattended = .ends
  /// How long what the agent has left in the background is waited for where nobody is there who would wait.
  package var backgroundMilliseconds = Limits.backgroundMilliseconds
  /// Whether a later session offers what this one could not send, because it finds this session's ledger in the default place.
  package var keepsUnsent = true
  /// Whether the session leaves a folder with its sound.
  package var isRecorded = true

  /// The defaults, changed.
  package init(_ change: (inout InteractionSettings) -> Void = { _ in }) { change(&self) }

  /// One setting in its written form.
  private struct Field: Sendable {
    typealias Written = KeyedEncodingContainer<FieldName>

    private static let defaults = InteractionSettings()

    let name: String
    let read: @Sendable (KeyedDecodingContainer<FieldName>, inout InteractionSettings) throws -> Void
    /// Write it where it differs from the default.
    let write: @Sendable (InteractionSettings, inout Written) throws -> Void

    init<Value: Codable & Equatable & SendableMetatype>(
      _ name: String, _ path: any WritableKeyPath<InteractionSettings, Value> & Sendable, isAlwaysWritten: Bool = false
    ) {
      self.name = name
      let key = FieldName(stringValue: name)
      read = { values, settings in
        if let value = try values.decodeIfPresent(Value.self, forKey: key) { settings[keyPath: path] = value }
      }
      write = { settings, values in
        let value = settings[keyPath: path]
        if isAlwaysWritten || value != Self.defaults[keyPath: path] { try values.encode(value, forKey: key) }
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
    Field("keyMilliseconds", \.keyMilliseconds),
    Field("silenceMilliseconds", \.silenceMilliseconds),
    Field("unattended", \.unattended),
    Field("backgroundMilliseconds", \.backgroundMilliseconds),
    Field("keepsUnsent", \.keepsUnsent),
    Field("isRecorded", \.isRecorded),
    Field("phrases", \.phrases),
  ]

  /// The names of the settings as they are written.
  package static var names: [String] { fields.map(\.name) }

  /// What is not named is as it is by default.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: FieldName.self)
    for field in Self.fields { try field.read(values, &self) }
  }

  /// Only the mode and what differs from the defaults is written, so that a log shows what matters.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: FieldName.self)
    for field in Self.fields { try field.write(self, &values) }
  }
}

extension InteractionSettings {
  /// Whether a detector at the microphone hears who speaks.
  package var hasVAD: Bool { turnDetection == .client || interruptedBy == .vad }

  /// How long an item must have been shown before a command can decide about it; 0 where what comes before it counts as well.
  /// - Parameter isTyped: whether that is a line that was typed.
  package func shownMilliseconds(beforeCommand isTyped: Bool) -> Int {
    shownMilliseconds > 0 ? shownMilliseconds + (isTyped ? 0 : keyMilliseconds) : 0
  }

  /// How much silence a server has to hear, once the microphone is closed, to know that the user is done.
  package var closingSilenceMilliseconds: Int {
    if turnDetection == .client { return 0 }
    return max(Limits.closingSilenceMilliseconds, silenceMilliseconds + Limits.behindPauseMilliseconds)
  }
}
