import VoiceReplay
import VoiceSound
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

/// A session in direct mode whose microphone gives frame after frame.
struct Scene {
  var talk: Talk
  private var position = 0
  private var endpointer = LevelEndpointer(silenceMilliseconds: 600)
  private(set) var sent: [ConnectionID: [Int]] = [:]
  private(set) var warnings: [String] = []
  private var calls = 0

  init(_ settings: InteractionSettings = .init { $0.mode = .direct }) { talk = Talk(settings) }

  /// What belongs to one turn of the live model is kept together, as in any session but old ones.
  static func keepingTurns(
    _ mode: InteractionMode = .direct, longThought: Bool = false, endWord: String = ""
  ) -> Scene {
    Scene(
      .init {
        ($0.mode, $0.readsBack, $0.longThought, $0.endWord) = (mode, false, longThought, endWord)
        $0.spokenDecisions = .all
      })
  }

  var connection: ConnectionID { talk.controller.link.currentConnection ?? ConnectionID(rawValue: 0) }

  @discardableResult mutating func give(_ event: VoiceEvent, after milliseconds: Int = 10) -> [VoiceAction] {
    let actions = talk.give(event, after: milliseconds)
    for action in actions {
      switch action {
      case .sendAudio(let connection, let frame):
        sent[connection, default: []].append(frame.position / PCM.frameSamples)
      case .show(.warning(let text)): warnings.append(text)
      default: break
      }
    }
    return actions
  }

  /// Speech, or silence, of so many milliseconds. Returns the numbers of its frames.
  @discardableResult mutating func hear(_ level: Int16, milliseconds: Int) -> Range<Int> {
    let start = position
    for _ in 0..<milliseconds / PCM.frameMilliseconds {
      let samples = [Int16](repeating: level, count: PCM.frameSamples)
      give(
        .microphoneFrame(frame: MicrophoneFrame(position: position * PCM.frameSamples, samples: samples)), after: 20)
      position += 1
      if let level = endpointer.hear(samples) { give(.soundLevelChanged(level: level), after: 0) }
    }
    return start..<position
  }

  /// One more frame, behind so much that is missing.
  mutating func hear(afterLosing milliseconds: Int) -> [VoiceAction] {
    position += milliseconds / PCM.frameMilliseconds
    let samples = [Int16](repeating: 4, count: PCM.frameSamples)
    defer { position += 1 }
    return give(.microphoneFrame(frame: MicrophoneFrame(position: position * PCM.frameSamples, samples: samples)))
  }

  /// Something that is said, with the pause that ends it.
  @discardableResult mutating func say(milliseconds: Int = 1_600) -> Range<Int> {
    let spoken = hear(3_000, milliseconds: milliseconds)
    hear(4, milliseconds: 900)
    return spoken
  }

  /// The live model proposes what was said, once its words are known.
  @discardableResult mutating func propose(_ text: String) -> [VoiceAction] { propose(text, heard: text) }

  /// - Parameter heard: the words that are known before; nil for none.
  @discardableResult mutating func propose(_ text: String, heard: String?) -> [VoiceAction] {
    calls += 1
    if let heard { give(.userTranscribed(connection: connection, text: heard, isFinal: true)) }
    return give(
      .instructionProposed(call: CallID(connection: connection, id: "s\(calls)", tool: "converse"), text: text))
  }

  mutating func endTurn() { give(.modelTurnEnded(connection: connection)) }

  mutating func cut() {
    give(.linkClosed(connection: connection, failure: .init(remedy: .resume, reason: "The connection was cut.")))
  }

  mutating func comeBack() {
    if talk.controller.armedTimers.contains(.reconnect) { give(.timerFired(timer: .reconnect), after: 500) }
    give(.linkReady(connection: connection, resumed: true))
  }

  /// Whether all of this went out on the present connection.
  func hasSent(_ frames: Range<Int>) -> Bool { Set(frames).isSubset(of: sent[connection] ?? []) }
}

extension [VoiceAction] {
  /// The instructions that are on their way to the agent.
  var entered: [String] {
    compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction.text } else { nil } }
  }

  /// The transcripts that are shown.
  var heard: [String] { compactMap { if case .show(.heard(let text)) = $0 { text } else { nil } } }
}
