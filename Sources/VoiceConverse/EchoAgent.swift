package import VoiceVocabulary

/// An agent inside the program that says each instruction back at once. Deterministic: the same calls give the same
/// events, before each call returns. For trying the voice side alone, and for tests.
package final class EchoAgent: ConverseAgent {
  private let post: @Sendable (VoiceEvent) -> Void
  private let end: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  package init(post: @escaping @Sendable (VoiceEvent) -> Void) {
    self.post = post
    (end, ending) = AsyncStream.makeStream()
  }

  package func openAgent() { post(.agentReady(agent: AgentDescription(name: "echo", capabilities: [.ask]))) }

  package func startRun(_ run: RunID, _ instruction: Instruction) {
    for event: AgentEvent in [.turnStarted, .text(delta: instruction.text), .turnEnded(end: .completed)] {
      post(.agentReported(run: run, event: event))
    }
  }

  /// Nothing to do: a run has ended before its start returned.
  package func cancelRun(_ run: RunID) {}

  package func run() async { for await _ in end {} }

  package func shutDown() { ending.finish() }
}
