import VoiceJSON
package import VoiceVocabulary

/// The conversation with a server that keeps none, and the run that may add to it. What a run said is added only when it
/// ends well enough to go on from; a failed one leaves the conversation where it was.
package struct BranchingConversation: Equatable, Sendable {
  package let id: AgentSessionID
  package private(set) var tree: MessageTree
  private var run = Run.none
  /// Sent with the next instruction, before its words.
  private var attachments: [AgentAttachment]
  private var check = CommandCheck()

  private enum Run: Equatable, Sendable {
    case none
    /// The user says this, in the dialect's words.
    case says([JSON])
    /// The newest answer is to be made again, beside the one there is.
    case again
  }

  package init(_ id: AgentSessionID, tree: MessageTree = MessageTree(), attachments: [AgentAttachment] = []) {
    self.id = id
    self.tree = tree
    self.attachments = attachments
  }

  /// Begin a run.
  ///
  /// `/regenerate` asks for the newest answer anew, `/switch NUMBER` goes on from that message and what follows it, and
  /// `/branches` lists all of them.
  /// `part` puts words, `media` an attachment into the dialect's form; media stand first.
  mutating func begin(
    _ instruction: Instruction, _ turn: inout HTTPTurn, part: (String) -> JSON, media: (AgentAttachment) -> JSON
  ) -> HTTPBeginning {
    let words = instruction.text.split(separator: " ")
    if !attachments.isEmpty, Self.isCommand(words) {
      turn.end(.failed(reason: CommandCheck.takesNoAttachments("\(words[0])")))
      return .over
    }
    switch (words.first, words.dropFirst().first.flatMap { Int($0) }) {
    case ("/regenerate", nil) where words.count == 1:
      guard let newest = tree.branch.last, newest.role == .model else {
        turn.end(.failed(reason: "There is no answer yet that could be made again."))
        return .over
      }
      turn.status("Answer \(newest.id) is kept; /switch \(newest.id) goes back to it.")
      run = .again
    case ("/switch", let id?) where words.count == 2:
      guard tree.switchTo(id) else {
        turn.end(.failed(reason: "There is no message \(id); there are \(tree.messages.count)."))
        return .over
      }
      turn.keep(ConversationRecord(conversation: self.id, lines: [MessageTree.line(tip: tree.tip)]))
      turn.status("The conversation goes on from message \(tree.tip ?? 0).")
      turn.end(.completed)
      return .over
    case ("/branches", nil) where words.count == 1:
      for line in branches(turn) { turn.report(.status(text: line)) }
      turn.end(.completed)
      return .over
    case ("/regenerate", _), ("/branches", _):
      turn.end(.failed(reason: "\(words[0]) takes nothing behind it, so it was not sent."))
      return .over
    case ("/switch", _):
      turn.end(.failed(reason: "/switch takes the number of a message, as in “/switch 2”, so it was not sent."))
      return .over
    default:
      if let refusal = check.refusal(
        of: instruction.text, knowing: ["regenerate", "switch", "branches"], by: "This conversation")
      {
        turn.end(.failed(reason: refusal))
        return .over
      }
      run = .says(attachments.map(media) + [part(instruction.textWithRemark)])
    }
    return .goesOn
  }

  private static func isCommand(_ words: [Substring]) -> Bool {
    switch words.first {
    case "/regenerate", "/branches": words.count == 1
    case "/switch": words.count == 2 && Int(words[1]) != nil
    default: false
    }
  }

  /// Every message in a line: its number, what it follows, whose it is, how it begins; those that the next one follows are marked.
  private func branches(_ turn: HTTPTurn) -> [String] {
    guard !tree.messages.isEmpty else { return ["Nothing was said yet."] }
    let active = Set(tree.branch.map(\.id))
    let newest = tree.messages.suffix(ConverseLimits.listedMessages)
    let left = tree.messages.count - newest.count
    return (left > 0 ? ["\(left) earlier messages are not listed."] : [])
      + newest.map { message in
        let text = message.parts.lazy.compactMap { $0["text"]?.string }.first ?? "(no words)"
        let place = message.parent.map { " after \($0)" } ?? ""
        return
          "\(active.contains(message.id) ? "*" : " ") \(message.id)\(place), \(message.role == .user ? "you" : "answer"): "
          + turn.words(text, limit: ConverseLimits.titleCharacters)
      }
  }

  /// What to send: the active branch and, behind it, what the user says now.
  var messages: [(role: MessageTree.Role, parts: [JSON])] {
    let past = tree.branch.map { (role: $0.role, parts: $0.parts) }
    switch run {
    case .none: return past
    case .says(let question): return past + [(role: .user, parts: question)]
    case .again: return past.dropLast()
    }
  }

  /// The run is over. What it said is added if it ended well enough to go on from.
  mutating func finish(_ end: AgentTurnEnd, answer: [JSON], _ turn: inout HTTPTurn) {
    defer { run = .none }
    switch end {
    // The attachments go with the instruction when it is sent again.
    case .failed, .unconfirmed: return
    case .completed, .cancelled, .stopped: break
    }
    guard !answer.isEmpty else { return }
    var lines: [JSON] = []
    switch run {
    case .none: return
    case .says(let question):
      lines.append(MessageTree.line(tree.add(.user, question)))
      attachments = []
    case .again: guard tree.regenerate() else { return }
    }
    lines.append(MessageTree.line(tree.add(.model, answer)))
    turn.keep(ConversationRecord(conversation: id, lines: lines))
  }
}

/// Whether an instruction is for the server.
enum HTTPBeginning: Equatable { case goesOn, over }
