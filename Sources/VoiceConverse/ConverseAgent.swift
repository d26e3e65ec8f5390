package import VoiceVocabulary

/// A coding agent that lives as long as `run()`.
package protocol ConverseAgent: CodingAgentPort, Sendable {
  /// Do the work behind the port until `shutDown()` or cancellation; returns when no process, connection or thread of
  /// it is left. To be awaited once, in a task group beside the session.
  func run() async
  /// End it: every run that has not ended ends now, and `run()` returns soon. Any thread, any number of times.
  func shutDown()
}

extension ConverseAgent {
  /// Nothing to do: a cancelled run has ended already.
  package func abandonRun(_ run: RunID) {}

  /// Nothing to do: it never asks for permission.
  package func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) {}

  /// Nothing to do: it never asks a question.
  package func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {}

  /// An agent that cannot be steered says so, although nobody should have asked it.
  package func steerRun(_ run: RunID, _ instruction: Instruction) {
    preconditionFailure("an agent was steered that cannot be")
  }
}
