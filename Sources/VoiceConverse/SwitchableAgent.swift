import VoiceSystem
package import VoiceVocabulary

/// An agent that can go on in another of its sessions: the one before is ended, and one like it begins there.
///
/// Everything else is passed on. The port's calls may come from any thread; `run()` lasts until `shutDown()`.
package final class SwitchableAgent: ConverseAgent {
  /// Makes an agent for a session, set to what the user chose before, which tells everything to this closure.
  package typealias Make =
    @Sendable (
      AgentSessionStart, _ chosen: [AgentSetting: String], _ post: @escaping @Sendable (VoiceEvent) -> Void
    ) throws(AgentError) -> any ConverseAgent

  private struct State {
    var agent: (any ConverseAgent)?
    /// Those whose `run()` is still to come: until it is over, an agent's threads and connections may be left.
    var unrun: [any ConverseAgent] = []
    /// How many there were before; what those still tell is late.
    var generation = 0
    /// What the agent of now has said of itself.
    var description: AgentDescription?
    /// What the user asked for, and what of it the agent is set to.
    var asked: [AgentSetting: String] = [:]
    var chosen: [AgentSetting: String] = [:]
    var isOver = false

    /// An agent begins; what the one before still tells is late.
    mutating func begin(_ next: any ConverseAgent, _ generation: Int) {
      (agent, self.generation, description) = (next, generation, nil)
      unrun.append(next)
    }

    mutating func takeUnrun() -> (any ConverseAgent)? { unrun.isEmpty ? nil : unrun.removeFirst() }

    /// The agent told what it is set to.
    mutating func take(_ controls: AgentControls) {
      for setting in AgentSetting.allCases where asked[setting] != nil && controls[setting]?.current == asked[setting] {
        chosen[setting] = asked[setting]
      }
    }
  }

  /// What is asked about earlier sessions.
  private enum Question {
    case sessions
    case messages(of: AgentSessionID)
  }

  private let state = OrderedEffects<State, VoiceEvent>(State())
  private let make: Make
  private let sessions: (any AgentSessions)?
  private let pace: ReadingPace
  private let post: @Sendable (VoiceEvent) -> Void
  private let forget: @Sendable (ApprovalRecord) throws(AgentError) -> Void
  private let questions: AsyncStream<Question>
  private let asked: AsyncStream<Question>.Continuation

  /// - Parameters:
  ///   - sessions: the agent's earlier sessions; nil if it keeps none.
  ///   - pace: how its agents are read; is told when they are to stop.
  ///   - forget: removes what was written of an approval.
  package init(
    start: AgentSessionStart, sessions: (any AgentSessions)?, pace: ReadingPace = .unlimited,
    post: @escaping @Sendable (VoiceEvent) -> Void,
    forget: @escaping @Sendable (ApprovalRecord) throws(AgentError) -> Void = { _ in },
    make: @escaping Make
  ) throws(AgentError) {
    self.make = make
    self.sessions = sessions
    self.pace = pace
    self.post = post
    self.forget = forget
    (questions, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
    let first = try make(start, [:], current(0))
    state.withLock { $0.begin(first, 0) }
  }

  /// Lets through what the agent of this generation tells for as long as it is the one of now.
  private func current(_ generation: Int) -> @Sendable (VoiceEvent) -> Void {
    { [state, pace, post] event in
      if case .agentReported(_, .turnEnded) = event { pace.halts(false) }
      state.step { state in
        guard state.generation == generation else { return [] }
        switch event {
        case .agentReady(let description): state.description = description
        case .agentControlsTold(let controls): state.take(controls)
        default: break
        }
        return [event.numbered(inGeneration: generation)]
      } perform: { event in
        post(event)
      }
    }
  }

  // MARK: The port

  package func openAgent() { withAgent { agent, _ in agent.openAgent() } }

  package func startRun(_ run: RunID, _ instruction: Instruction) {
    pace.halts(false)
    withAgent { agent, _ in agent.startRun(run, instruction) }
  }

  package func cancelRun(_ run: RunID) {
    pace.halts(true)
    withAgent { $0.cancelRun(run.own(inGeneration: $1)) }
  }

  package func abandonRun(_ run: RunID) {
    pace.halts(true)
    withAgent { $0.abandonRun(run.own(inGeneration: $1)) }
  }

  package func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) {
    withAgent { $0.answerPermission(permission, of: run.own(inGeneration: $1), with: choice, because: reason) }
  }

  package func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {
    withAgent { $0.answerQuestion(question, of: run.own(inGeneration: $1), with: answer) }
  }

  package func steerRun(_ run: RunID, _ instruction: Instruction) {
    withAgent { $0.steerRun(run.own(inGeneration: $1), instruction) }
  }

  package func changeAgent(_ setting: AgentSetting, to value: String) {
    state.withLock { $0.asked[setting] = value }
    withAgent { agent, _ in agent.changeAgent(setting, to: value) }
  }

  package func listAgentSessions() { asked.yield(.sessions) }

  package func listAgentMessages(of session: AgentSessionID) { asked.yield(.messages(of: session)) }

  package func reopenAgent(_ start: AgentSessionStart) {
    let (generation, description, chosen) = state.withLock { ($0.generation, $0.description, $0.chosen) }
    if let refusal = description.flatMap({ start.refusal(by: $0.name, that: $0.capabilities) }) {
      return post(.agentSessionRefused(reason: refusal))
    }
    do throws(AgentError) {
      let next = try make(start, chosen, current(generation + 1))
      let (before, isOver) = state.withLock { state in
        defer { state.begin(next, generation + 1) }
        return (state.agent, state.isOver)
      }
      before?.shutDown()
      if isOver { next.shutDown() } else { next.openAgent() }
    } catch {
      post(.agentSessionRefused(reason: error.description))
    }
  }

  package func takeBackApproval(_ record: ApprovalRecord, _ start: AgentSessionStart) {
    do throws(AgentError) {
      try forget(record)
    } catch {
      return post(.agentSessionRefused(reason: error.description))
    }
    reopenAgent(start)
  }

  private func withAgent(_ body: (any ConverseAgent, _ generation: Int) -> Void) {
    let (agent, generation) = state.withLock { ($0.agent, $0.generation) }
    if let agent { body(agent, generation) }
  }

  // MARK: Its life

  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.answerQuestions() }
      // One that ended for another one is followed by it; one that ended by itself, by none.
      while let agent = state.withLock({ $0.takeUnrun() }) { await agent.run() }
      asked.finish()
      group.cancelAll()
    }
  }

  package func shutDown() {
    let agent = state.withLock { state in
      state.isOver = true
      return state.agent
    }
    agent?.shutDown()
  }

  /// As many as are shown: what was said in days of work is no event of a session.
  private static func shown(_ sessions: [AgentSessionSummary]) -> [AgentSessionSummary] {
    sessions.prefix(Limits.shownSessions).map { session in
      var session = session
      session.title = session.title.shortened(to: ConverseLimits.titleCharacters)
      return session
    }
  }

  /// The newest of those that one can go back to.
  private static func shown(_ messages: [AgentSessionMessage]) -> [AgentSessionMessage] {
    messages.filter { $0.id != nil }.suffix(Limits.shownSessions).map { message in
      var message = message
      message.text = message.text.shortened(to: ConverseLimits.titleCharacters)
      return message
    }
  }

  private func answerQuestions() async {
    for await question in questions {
      guard let sessions else {
        post(.agentSessionRefused(reason: "This agent keeps no sessions that could be listed."))
        continue
      }
      do throws(AgentError) {
        switch question {
        case .sessions: post(.agentSessionsListed(sessions: Self.shown(try await sessions.list())))
        case .messages(let session):
          post(.agentMessagesListed(session: session, messages: Self.shown(try await sessions.messages(of: session))))
        }
      } catch {
        post(.agentSessionRefused(reason: error.description))
      }
    }
  }
}

/// Each agent counts what it begins by itself from -1 downwards; no two such runs of a session may have one number.
extension RunID {
  private static let span = 1_000_000

  fileprivate func own(inGeneration generation: Int) -> RunID {
    rawValue < 0 ? RunID(rawValue: rawValue + generation * Self.span) : self
  }

  fileprivate func numbered(inGeneration generation: Int) -> RunID {
    rawValue < 0 ? RunID(rawValue: rawValue - generation * Self.span) : self
  }
}

extension VoiceEvent {
  fileprivate func numbered(inGeneration generation: Int) -> VoiceEvent {
    switch self {
    case .agentStartedRun(let run, let text):
      .agentStartedRun(run: run.numbered(inGeneration: generation), text: text)
    case .agentReported(let run, let event):
      .agentReported(run: run.numbered(inGeneration: generation), event: event)
    default: self
    }
  }
}
