import VoiceJSON
import VoiceVocabulary

/// Takes the token out of what an agent tells before anybody hears of it: a server may quote it, at once or in pieces, and what an
/// answer says is shown, spoken and kept.
struct AnswerRedaction: Sendable {
  /// Text that comes in pieces.
  private enum Flow: Sendable {
    case text, thought

    func event(_ delta: String) -> AgentEvent {
      switch self {
      case .text: .text(delta: delta)
      case .thought: .thought(delta: delta)
      }
    }
  }

  /// What the token of the newest request takes out.
  private var redaction: TokenRedaction?
  /// The end of a text that may be the beginning of the token: what comes next shows whether it is.
  private var held: (run: RunID, flow: Flow, text: String)?

  /// This goes with the requests from now on.
  mutating func know(_ credential: HTTPCredential.Line) { redaction = credential.redaction(of: .whole) }

  /// What may be told on.
  mutating func take(_ event: VoiceEvent) -> [VoiceEvent] {
    guard redaction != nil else { return [event] }
    switch event {
    case .agentReported(let run, .text(let delta)): return goOn(.text, delta, of: run)
    case .agentReported(let run, .thought(let delta)): return goOn(.thought, delta, of: run)
    // These come between the pieces of a text, and end none.
    case .agentReported(_, .usage), .agentReported(_, .status): return [redacted(event)]
    default: return rest() + [redacted(event)]
    }
  }

  /// The same for bytes that are to be recorded: the recording knows the token from the start alone, and a file may be written anew.
  func redacted(_ bytes: [UInt8]) -> [UInt8] { redaction?.redacted(bytes) ?? bytes }

  /// The same for what is to be kept of a conversation.
  func redacted(_ record: ConversationRecord) -> ConversationRecord {
    ConversationRecord(conversation: record.conversation, lines: record.lines.map { redacted($0) ?? $0 })
  }

  private mutating func goOn(_ flow: Flow, _ delta: String, of run: RunID) -> [VoiceEvent] {
    let before = held.map { $0.run == run && $0.flow == flow } == true ? [] : rest()
    let text = (held?.text ?? "") + delta
    let clean = Array((redaction?(text) ?? text).utf8)
    let count = redaction?.beginning(atEndOf: clean) ?? 0
    held = (run, flow, String(decoding: clean.suffix(count), as: UTF8.self))
    let told = String(decoding: clean.dropLast(count), as: UTF8.self)
    return before + (told.isEmpty ? [] : [.agentReported(run: run, event: flow.event(told))])
  }

  /// What was held, once it is known to be no token.
  private mutating func rest() -> [VoiceEvent] {
    guard let (run, flow, text) = held.take(), !text.isEmpty else { return [] }
    return [.agentReported(run: run, event: flow.event(text))]
  }

  private func redacted(_ event: VoiceEvent) -> VoiceEvent {
    guard let clean = redacted(JSON(encoding: event)) else { return event }
    do {
      return try clean.decoded(VoiceEvent.self)
    } catch {
      // The token is a word of the program's own.
      return event
    }
  }

  /// Nil where nothing in it is secret.
  private func redacted(_ value: JSON) -> JSON? {
    guard let redaction else { return nil }
    let clean = value.mapStrings { redaction($0) }
    return clean == value ? nil : clean
  }
}
