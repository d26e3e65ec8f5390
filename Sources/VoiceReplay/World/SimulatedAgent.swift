import VoiceCore
import VoiceVocabulary

/// A coding agent that follows a script.
final class SimulatedAgent {
  private let time: VirtualTime
  private let refusals: Refusals
  private var scripts: ArraySlice<[Fixture.AgentStep]>
  private var current: RunID?
  /// The permission that it waits for, and what it does after either answer.
  private var open: (id: PermissionID, allowed: [Fixture.AgentStep], denied: [Fixture.AgentStep])?
  /// The question that it waits for, and what it does after each of its options, and after anything else.
  private var asked: (id: QuestionID, chosen: [[Fixture.AgentStep]], otherwise: [Fixture.AgentStep])?
  private var toolCount = 0
  private var permissionCount = 0
  private var questionCount = 0
  /// Every instruction that was sent to it, in order.
  private(set) var received: [Instruction] = []
  /// Whether it does not stop when it is told to.
  var ignoresHalt = false

  /// Whether a run is going on that waits for nobody.
  var isWorking: Bool { current != nil && !isWaiting }

  /// Whether it waits for an answer.
  var isWaiting: Bool { open != nil || asked != nil }

  init(_ fixture: Fixture, _ time: VirtualTime, _ refusals: Refusals) {
    self.time = time
    self.refusals = refusals
    scripts = fixture.agent[...]
  }

  /// Become ready, after a while.
  func openAgent() {
    let agent = AgentDescription(name: "scripted agent", capabilities: [.ask, .cancel, .steer])
    time.after(milliseconds: 100, .agentReady(agent: agent))
  }

  /// Begin a run, by the script's next answer.
  func start(_ run: RunID, _ instruction: Instruction) {
    if current != nil { refusals.add("a run was started while another was going on") }
    take(instruction)
    begin(run)
    let script = scripts.popFirst() ?? [.text(delta: "Nothing is scripted for this instruction.")]
    report(.turnStarted, of: run, milliseconds: 5)
    follow(script, in: run, milliseconds: 50)
  }

  private func take(_ instruction: Instruction) {
    if received.contains(where: { $0.id == instruction.id }) { refusals.add("an instruction was sent twice") }
    received.append(instruction)
  }

  /// Turn to a run, or to none, and wait for no answer.
  private func begin(_ run: RunID?) {
    current = run
    open = nil
    asked = nil
  }

  /// Stop the run, unless the fault is that it does not.
  func cancel(_ run: RunID) { if !ignoresHalt { abandon(run) } }

  /// Its process is ended: whatever it ignored before, it is gone now.
  func abandon(_ run: RunID) {
    guard current == run else { return }
    begin(nil)
    time.after(milliseconds: 15, .agentReported(run: run, event: .turnEnded(end: .cancelled)))
  }

  /// The permission that was asked for is decided.
  func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice, because reason: String?) {
    guard let run = current, let asked = open, asked.id == permission else { return }
    if reason != nil, choice.allows { refusals.add("a permission was given with the reason of a denial") }
    open = nil
    follow(choice.allows ? asked.allowed : asked.denied, in: run, milliseconds: 20)
  }

  /// The question that was asked is answered.
  func answer(_ question: QuestionID, with answer: AgentQuestion.Answer) {
    guard let run = current, let asked, asked.id == question else { return }
    self.asked = nil
    var next = asked.otherwise
    if case .options(let indices) = answer, let index = indices.first {
      if asked.chosen.indices.contains(index) {
        next = asked.chosen[index]
      } else {
        refusals.add("option \(index) was chosen, which the question does not have")
      }
    }
    follow(next, in: run, milliseconds: 20)
  }

  /// A fixture says in its stead that it takes its request back: it works on, and waits for nobody.
  func meant(_ event: VoiceEvent) {
    if case .agentReported(let run, .permissionWithdrawn(let id)) = event, run == current, id == open?.id { open = nil }
  }

  /// Take an instruction into the run.
  func steer(_ run: RunID, _ instruction: Instruction) {
    guard current == run else { return }
    take(instruction)
    report(.steered(instruction: instruction.id), of: run, milliseconds: 10)
  }

  /// Its process dies: the run ends with it.
  func die() -> VoiceEvent? {
    guard let run = current else { return nil }
    begin(nil)
    let reason = "The agent's process ended with code 1. It is started again for the next instruction."
    return .agentReported(run: run, event: .turnEnded(end: .unconfirmed(reason: reason)))
  }

  private func follow(_ steps: [Fixture.AgentStep], in run: RunID, milliseconds: Int) {
    var delay = milliseconds
    for (index, step) in steps.enumerated() {
      switch step {
      case .wait(let milliseconds): delay += milliseconds
      case .text(let delta):
        report(.text(delta: delta), of: run, milliseconds: delay)
        delay += 20
      case .tool(let title, let kind):
        toolCount += 1
        let id = "tool-\(toolCount)"
        report(.toolStarted(tool: AgentTool(id: id, title: title, kind: kind)), of: run, milliseconds: delay)
        delay += 120
        report(.toolFinished(id: id, outcome: .completed), of: run, milliseconds: delay)
        delay += 10
      case .report(let event):
        report(event, of: run, milliseconds: delay)
        delay += 10
      case .permission(let title, let detail, let choices, let allowed, let denied):
        permissionCount += 1
        let id = PermissionID(rawValue: "permission-\(permissionCount)")
        let rest = Array(steps[(index + 1)...])
        let request = PermissionRequest(
          id: id, title: title, detail: detail, choices: choices ?? [.allowOnce, .rejectOnce])
        time.after(milliseconds: delay) { [self] in
          guard current == run else { return nil }
          open = (id, allowed + rest, denied + rest)
          return .agentReported(run: run, event: .permissionRequested(request: request))
        }
        return
      case .question(let text, let options, let otherwise):
        questionCount += 1
        let id = QuestionID(rawValue: "question-\(questionCount)")
        let rest = Array(steps[(index + 1)...])
        let question = AgentQuestion(id: id, text: text, options: options.map { .init(label: $0.label) })
        time.after(milliseconds: delay) { [self] in
          guard current == run else { return nil }
          asked = (id, options.map { $0.steps + rest }, otherwise + rest)
          return .agentReported(run: run, event: .questionAsked(question: question))
        }
        return
      case .fail(let reason): return end(.failed(reason: reason), run, milliseconds: delay)
      case .stop(let reason): return end(.stopped(reason: reason), run, milliseconds: delay)
      case .die(let reason): return end(.unconfirmed(reason: reason), run, milliseconds: delay)
      case .hang: return
      }
    }
    end(.completed, run, milliseconds: delay)
  }

  private func end(_ end: AgentTurnEnd, _ run: RunID, milliseconds: Int) {
    time.after(milliseconds: milliseconds) { [self] in
      guard current == run else { return nil }
      current = nil
      return .agentReported(run: run, event: .turnEnded(end: end))
    }
  }

  private func report(_ event: AgentEvent, of run: RunID, milliseconds: Int) {
    time.after(milliseconds: milliseconds) { [self] in
      current == run ? .agentReported(run: run, event: event) : nil
    }
  }
}
