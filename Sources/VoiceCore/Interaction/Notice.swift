/// One thing to tell the user on the screen: a state change, a line of the conversation, or an error.
///
/// Text from the live model or the agent is carried as it came; the console makes it harmless before it shows it.
package enum Notice: Equatable, Sendable, Codable {
  case listening(resumed: Bool)
  case agentReady(agent: AgentDescription)
  /// What the user said, as transcribed.
  case heard(text: String)
  /// What the live model itself says.
  case modelSaid(text: String)
  /// An item waits for a decision; `position` counts from 1 in the queue.
  case held(item: HeldItem, position: Int)
  case approved(text: String)
  case rejected(text: String)
  /// The user edits this held text; `amend` follows if the edit is kept.
  case editing(text: String)
  case amended(text: String)
  case permissionAnswered(title: String, choice: PermissionRequest.Choice)
  case questionAnswered(question: AgentQuestion, answer: AgentQuestion.Answer)
  /// The item was not decided; it was not handed on, and the reason says why.
  case lapsed(text: String, reason: String)
  /// An approved instruction waits for the run before it.
  case queued(instruction: Instruction)
  /// An approved instruction goes into the run that works.
  case steering(run: RunID, text: String)
  case runStarted(run: RunID, text: String)
  /// The agent told the name of its session.
  case agentSession(session: AgentSessionID)
  case agentText(delta: String)
  case agentThought(delta: String)
  case agentStatus(text: String)
  case toolStarted(tool: AgentTool)
  case toolFinished(id: String, outcome: AgentTool.Outcome)
  case plan(entries: [AgentPlanEntry])
  case halting
  case runEnded(run: RunID, end: AgentTurnEnd)
  case haltUnconfirmed
  case quieted
  case bargedIn
  /// What sounded like an interruption was none; speech goes on.
  case wentOn
  case mode(mode: InteractionMode)
  case linkLost(reason: String, retryInMilliseconds: Int)
  case rotating
  /// The same instruction was proposed twice for one utterance; it was taken once.
  case duplicateIgnored(text: String)
  case warning(text: String)
  case error(text: String)
  /// A command made no sense now; the text says why.
  case cannot(text: String)
  case help
  /// What the session has used in all; shown at its end, if anybody told.
  case usage(usage: SessionUsage)
}
