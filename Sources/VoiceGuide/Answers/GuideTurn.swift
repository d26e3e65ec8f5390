import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// One prompt being answered: what was understood, carried out and said, sentence by sentence.
struct GuideTurn: Sendable {
  /// How a turn ended.
  enum End: Equatable, Sendable { case completed, cancelled }

  let session: GuideSession
  let client: GuideClient

  /// The folder that the session works in.
  var folder: WorkingFolder { session.folder }
  /// Git in that folder.
  var git: Git { Git(folder: session.folder) }

  /// Answer what was said. Nothing is sent after the turn was cancelled.
  func perform(_ text: String) async -> End {
    do {
      for intent in IntentParser.parse(text) {
        do { try await answer(intent) } catch let failure as Git.Failure { say(sentence(failure)) }
      }
      return Task.isCancelled ? .cancelled : .completed
    } catch is CancellationError {
      return .cancelled
    } catch {
      // What an error of the system calls itself is nothing for the ear.
      say("That failed, and I do not know why.")
      return .completed
    }
  }

  private func answer(_ intent: Intent) async throws {
    switch intent {
    case .help: help()
    case .greeting: say("Hello. Ask me about the files in \(folder.name), or say: what can you do.")
    case .thanks: say("You are welcome.")
    case .nothing: say("All right, I do nothing.")
    case .workingFolder: say("I work in the folder \(folder.name). Its full path is \(Speakable.line(folder.path)).")
    case .listFiles(let name, let language): try await listFiles(in: name, language: language)
    case .findFiles(let name): try await findFiles(name)
    case .readFile(let name, let lines): try await readFile(name, lines: lines)
    case .countFiles(let folder, let language): try await countFiles(in: folder, language)
    case .countLines(let place, let language): try await countLines(in: place, language)
    case .search(let query): try await search(query)
    case .describeRepository: try await describeRepository()
    case .status: try await status()
    case .history(let commits): try await history(commits)
    case .difference(let scope): try await difference(scope)
    case .currentBranch: try await currentBranch()
    case .branches: try await branches()
    case .ownChanges: try await ownChanges()
    case .runTests: try await runTests()
    case .testDuration: testDuration()
    case .writeNote(let text): try await writeNote(text)
    case .createBranch(let name): try await createBranch(name)
    case .refused(let refusal, let understood): refuse(refusal, understood)
    }
  }

  private func help() {
    say("I am a small guide without a language model.")
    say("I can list, find and read files, search their text, and count lines.")
    say("I can tell the git status, the branch, the last commits and what they changed.")
    say("With your permission I run the tests, write a note to NOTES.md, or create a branch.")
    say("I cannot change code.")
  }

  private func refuse(_ refusal: Refusal, _ understood: String) {
    let words = Speakable.line(understood, limit: 160)
    switch refusal {
    case .changing:
      say("I am a small guide without a language model: I can read and search, but I cannot change code.")
    case .explaining:
      say("I am a small guide without a language model: I can find and read text, but I cannot answer that.")
    case .running:
      say("I run only the project's tests, and nothing else.")
    case .unknown:
      say("I am a small guide without a language model, and I do not know how to do that.")
    }
    say("I understood: \(words.asSentence)")
    switch refusal {
    case .changing: say("I can write it down as a note, if you say: take a note.")
    case .explaining: say("I can search for a word, show the last commits, or run the tests.")
    case .running, .unknown: say("Say: what can you do, to hear what I can.")
    }
  }

  // Speaking.

  /// Send one sentence, to be shown and spoken.
  func say(_ sentence: String) {
    if Task.isCancelled { return }
    client.update(
      session.id,
      [
        "sessionUpdate": "agent_message_chunk",
        "content": ["type": "text", "text": .string(Speakable.sanitized(sentence) + " ")],
      ])
  }

  // Tools.

  /// What a tool call has to show when it is over.
  struct ToolReport: Sendable {
    /// A file that a tool looks at or changes.
    struct Location: Equatable, Sendable {
      /// Relative to the working folder.
      var path: String
      var line: Int?
    }

    var locations: [Location] = []
    /// For the screen; sanitized when it is sent.
    var text = ""
    var failed = false
  }

  /// Carry something out as a tool call that the client can show. `kind` is a tool kind of the protocol.
  func withTool<Value: Sendable>(
    _ kind: String, _ title: String, _ body: (inout ToolReport) async throws -> Value
  ) async throws -> Value {
    let id = announce(kind, title, status: "in_progress", input: nil)
    return try await report(id, body)
  }

  /// As `withTool`, but only with the user's permission; nil if they refused.
  ///
  /// - Parameters:
  ///   - act: the kind of act that "allow for this session" allows.
  ///   - input: exactly what is about to be done, for the client to show.
  func withPermission<Value: Sendable>(
    for act: String, _ kind: String, _ title: String, input: JSON, _ body: (inout ToolReport) async throws -> Value
  ) async throws -> Value? {
    let id = announce(kind, title, status: "pending", input: input)
    if !session.memory.withLock({ $0.allowed.contains(act) }) {
      let call: JSON = [
        "toolCallId": .string(id), "title": .string(title), "kind": .string(kind), "status": "pending",
        "rawInput": input,
      ]
      switch await client.askPermission(session.id, toolCall: call) {
      case .allowedOnce: break
      case .allowedAlways: session.memory.withLock { _ = $0.allowed.insert(act) }
      case .rejected:
        change(id, ["status": "failed"])
        return nil
      case .cancelled:
        change(id, ["status": "failed"])
        throw CancellationError()
      }
    }
    change(id, ["status": "in_progress"])
    return try await report(id, body)
  }

  private func announce(_ kind: String, _ title: String, status: String, input: JSON?) -> String {
    let id = session.memory.withLock { memory in
      memory.toolCalls += 1
      return "call-\(memory.toolCalls)"
    }
    var call: [String: JSON] = [
      "sessionUpdate": "tool_call", "toolCallId": .string(id), "title": .string(title), "kind": .string(kind),
      "status": .string(status),
    ]
    if let input { call["rawInput"] = input }
    client.update(session.id, .object(call))
    return id
  }

  private func report<Value: Sendable>(
    _ id: String, _ body: (inout ToolReport) async throws -> Value
  ) async throws -> Value {
    var report = ToolReport()
    do {
      let value = try await body(&report)
      var fields: [String: JSON] = ["status": report.failed ? "failed" : "completed"]
      if !report.locations.isEmpty {
        fields["locations"] = .array(report.locations.prefix(GuideLimits.locations).map(location))
      }
      if !report.text.isEmpty {
        let block: JSON = ["type": "text", "text": .string(Speakable.shown(report.text))]
        fields["content"] = [["type": "content", "content": block]]
      }
      change(id, fields)
      return value
    } catch {
      change(id, ["status": "failed"])
      throw error
    }
  }

  private func change(_ id: String, _ fields: [String: JSON]) {
    var update = fields
    update["sessionUpdate"] = "tool_call_update"
    update["toolCallId"] = .string(id)
    client.update(session.id, .object(update))
  }

  private func location(_ location: ToolReport.Location) -> JSON {
    var fields: [String: JSON] = ["path": .string(folder.absolute(location.path))]
    if let line = location.line { fields["line"] = .integer(line) }
    return .object(fields)
  }
}
