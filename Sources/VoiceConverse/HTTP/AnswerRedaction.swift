import VoiceJSON
import VoiceVocabulary

/// Takes the token out of what an agent tells before anybody hears of it: a server may quote it, at once or in pieces, and what an
/// answer says is shown, spoken and kept.
///
/// Of a token that comes in pieces at most seven bytes are told. What begins as it does for longer waits for what follows; no other
/// text waits.
struct AnswerRedaction: Sendable {
  /// Text that comes in pieces.
  private struct Flow: Sendable {
    /// Its end, from where a token may begin.
    var open: [UInt8] = []
    /// Bytes of that which have been told.
    var told = 0

    /// A server may send what nobody sees without end, and it would all be kept: what was told of that goes, and where very much of it
    /// waits, that as well.
    mutating func dropUnseen() {
      let length = open.count > AnswerRedaction.mostWaiting ? open.count : told
      guard let shown = ShownText.way(0, of: Array(open[..<length])) else { return }
      let kept = shown.count(before: shown.openEnd)
      let seen = shown.bytes[..<kept] + open[shown.openEnd...]
      told = shown.openEnd < told ? kept + told - shown.openEnd : shown.count(before: told)
      open = Array(seen)
    }
  }

  private static let mostWaiting = 1_024

  private static let heldBytes = 8
  /// So many bytes that begin as a token does are no chance, where no more of them comes.
  private static let cutBytes = 16

  /// What the tokens of all requests take out: one that was in a file before may still be quoted.
  private(set) var known: TokenRedaction?
  /// Whose texts these are.
  private var run: RunID?
  private var text = Flow()
  private var thought = Flow()

  /// This goes with the requests from now on.
  mutating func know(_ redaction: TokenRedaction) { known = known?.joined(with: redaction) ?? redaction }

  /// What may be told on.
  mutating func take(_ event: VoiceEvent) -> [VoiceEvent] {
    guard let known else { return [event] }
    switch event {
    case .agentReported(let run, .text(let delta)):
      let rest = began(run)
      return rest + Self.told(Self.goOn(&text, delta, without: known), of: run) { .text(delta: $0) }
    case .agentReported(let run, .thought(let delta)):
      let rest = began(run)
      return rest + Self.told(Self.goOn(&thought, delta, without: known), of: run) { .thought(delta: $0) }
    // These come between the pieces of a text, and end none.
    case .agentReported(_, .usage), .agentReported(_, .status): return [redacted(event)]
    default: return rest() + [redacted(event)]
    }
  }

  /// The same for bytes that are to be recorded: the recording knows the token from the start alone, and a file may be written anew.
  func redacted(_ bytes: [UInt8]) -> [UInt8] { known?.redacted(bytes) ?? bytes }

  /// The same for what is to be kept of a conversation.
  func redacted(_ record: ConversationRecord) -> ConversationRecord {
    ConversationRecord(conversation: record.conversation, lines: record.lines.map { known?.redacted($0) ?? $0 })
  }

  /// What may be told of a text after one more piece.
  private static func goOn(_ flow: inout Flow, _ delta: String, without redaction: TokenRedaction) -> [UInt8] {
    let whole = flow.open + delta.utf8
    let hidden = redaction.places(in: whole)
    let start = whole.count - redaction.beginning(atEndOf: Array(whole[(hidden.last?.upperBound ?? 0)...]))
    let open = Array(whole[start...])
    let end = shownCount(open) < heldBytes ? whole.count : max(start, flow.told)
    let told = TokenRedaction.marked(whole, hidden, from: flow.told, to: end)
    flow = Flow(open: open, told: end - start)
    flow.dropUnseen()
    return told
  }

  /// How many bytes of a text are seen.
  private static func shownCount(_ bytes: [UInt8]) -> Int { ShownText.way(0, of: bytes)?.bytes.count ?? bytes.count }

  /// What waits where nothing more of a text comes for now: a good part of a token is told no more than all of it.
  private static func rest(_ flow: inout Flow) -> [UInt8] {
    defer { flow.told = flow.open.count }
    let waiting = flow.open[flow.told...]
    return waiting.isEmpty || shownCount(flow.open) < cutBytes ? Array(waiting) : TokenRedaction.mark
  }

  private mutating func rest() -> [VoiceEvent] {
    guard let run else { return [] }
    return Self.told(Self.rest(&thought), of: run) { .thought(delta: $0) }
      + Self.told(Self.rest(&text), of: run) { .text(delta: $0) }
  }

  /// A piece of this run's texts comes; what waits of another's.
  private mutating func began(_ run: RunID) -> [VoiceEvent] {
    guard run != self.run else { return [] }
    let before = rest()
    (self.run, text, thought) = (run, Flow(), Flow())
    return before
  }

  private static func told(_ words: [UInt8], of run: RunID, _ event: (String) -> AgentEvent) -> [VoiceEvent] {
    words.isEmpty ? [] : [.agentReported(run: run, event: event(String(decoding: words, as: UTF8.self)))]
  }

  private func redacted(_ event: VoiceEvent) -> VoiceEvent {
    guard let clean = known?.redacted(JSON(encoding: event)) else { return event }
    do {
      return try clean.decoded(VoiceEvent.self)
    } catch {
      // The token is a word of the program's own.
      return event
    }
  }
}
