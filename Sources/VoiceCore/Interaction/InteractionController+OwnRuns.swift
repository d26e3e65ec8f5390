import VoiceLanguage
import VoiceVocabulary

/// What the agent does without having been asked: it is work like any other, seen, heard, entered in the ledger, and halted.
extension InteractionController {
  /// The agent began a run by itself.
  mutating func agentStartedRun(_ id: RunID, _ text: String) {
    let instruction = Instruction(id: numbering.instruction(), text: text, heard: nil, source: .agent)
    guard run.ownBegan(.init(id: id, instruction: instruction)) else {
      return because("Ignored: the agent works on something else that it began by itself.")
    }
    because("The agent began this by itself; nobody asked for it.")
    // Beside a run of the user's, it counts as part of that.
    if run.running == nil { work.begin() }
    note(.entered(instruction: instruction, run: id))
    note(.acknowledged(instruction: instruction.id))
    show(.agentBegan(run: id, text: text))
    arm(.working(run: id), milliseconds: Limits.workingMilliseconds)
  }

  /// What the agent will come back to by itself has changed.
  mutating func agentOwes(_ work: [String]) {
    // What has changed is alive: wait for it anew.
    if work != run.owed { disarm(.background) }
    for name in run.owes(work) { show(.agentStatus(text: "In the background: \(name)")) }
  }

  /// Where nobody is there to wait, what the agent has left in the background is waited for only for a time: a server that it started
  /// never ends.
  mutating func considerBackground() {
    guard waitsForBackground else { return disarm(.background) }
    if !armedTimers.contains(.background) { arm(.background, milliseconds: settings.backgroundMilliseconds) }
  }

  /// Whether nothing but the background is left to wait for, and nobody would do that.
  private var waitsForBackground: Bool {
    !run.owed.isEmpty && run.isIdle && (!input.canReturn || settings.unattended == .refuses)
      && (held.isEmpty || !input.takesCommands) && !speech.isActive && !input.awaitsAnswer
  }

  /// The background was waited for long enough: the session ends, and says what was still running.
  mutating func backgroundIsLate() {
    because("Ended: nobody is there to wait for what the agent has left in the background.")
    let work = run.owed.map { "“\($0)”" }.joined(separator: ", ")
    let seconds = settings.backgroundMilliseconds / 1000
    finish(
      .failed(
        reason: "The agent still has \(work) running in the background after \(seconds) s "
          + "(interaction.backgroundSeconds); it ends with the agent."))
  }

  /// Tell how something ended that the agent had begun by itself. If it succeeded, what the agent said of it is enough.
  mutating func reportOwn(_ end: AgentTurnEnd, of ended: RunRegion.Run) {
    switch end {
    case .completed where ended.voice == .muted: act(.playEarcon(earcon: .done))
    case .completed: break
    case .cancelled: say(.ownWorkStopped, .report)
    case .stopped(let reason): show(.agentStatus(text: reason))
    case .failed(let reason):
      show(.error(text: reason))
      say(.ownWorkFailed(reason: reason), .report)
    case .unconfirmed(let reason, _):
      act(.playEarcon(earcon: .error))
      show(.error(text: "\(reason) It is not known how much of its own work was carried out."))
      say(.agentLost(reason: reason), .report)
    }
  }
}
