import VoiceConverse
import VoiceJSON
import VoiceVocabulary

/// The readers of bytes from outside, each as a function that takes any bytes and must neither crash nor break a rule.
///
/// One home for them, so that the fuzzer and the tests try the same.
package struct FuzzReader: CaseIterable, Sendable {
  /// As the folder of its seeds is called.
  package let name: String
  private let body: @Sendable ([UInt8]) throws -> Void

  private init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Read these bytes; traps when a rule is broken.
  package func read(_ bytes: [UInt8]) {
    do { try body(bytes) } catch { preconditionFailure("\(name) cannot be made: \(error)") }
  }

  package static let allCases: [FuzzReader] =
    HTTPAgentKind.all.map { kind in
      FuzzReader(kind.name) { drive(try kind.makeDialect(newSession: AgentSessionID(rawValue: "s")), $0) }
    } + [
      FuzzReader("server-sent-events", readEvents), FuzzReader("conversation-file", readConversation),
      FuzzReader("lines", readLines), FuzzReader("json", readJSON),
      FuzzReader("acp") { driveChild(ACPDialect.self, $0) },
      FuzzReader("claude") { driveChild(ClaudeDialect.self, $0) },
      FuzzReader("codex") { driveChild(CodexDialect.self, $0) },
      FuzzReader("codex-exec") { driveChild(CodexExecDialect.self, $0) },
    ]

  /// Both ways of reading take the same texts, and what was read is written so that it is read as the same.
  @Sendable private static func readJSON(_ bytes: [UInt8]) {
    let node: JSONNode?
    do { node = try JSONNode(parsing: bytes) } catch { node = nil }
    let value = JSON(parsing: bytes)
    precondition((node == nil) == (value == nil), "one way of reading takes what the other refuses")
    precondition(JSONTexts.rewrite(bytes) { _, text in Array(text) } == bytes, "texts that stay changed the document")
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

  /// However a stream is cut, it gives the same events.
  @Sendable private static func readEvents(_ bytes: [UInt8]) {
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
  @Sendable private static func readConversation(_ bytes: [UInt8]) {
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
    if let last = tree.messages.last { precondition(tree.switchTo(last.id), "a message cannot be switched to") }
  }
}
