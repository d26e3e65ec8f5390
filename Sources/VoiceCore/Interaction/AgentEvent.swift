/// What a coding agent reports during one run, in the one vocabulary that every back end is decoded into.
///
/// Order: any number of events, then exactly one `turnEnded`; events after it are late and ignored.
package enum AgentEvent: Equatable, Sendable, Codable {
  /// The agent took the instruction and began to work.
  case turnStarted
  /// A piece of the answer, to be shown and spoken; any length, may end inside a word.
  case text(delta: String)
  /// What was written so far is complete: speak it without waiting for more.
  case paragraphEnded
  /// The agent's reasoning; shown at most, never spoken.
  case thought(delta: String)
  /// A tool started.
  case toolStarted(tool: AgentTool)
  /// A running tool changed its title or reported progress.
  case toolUpdated(id: String, title: String)
  /// A tool is over. Tools still open at the end of a turn finish as `unknown`.
  case toolFinished(id: String, outcome: AgentTool.Outcome)
  /// The agent's whole plan, replacing the one before.
  case plan(entries: [AgentPlanEntry])
  /// The agent asks before it acts, and waits.
  case permissionRequested(request: PermissionRequest)
  /// The agent no longer waits for this answer.
  case permissionWithdrawn(id: PermissionID)
  /// Tokens and money spent so far in this run, as far as the agent tells.
  case usage(usage: AgentUsage)
  /// Worth showing, seldom worth saying: retries, waiting, a change of mode.
  case status(text: String)
  /// The run is over. Sent exactly once for each run, also when the agent died.
  case turnEnded(end: AgentTurnEnd)
}

/// Something the agent does on its own: reading a file, running a command.
package struct AgentTool: Equatable, Sendable, Codable {
  package enum Outcome: String, Sendable, Codable { case completed, failed, declined, unknown }

  /// The agent's own identifier of this call.
  package var id: String
  /// One line for people, such as "Read README.md".
  package var title: String
  /// What sort of act: read, edit, delete, move, search, execute, think, fetch, other.
  package var kind: String

  package init(id: String, title: String, kind: String) {
    self.id = id
    self.title = title
    self.kind = kind
  }
}

package struct AgentPlanEntry: Equatable, Sendable, Codable {
  package var text: String
  package var status: String

  package init(text: String, status: String) {
    self.text = text
    self.status = status
  }
}

package struct AgentUsage: Equatable, Sendable, Codable {
  package var inputTokens: Int?
  package var outputTokens: Int?
  package var costInDollars: Double?

  package init(inputTokens: Int? = nil, outputTokens: Int? = nil, costInDollars: Double? = nil) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    self.costInDollars = costInDollars
  }
}

/// The agent asks the user before it acts.
package struct PermissionRequest: Equatable, Sendable, Codable {
  /// What an answer means. A back end maps it to its own option by kind, never by position.
  package enum Choice: String, Sendable, Codable, CaseIterable { case allowOnce, allowAlways, rejectOnce, rejectAlways }

  package var id: PermissionID
  /// One line that can be spoken, such as "Run swift test".
  package var title: String
  /// The exact command, path or change, to be shown; empty if the title says it all.
  package var detail: String
  /// The choices that the agent offers.
  package var choices: [Choice]

  package init(id: PermissionID, title: String, detail: String, choices: [Choice]) {
    self.id = id
    self.title = title
    self.detail = detail
    self.choices = choices
  }
}

/// How a run ended.
package enum AgentTurnEnd: Equatable, Sendable, Codable {
  case completed
  /// The agent confirmed that it stopped, or ended in any way after it was told to stop.
  case cancelled
  /// The agent refused, or ran into a limit of its own; `reason` is a sentence for people.
  case stopped(reason: String)
  /// The agent or the way to it failed; `reason` says what failed, on what, and what to do.
  case failed(reason: String)
}

/// What is known of a coding agent once it is ready.
package struct AgentDescription: Equatable, Sendable, Codable {
  /// The agent's name as it says it, such as "parley guide".
  package var name: String
  /// Whether this back end can ask for permission; if not, the user is told so.
  package var asksPermission: Bool

  package init(name: String, asksPermission: Bool) {
    self.name = name
    self.asksPermission = asksPermission
  }
}
