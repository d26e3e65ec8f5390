import VoiceJSON
import VoiceVocabulary

/// What a line of a child's standard output is.
enum AgentLine: Equatable, Sendable {
  case message(JSON)
  /// A banner, or a line of a log.
  case noise
  /// It begins as a message does, and cannot be read: it is damaged, or nested too deeply.
  case unreadable(beginning: String)

  init(_ line: [UInt8]) {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let text = line.drop(while: isBlank)
    if text.first == UInt8(ascii: "{"), let message = JSON(parsing: line) {
      self = .message(message)
    } else if text.first == UInt8(ascii: "{"), text.dropFirst().drop(while: isBlank).first == UInt8(ascii: "\"") {
      self = .unreadable(beginning: String(decoding: text.prefix(4 * Self.shown), as: UTF8.self))
    } else {
      self = .noise
    }
  }

  /// The message, if it is one.
  var message: JSON? { if case .message(let message) = self { message } else { nil } }

  /// Characters of an unreadable one that are told.
  fileprivate static let shown = 80
}

extension ChildSession {
  /// A line of the child's standard output.
  package mutating func receive(_ line: [UInt8]) -> [ChildEffect] {
    switch AgentLine(line) {
    case .message(let message): tell { $0.receive(message) }
    case .noise: break
    case .unreadable(let beginning):
      guard !toldOfUnreadable else { break }
      toldOfUnreadable = true
      let quote = beginning.shortened(to: AgentLine.shown)
      let said = "\(dialect.description.name) sent a message that cannot be read (\(quote))"
      if phase == .opening {
        act(.post(.agentDelayed(reason: "\(said) while it was started; still waiting.")))
      } else {
        note("\(said). If it waits for an answer to that, halt it and ask again.")
      }
    }
    return taken()
  }
}
