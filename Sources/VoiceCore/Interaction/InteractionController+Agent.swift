import VoiceLanguage
import VoiceVocabulary

/// What the user asks of the agent itself, beside the work: its settings and commands, its sessions, and what it may do
/// without being asked.
extension InteractionController {
  // MARK: Settings and commands

  /// The user wants to know a setting of the agent, or to change it.
  mutating func agentSetting(_ setting: AgentSetting, _ name: String) {
    let who = agent?.name ?? "The agent"
    switch controls.ask(setting, for: name) {
    case .change(let value): act(.changeAgent(setting: setting, value: value))
    case .show(let choice): show(.agentChoice(setting: setting, choice: choice))
    case .unknown(let offered):
      show(.cannot(text: "\(who) has no \(setting.rawValue) “\(name)”. It offers: \(offered.joined(separator: ", "))."))
    case .fixed where agent == nil: show(.cannot(text: "The agent is not ready yet."))
    case .fixed: show(.cannot(text: "\(who) has no \(setting.rawValue)s to choose from."))
    }
  }

  /// The user wants to see the agent's own commands.
  mutating func agentCommands() {
    let commands = controls.controls?.commands ?? []
    guard !commands.isEmpty else {
      return show(.cannot(text: "\(agent?.name ?? "The agent") offers no commands of its own."))
    }
    show(.agentCommands(commands: commands))
  }

  /// The agent told what it is set to.
  mutating func agentControlsTold(_ new: AgentControls) {
    show(.agentOffers(controls: new))
    for told in controls.told(new) {
      show(.agentChanged(setting: told.setting, value: told.value, remark: told.remark))
      if told.isAsked { say(.settingChanged(told.setting, value: told.value), .report) }
    }
  }

  /// The agent did not change a setting.
  mutating func agentSettingRefused(_ setting: AgentSetting, _ value: String, _ reason: String) {
    controls.refused(setting)
    show(.cannot(text: "The \(setting.rawValue) was not changed to “\(value)”: \(reason)".asSentence))
  }

  // MARK: Sessions

  /// The user wants to see the agent's sessions, or to go on in another one.
  mutating func agentSession(_ choice: AgentSessionChoice) {
    let notListed = "There is no such number. List the sessions first, then choose one."
    switch choice {
    case .list: act(.listAgentSessions)
    case .messages:
      guard let session = sessions.current else {
        return show(.cannot(text: "The agent has not opened a session yet; it starts with the first instruction."))
      }
      act(.listAgentMessages(session: session))
    case .new: reopen(.new)
    case .resume(let name):
      guard let session = sessions.session(name) else { return show(.cannot(text: notListed)) }
      reopen(.resume(session))
    case .fork(let name):
      guard let session = sessions.session(name) else { return show(.cannot(text: notListed)) }
      reopen(.fork(session, at: nil))
    case .rewind(let number):
      guard let start = sessions.message(number) else { return show(.cannot(text: notListed)) }
      reopen(start)
    }
  }

  /// Go on in another session: only between two runs, since the agent is ended for it.
  private mutating func reopen(_ start: AgentSessionStart) {
    guard !run.isAtWork, run.owed.isEmpty else {
      return show(.cannot(text: "The agent is at work; stop it before you go to another session."))
    }
    act(.reopenAgent(start: start))
    let session: AgentSessionID? =
      switch start {
      case .new: nil
      case .resume(let id), .fork(let id, _): id
      }
    if let told = start.told(session.flatMap(sessions.summary)) { show(.agentStatus(text: told)) }
  }

  /// The agent's sessions are known.
  mutating func agentSessionsListed(_ summaries: [AgentSessionSummary]) {
    sessions.list(summaries)
    guard !summaries.isEmpty else { return show(.cannot(text: "There are no sessions of the agent in this folder.")) }
    for (number, summary) in zip(1..., summaries) {
      let title = summary.title.isEmpty ? summary.id.rawValue : summary.title
      show(.agentListed(number: number, text: title + (summary.updated.map { " (\($0))" } ?? "")))
    }
  }

  /// The messages of a session are known: those that one can go back to, the newest at the end.
  mutating func agentMessagesListed(_ session: AgentSessionID, _ messages: [AgentSessionMessage]) {
    let named = messages.compactMap { message in message.id.map { ($0, message) } }
    sessions.list(named.map(\.0), of: session)
    guard !named.isEmpty else { return show(.cannot(text: "The agent lists no message to go back to.")) }
    for (number, (_, message)) in zip(1..., named) {
      show(.agentListed(number: number, text: "\(message.author.rawValue): \(message.text.firstLine)"))
    }
  }

  // MARK: Standing approvals

  /// The user wants to see what he allowed from now on, or to take one of it back.
  mutating func agentApprovals(undo number: Int?) {
    guard let number else {
      guard !approvals.standing.isEmpty else { return show(.cannot(text: "No standing approvals.")) }
      for approval in approvals.standing {
        show(.agentListed(number: approval.number, text: "\(approval.title): \(approval.words)"))
      }
      return
    }
    let name = agent?.name ?? "The agent"
    guard approvals.standing.contains(where: { $0.number == number }) else {
      return show(.cannot(text: "There is no such number; list them first, and then say one that is shown."))
    }
    guard !run.isAtWork, run.owed.isEmpty else {
      return show(.cannot(text: "The agent is at work; stop it before you take back what it may do."))
    }
    guard let session = sessions.current, agent?.capabilities.contains(.resume) == true else {
      let way = "\(name) cannot restart in the same session, and a running agent keeps its approvals"
      return show(.cannot(text: "\(way). Begin a new session (agent-session new), or quit, and it ends with that."))
    }
    guard let approval = approvals.takeBack(number) else { return }
    act(.takeBackApproval(record: approval.record ?? ApprovalRecord(), start: .resume(session)))
  }

  /// The agent has restarted: tell what was taken back, and where the agent does not confirm it, say so.
  mutating func approvalsReopened() {
    let name = agent?.name ?? "The agent"
    for approval in approvals.reopened() {
      let doubt = "\(name) has begun again, and does not say whether it still allows this without asking"
      let words = approval.record == nil ? doubt : "Not allowed any more without being asked"
      show(.warning(text: "\(words): \(approval.title)."))
    }
  }
}
