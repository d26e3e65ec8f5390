/// One thing to tell the user on the screen: a state change, a line of the conversation, or an error.
///
/// Text from the live model or the agent is carried as it came; the console sanitizes it before it shows it.
package enum Notice: Equatable, Sendable, Codable {
  case listening(resumed: Bool)
  /// The live model is there, and nobody can speak to it.
  case withoutMicrophone
  /// The live model could be heard by now, but the microphone is closed.
  case connected(resumed: Bool)
  case agentReady(agent: AgentDescription)
  /// What the agent is set to, and what else it offers, as it was asked.
  case agentChoice(setting: AgentSetting, choice: AgentControls.Choice)
  /// What the agent offers changed: nothing to be told, but what an input line is completed from.
  case agentOffers(controls: AgentControls)
  /// What the agent is set to from now on.
  case agentChanged(setting: AgentSetting, value: String, remark: String?)
  /// One of the agent's sessions, or of its messages, and the number by which it can be named.
  case agentListed(number: Int, text: String)
  /// The agent's own commands, without the slash.
  case agentCommands(commands: [String])
  /// What the user said, as transcribed.
  case heard(text: String)
  /// What the live model itself says.
  case modelSaid(text: String)
  /// An item waits for a decision; `position` counts from 1 in the queue.
  case held(item: HeldItem, position: Int)
  /// Another held item is the current one; `position` counts from 1 among `count`, `waited` is seconds.
  case selected(item: HeldItem, position: Int, count: Int, waited: Int)
  /// Everything about a held item.
  case explained(item: HeldItemID, text: String)
  case approved(item: HeldItemID, text: String)
  case rejected(item: HeldItemID, text: String)
  /// The user edits this held text; `amend` follows if the edit is kept. It may have been heard otherwise, the likeliest first.
  case editing(text: String, alternatives: [String]? = nil)
  /// The text of a held instruction changed; it is still held.
  case amended(item: HeldItemID, text: String)
  /// What is said next is added to this held text.
  case extending(text: String)
  /// A piece of an instruction was said, and more may come; the text is all of it so far.
  case drafting(text: String)
  /// What was said so far is whole, and sent after this time unless the user goes on or rejects it.
  case leaving(milliseconds: Int)
  /// What was said so far was rejected; nothing of it leaves.
  case draftDropped(text: String)
  /// Whether only the end word or the key ends an instruction.
  case longThought(isOn: Bool)
  case permissionAnswered(item: HeldItemID, title: String, choice: PermissionRequest.Choice)
  case questionAnswered(item: HeldItemID, question: AgentQuestion, answer: AgentQuestion.Answer)
  /// The item was not decided and nothing was sent; the reason says why.
  ///
  /// `item` is nil for an instruction that was approved, and not sent because the session ended.
  case lapsed(item: HeldItemID?, text: String, reason: String)
  /// The session ended before the instruction was sent, and a later one offers it again. `item` is nil if it was approved,
  /// or not held yet.
  ///
  /// - Parameter doubt: what else is to be known of it; absent if it was not sent, and that is all.
  case kept(item: HeldItemID?, instruction: Instruction, doubt: KeptDoubt? = nil)
  /// An approved instruction waits for the run before it.
  case queued(instruction: Instruction)
  /// An approved instruction goes into the run that works.
  case steering(run: RunID, text: String)
  case runStarted(run: RunID, text: String)
  /// The agent began to work by itself; the text says why.
  case agentBegan(run: RunID, text: String)
  /// The agent told the name of its session.
  case agentSession(session: AgentSessionID)
  case agentText(delta: String)
  case agentThought(delta: String)
  case agentStatus(text: String)
  case toolStarted(tool: AgentTool)
  case toolFinished(id: String, outcome: AgentTool.Outcome)
  case plan(entries: [AgentPlanEntry])
  /// What the agent's tools did in the newest run, which the user asked for: for the ear, and a line each for the screen.
  case work(summary: String, lines: [String])
  case halting
  case runEnded(run: RunID, end: AgentTurnEnd)
  case haltUnconfirmed
  /// The agent's processes are being ended, because it did not confirm a halt.
  case escalated
  case quieted
  case bargedIn
  /// What sounded like an interruption was none; speech goes on.
  case falseInterruption
  case mode(mode: InteractionMode)
  case speechRate(percent: Int)
  /// The microphone was opened or closed by the user.
  case listeningChanged(isOn: Bool)
  /// Whether the user is heard while the program speaks; told once for each.
  case duplex(duplex: Duplex)
  /// The user corrected himself while he spoke; the last version is taken.
  case selfCorrected(said: String, meant: String)
  /// What was heard is no instruction: an acknowledgement, or the program's own voice.
  case notTaken(text: String, reason: String)
  /// An edit taught that the heard words mean others; with both the same, that they are right as they are.
  case learned(correction: Correction)
  /// A part of the local speech engine is being loaded; what is asked of it meanwhile is kept.
  case loading(part: SpeechPart)
  case loaded(part: SpeechPart)
  case linkLost(reason: String, retryInMilliseconds: Int)
  case rotating
  /// The same instruction was proposed twice for one utterance; it was taken once.
  case duplicateIgnored(text: String)
  case warning(text: String)
  case error(text: String)
  /// A command made no sense now; the text says why.
  case cannot(text: String)
  case help
  /// The session is ended if the user asks for it once more, soon; `unfinished` is what that would lose, as a sentence.
  case quitAsked(unfinished: String)
  /// What the session has used in all; shown at its end, if anybody told.
  case usage(usage: SessionUsage)

  /// Whether the user should learn of it even if he wants to see as little as possible.
  package var needsTheUser: Bool {
    switch self {
    case .held, .selected, .explained, .editing, .extending, .lapsed, .kept, .work, .haltUnconfirmed, .warning,
      .error, .cannot, .help, .quitAsked:
      true
    case .listening, .withoutMicrophone, .connected, .agentReady, .agentChoice, .agentOffers, .agentChanged,
      .agentListed, .agentCommands, .heard, .modelSaid, .approved, .rejected, .amended, .drafting, .leaving,
      .draftDropped, .longThought, .permissionAnswered, .questionAnswered, .queued, .steering, .runStarted, .agentBegan,
      .agentSession, .agentText, .agentThought, .agentStatus, .toolStarted, .toolFinished, .plan, .halting,
      .runEnded, .escalated, .quieted, .bargedIn, .falseInterruption, .mode, .speechRate, .listeningChanged,
      .duplex, .selfCorrected, .notTaken, .learned, .loading, .loaded, .linkLost, .rotating, .duplicateIgnored,
      .usage:
      false
    }
  }
}

/// What else is to be known of an instruction that is kept for a later session.
package enum KeptDoubt: String, Sendable, Codable {
  /// It was sent, and is not known to have been carried out.
  case sent
  /// It could not be written down, so a later session may not find it.
  case unwritten
}
