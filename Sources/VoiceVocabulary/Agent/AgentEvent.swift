/// What a coding agent reports during one run, in the one vocabulary that every back end is decoded into.
///
/// Order: any number of events, then exactly one `turnEnded`; events after it are late and ignored.
package enum AgentEvent: Equatable, Sendable, Codable {
  /// The agent took the instruction and began to work.
  case turnStarted
  /// The session that the run belongs to, once the agent tells its name, and again when it changes. With this name the
  /// work can be resumed by a later program.
  case sessionReady(session: AgentSessionID)
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
  /// What a running tool did, as far as the agent tells; right before it finishes. Tools that only look have none.
  case toolResult(id: String, result: AgentToolResult)
  /// A tool is over. Tools still open at the end of a turn finish as `unknown`.
  case toolFinished(id: String, outcome: AgentTool.Outcome)
  /// The agent's whole plan, replacing the one before.
  case plan(entries: [AgentPlanEntry])
  /// The agent asks before it acts, and waits.
  case permissionRequested(request: PermissionRequest)
  /// The agent no longer waits for this answer.
  case permissionWithdrawn(id: PermissionID)
  /// The agent wants to know something, and waits.
  case questionAsked(question: AgentQuestion)
  /// The agent no longer waits for this answer.
  case questionWithdrawn(id: QuestionID)
  /// The agent took this instruction into the running work. Answers one `steerRun`, before the run ends.
  case steered(instruction: InstructionID)
  /// The agent did not take this instruction into the running work. Answers one `steerRun`, before the run ends.
  case steeringRefused(instruction: InstructionID, reason: String)
  /// Tokens and money spent so far in this run, as far as the agent tells.
  case usage(usage: AgentUsage)
  /// Worth showing, seldom worth saying: retries, waiting, a change of mode.
  case status(text: String)
  /// The run is over. Sent exactly once for each run, also when the agent died.
  case turnEnded(end: AgentTurnEnd)
}

/// Something the agent does on its own: reading a file, running a command.
package struct AgentTool: Equatable, Sendable, Codable {
  /// What became of a tool call.
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

/// One point of the agent's plan, with its state in the agent's word.
package struct AgentPlanEntry: Equatable, Sendable, Codable {
  package var text: String
  package var status: String

  package init(text: String, status: String) {
    self.text = text
    self.status = status
  }
}

/// What a turn has cost, as far as the agent says.
package struct AgentUsage: Equatable, Sendable, Codable {
  package var inputTokens: Int?
  package var outputTokens: Int?
  /// Always a number that can be shown and written, whatever was told.
  package var costInDollars: Double? { didSet { costInDollars = costInDollars.map { Double(amountTold: $0) } } }
  /// Tokens in the model's context now, of the context's size.
  package var contextTokens: Int?
  package var contextSizeTokens: Int?

  package init(
    inputTokens: Int? = nil, outputTokens: Int? = nil, costInDollars: Double? = nil, contextTokens: Int? = nil,
    contextSizeTokens: Int? = nil
  ) {
    self.inputTokens = inputTokens.map { Int(countTold: $0) }
    self.outputTokens = outputTokens.map { Int(countTold: $0) }
    self.costInDollars = costInDollars.map { Double(amountTold: $0) }
    self.contextTokens = contextTokens.map { Int(countTold: $0) }
    self.contextSizeTokens = contextSizeTokens.map { Int(countTold: $0) }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      inputTokens: try container.decodeIfPresent(Int.self, forKey: .inputTokens),
      outputTokens: try container.decodeIfPresent(Int.self, forKey: .outputTokens),
      costInDollars: try container.decodeIfPresent(Double.self, forKey: .costInDollars),
      contextTokens: try container.decodeIfPresent(Int.self, forKey: .contextTokens),
      contextSizeTokens: try container.decodeIfPresent(Int.self, forKey: .contextSizeTokens))
  }
}

/// How a run ended.
package enum AgentTurnEnd: Equatable, Sendable, Codable {
  case completed
  /// The agent confirmed that it stopped, or nothing of it is left that could work. Never said of a wish alone.
  case cancelled
  /// The agent refused, or ran into a limit of its own; `reason` is a sentence for people.
  case stopped(reason: String)
  /// The agent said that it failed, or never got the instruction; `reason` says what failed, on what, and what to do.
  case failed(reason: String)
  /// The way to the agent broke while it worked, or a halt was not confirmed: how much of the instruction was carried out is not
  /// known. The instruction is never sent again by itself.
  ///
  /// - Parameter mayGoOn: true if nothing shows that the agent does not work on, unseen; absent where it is gone.
  case unconfirmed(reason: String, mayGoOn: Bool? = nil)
}
