import VoiceConverse
import VoiceJSON
import VoiceVocabulary

/// The readers of bytes from outside, each as a function that takes any bytes and must neither crash nor break a rule.
///
/// One home for them, so that the fuzzer and the tests try the same.
package enum FuzzReader: String, CaseIterable, Sendable {
  case serverSentEvents = "server-sent-events"
  case duckTalk = "duck-talk"
  case geminiMobile = "gemini-mobile"
  case pageSpace = "page-space"
  case uiMessages = "ui-messages"
  case better
  case chat
  case opcode
  case agentToAgent = "a2a"
  case conversationFile = "conversation-file"
  case lines
  case acp
  case claude
  case codex
  case codexExec = "codex-exec"
  case json

  /// Read these bytes; traps when a rule is broken.
  package func read(_ bytes: [UInt8]) {
    let server = HTTPServer("the server", at: Self.address, credential: nil)
    let session = AgentSessionID(rawValue: "s")
    switch self {
    case .serverSentEvents: readEvents(bytes)
    case .conversationFile: readConversation(bytes)
    case .duckTalk: drive(DuckTalkDialect(server), bytes)
    case .geminiMobile: drive(MobileDialect(server, workingFolder: "/", approvalMode: "default"), bytes)
    case .pageSpace: drive(UIMessagesDialect(server, flavour: .pageSpace(agent: "a"), newSession: session), bytes)
    case .uiMessages: drive(UIMessagesDialect(server, flavour: .plain, newSession: session), bytes)
    case .better: drive(GeminiChatDialect(server, conversation: BranchingConversation(session)), bytes)
    case .chat: drive(ChatDialect(server, conversation: BranchingConversation(session)), bytes)
    case .opcode: drive(OpcodeDialect(server, workingFolder: "/"), bytes)
    case .agentToAgent: drive(AgentToAgentDialect(server, messageName: "m"), bytes)
    case .lines: readLines(bytes)
    case .acp: driveChild(ACPDialect.self, bytes)
    case .claude: driveChild(ClaudeDialect.self, bytes)
    case .codex: driveChild(CodexDialect.self, bytes)
    case .codexExec: driveChild(CodexExecDialect.self, bytes)
    case .json: readJSON(bytes)
    }
  }

  /// Both ways of reading take the same texts, and what was read is written so that it is read as the same.
  private func readJSON(_ bytes: [UInt8]) {
    let node: JSONNode?
    do { node = try JSONNode(parsing: bytes) } catch { node = nil }
    let value = JSON(parsing: bytes)
    precondition((node == nil) == (value == nil), "one way of reading takes what the other refuses")
    precondition(JSONTexts.rewrite(bytes) { _, text in Array(text) } == bytes, "texts that stay changed the document")
    _ = WrittenNumbers.excess(in: bytes)
    guard let node, let value else { return }
    precondition(Set(node.names) == Set(value.members.keys), "the names differ")
    precondition(node.string == value.string, "the strings differ")
    precondition(node.elements.count == value.elements.count, "the elements differ")
    _ = node.plainText
    let written = value.bytes
    // What no Double holds is infinite, and written as null.
    guard let again = JSON(parsing: written) else { preconditionFailure("what was written cannot be read") }
    precondition(again.bytes == written, "written again, it is not the same")
  }

  private static let address: HTTPAddress = {
    guard let address = HTTPAddress("http://127.0.0.1") else { preconditionFailure("an address is none") }
    return address
  }()

  /// However a stream is cut, it gives the same events.
  private func readEvents(_ bytes: [UInt8]) {
    func events(cutAt cuts: [Int]) -> [ServerSentEvent]? {
      var reader = ServerSentEvents(limit: 4096)
      var events: [ServerSentEvent] = []
      var start = 0
      do {
        for cut in cuts + [bytes.count] {
          events += try reader.append(bytes[start..<cut])
          start = cut
        }
      } catch {
        return nil
      }
      return events + (reader.finish().map { [$0] } ?? [])
    }
    let whole = events(cutAt: [])
    let middle = bytes.count / 2
    precondition(events(cutAt: [middle]) == whole, "a cut in the middle changed the events")
    precondition(events(cutAt: Array(bytes.indices)) == whole, "cuts everywhere changed the events")
  }

  /// A conversation that was read gives the same conversation when it is written and read again.
  private func readConversation(_ bytes: [UInt8]) {
    var tree = MessageTree()
    for line in bytes.split(separator: 0x0A) {
      guard let value = JSON(parsing: line), tree.read(value) else { break }
    }
    var again = MessageTree()
    for message in tree.messages {
      precondition(again.read(MessageTree.line(message)), "a written line was refused")
    }
    precondition(again.read(MessageTree.line(tip: tree.tip)), "the written end was refused")
    precondition(again.branch.map(\.id) == tree.branch.map(\.id), "the branch changed")
    for message in tree.messages {
      precondition(again.siblings(of: message.id).contains { $0.id == message.id }, "a message is no sibling of itself")
    }
    if let last = tree.messages.last { precondition(tree.switchTo(last.id), "a message cannot be switched to") }
  }
}
