import ArgumentParser
import VoiceConfiguration
import VoiceConverse
import VoiceVocabulary

/// `parley sessions`: an agent's earlier sessions.
struct SessionsCommand: AsyncParsableCommand {
  /// What is done with the sessions.
  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, show, resume, fork, rewind, delete
  }

  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "List, show and delete the agent's earlier sessions in the working folder, and go on with one by voice.",
    discussion: """
      resume goes on with a session, fork with a copy of it, and rewind with a copy that ends at a message; show prints \
      the names of the messages that one can go back to. parley ask does the same without a voice, with --resume, --fork \
      and --at. delete deletes a session where it is kept, for good, and is refused where the agent has no call for that.
      """)

  @Argument(help: "The coding agent (default: the configured one).")
  var agent: String?

  @Argument(help: "What to do.")
  var action = Action.list

  @Argument(help: "The session: its name or its beginning, or `last`.")
  var session: String?

  @Argument(help: "The message to go back to.")
  var message: String?

  @OptionGroup var options: PlanOptions

  func validate() throws {
    if action != .list, session == nil { throw ValidationError("Say which session: parley sessions lists them.") }
    if action == .rewind, message == nil {
      throw ValidationError("Say which message to go back to: parley sessions AGENT show SESSION lists them.")
    }
    if action != .rewind, message != nil { throw ValidationError("Only rewind takes a message.") }
  }

  func run() async throws {
    var options = options
    if let agent { options.agent.agent = agent }
    let plan = try Exit.configuring { try options.plan() }
    let id = AgentSessionID(rawValue: session ?? "")
    switch action {
    case .list: try await list(plan)
    case .show: try await show(namedSession(id, plan), plan)
    case .resume: try await goOn(.resume(id), plan)
    case .fork: try await goOn(.fork(id, at: nil), plan)
    case .rewind: try await goOn(.fork(id, at: message), plan)
    // What is gone for good is not guessed from the beginning of a name.
    case .delete: try await delete(id.rawValue == "last" ? namedSession(id, plan) : id, plan)
    }
  }

  private func sessions(_ plan: Plan) throws -> any AgentSessions {
    let found = try Exit.starting { try agentSessions(plan) }
    guard let found else { throw Exit.failure(Exit.unavailable, "The agent \(plan.shownAgent) keeps no sessions.") }
    return found
  }

  private func list(_ plan: Plan) async throws {
    let sessions = try sessions(plan)
    let summaries = try await Exit.asking { try await sessions.list() }
    if summaries.isEmpty { printRow("There are no sessions in this folder.") }
    // Each agent writes moments in its own way.
    let width = min(40, summaries.map { $0.updated?.count ?? 0 }.max() ?? 0)
    for summary in summaries {
      printRow("\(summary.id.rawValue)  \((summary.updated ?? "").padded(to: width))  \(summary.title)")
    }
  }

  private func show(_ id: AgentSessionID, _ plan: Plan) async throws {
    let sessions = try sessions(plan)
    for message in try await Exit.asking({ try await sessions.messages(of: id) }) {
      if let name = message.id { printRow("\(name)]", head: "[") }
      var head = message.author.rawValue.padded(to: 8)
      let lines = message.text.lines.filter { !$0.allSatisfy(\.isWhitespace) }
      for line in lines.isEmpty ? [""] : lines {
        printRow(String(line).sanitized(), head: head)
        head = "".padded(to: 8)
      }
    }
  }

  private func delete(_ id: AgentSessionID, _ plan: Plan) async throws {
    let sessions = try sessions(plan)
    try await Exit.asking { try await sessions.delete(id) }
    printRow("The session \(id.rawValue) is deleted.")
  }

  private func goOn(_ start: AgentSessionStart, _ plan: Plan) async throws {
    let (start, told) = try await start.named(plan)
    let live = try Exit.starting { try LiveSession(plan, folder: nil, start: start, told: told) }
    try await live.run().check()
  }
}
