package import VoiceJSON
package import VoiceVocabulary

/// The protocol of a coding agent that is a child process: what its lines mean, and how to tell it something.
///
/// A value without a clock and a process, one for each child: what happened comes in as a call, what is to be done is
/// appended to `effects`. `ChildSession` tells it when; it never sees two turns at once, and nothing before `launched`.
package protocol ChildDialect: Sendable {
  /// How long one child lasts.
  static var lifetime: ChildLifetime { get }
  /// Whether the agent says when something is over that it began by itself.
  static var tellsOwnEnds: Bool { get }

  /// Nothing is sent before `open`.
  init(_ settings: ChildSettings, start: AgentSessionStart)

  /// What is known of the agent by now.
  var description: AgentDescription { get }
  /// The commands that the agent has told, without the slash; empty if it has told none.
  var commands: [String] { get }
  /// What is to be done, in order; taken by the caller after each call.
  var effects: [DialectEffect] { get set }

  /// The child runs: open a session. `ready` or `unusable` follows.
  mutating func launched()
  /// A message of the child. What is not understood is ignored.
  mutating func receive(_ message: JSON)
  /// Begin a turn. `ended` follows, behind what the agent begins by itself before it.
  mutating func startTurn(_ text: String)
  /// Begin a turn with something that the agent should know and the user did not say, to be put behind the text.
  mutating func startTurn(_ text: String, remark: String)
  /// Stop the turn that goes on, and withdraw what it asks. `ended` follows still.
  mutating func cancelTurn()
  /// Take back a turn that waits behind one that the agent began by itself. `ended` follows, of one or the other.
  mutating func withdrawTurn()
  /// Nothing more has come of what the agent began by itself, or an instruction waits for its end, of which it does not tell.
  /// `ended` follows if nothing of it is open.
  mutating func settle()
  /// A hook that was to be looked at after a while may go on.
  mutating func passed(hook: String)
  /// The user's answer to a permission request that was reported.
  mutating func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice)
  /// - Parameter reason: why the user denies it; only where the capabilities say that it is heard.
  mutating func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice, because reason: String?)
  /// The user's answer to a question that was reported.
  mutating func answer(_ question: QuestionID, with answer: AgentQuestion.Answer)
  /// Hand a further instruction into the turn. `steered` or `steeringRefused` is reported before the turn ends.
  mutating func steer(_ instruction: InstructionID, _ text: String)
  /// Set the agent to one of the values that it told of. `controls` or `settingRefused` follows.
  mutating func change(_ setting: AgentSetting, to value: String)
  /// The answer to a `serve` effect.
  mutating func served(_ request: FileRequest, _ answer: Result<JSON, RPCError>)
  /// The child is gone or given up in the middle of a turn: close what the turn left open.
  mutating func abandonTurn()
  /// The session is over, and the child is about to be ended.
  mutating func terminate()
}

/// How long one child is of use.
package enum ChildLifetime: Sendable {
  /// Turn after turn, until the program ends it.
  case session
  /// One turn: the child ends by itself, and the next turn takes another one.
  case turn
}

/// Something that a dialect wants done.
package enum DialectEffect: Equatable, Sendable {
  /// Write these bytes, whole lines, to the child.
  case send([UInt8])
  /// Let the child see the end of its input.
  case closeInput
  /// The session stands, and turns may start.
  case ready
  /// The session cannot be opened; `reason` says what failed, on what, and what to do.
  case unusable(reason: String)
  case report(AgentEvent)
  /// The agent began a turn by itself, for this reason; what follows is of that one, until it has ended.
  case began(String)
  /// The turn that goes on is over, but for what it asks: that is asked in the turn that waits behind it, or else in one that the agent
  /// begins for this reason.
  case endedAsking(AgentTurnEnd, [AgentEvent], because: String)
  /// The turn that was begun is over before the agent came to it, while what the agent began by itself goes on.
  case withdrawn(AgentTurnEnd)
  /// What the agent will come back to by itself; all of it each time.
  case owes([String])
  /// The turn that goes on is over.
  case ended(AgentTurnEnd)
  /// Look after this hook of the user's in a while: `passed` follows.
  case watch(hook: String)
  /// To be told with the run that goes on, or with the next one.
  case notice(String)
  /// What the agent is set to, once it is ready and whenever that changes.
  case controls(AgentControls)
  /// It did not take a change; answers one `change`.
  case settingRefused(AgentSetting, String, String)
  /// Do this to a file of the working folder; `served` follows.
  case serve(FileRequest)
  /// End the child, which is the only way to stop its turn.
  case stopChild

  /// Whether the agent may be free after it.
  var endsWork: Bool {
    switch self {
    case .ended, .withdrawn: true
    default: false
    }
  }
}

extension ChildDialect {
  package static var lifetime: ChildLifetime { .session }

  package static var tellsOwnEnds: Bool { true }

  package var commands: [String] { [] }

  /// Report these, in order.
  mutating func report(_ events: [AgentEvent]) { effects += events.map { .report($0) } }

  /// Nothing to do: it cannot be steered, and says so.
  package mutating func steer(_ instruction: InstructionID, _ text: String) {
    report([.steeringRefused(instruction: instruction, reason: "This agent takes nothing into running work.")])
  }

  /// Nothing to do: it begins nothing by itself.
  package mutating func withdrawTurn() {}

  /// Nothing to do: it says itself when something is over.
  package mutating func settle() {}

  /// Nothing to do: it tells of no hooks.
  package mutating func passed(hook: String) {}

  /// It tells of nothing that could be changed, and is not asked.
  package mutating func change(_ setting: AgentSetting, to value: String) {}

  /// It has no place of its own for a remark.
  package mutating func startTurn(_ text: String, remark: String) { startTurn(text + remark) }

  /// It has no place for a reason, and its capabilities say so.
  package mutating func answer(
    _ permission: PermissionID, with choice: PermissionRequest.Choice, because reason: String?
  ) {
    answer(permission, with: choice)
  }

  /// Nothing to do: it never asks for files.
  package mutating func served(_ request: FileRequest, _ answer: Result<JSON, RPCError>) {}

  /// Nothing to do: closing the child's input ends it.
  package mutating func terminate() {}
}

/// What is known of a child-process agent before it starts.
package struct ChildSettings: Equatable, Sendable {
  /// How the agent is called in sentences until it says its own name.
  package var name: String
  /// Absolute; the agent works here.
  package var workingFolder: String
  /// The session mode to be in; nil takes the best one that asks before it acts.
  package var preferredMode: String?
  /// Whether the user named that mode: an agent that cannot be in it is refused then.
  package var insistsOnMode = false
  /// The model to work with; nil leaves it to the agent.
  package var model: String?
  /// Whether an ACP agent asks before it acts although it has no modes; true for the guide.
  package var asksWithoutModes = false
  /// Put before each spoken instruction, such as a note that the words were dictated; nil puts nothing.
  package var voiceNote: String?
  /// The session to begin with.
  package var start = AgentSessionStart.new
  /// A UUID, for names that nobody else gives; and the number of the child, as each begins to count anew.
  package var namespace = "00000000-0000-4000-8000-000000000000"
  package var child = 0
}
