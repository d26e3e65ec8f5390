import VoiceSystem
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

/// Who decides something that has effects.
package enum EffectSource {
  /// What comes from the agent, as much as it likes.
  case reader
  /// Whoever calls the port, a timer, or an effect itself.
  case caller
}

/// Effects in the order of the decisions, performed by one thread at a time.
///
/// Who finds another thread performing leaves its effects to it; so does a call from inside an effect. But what a caller performs is
/// what callers want: a reader waits that long, so that nobody is kept by what an agent writes, and nothing waits behind it.
package struct EffectQueue<Effect: Sendable>: Sendable {
  private enum Performer {
    case nobody, reader
    case caller(thread: UInt)
  }

  private var waiting: [Effect] = []
  private var taken = 0
  private var performer = Performer.nobody

  /// Whether this source may decide now; otherwise a caller performs, and is soon done.
  func admits(_ source: EffectSource) -> Bool {
    guard case .reader = source, case .caller(let thread) = performer else { return true }
    // An effect may tell at once what came of it.
    return thread == Self.thread
  }

  /// Append effects. True if the caller must now perform, calling `next` until it returns nil.
  package mutating func add(_ effects: [Effect], by source: EffectSource) -> Bool {
    waiting += effects
    guard case .nobody = performer, !waiting.isEmpty else { return false }
    performer = if case .reader = source { .reader } else { .caller(thread: Self.thread) }
    return true
  }

  /// The next effect; nil when there is none, and then somebody else may perform.
  package mutating func next() -> Effect? {
    guard taken < waiting.count else {
      waiting.removeAll(keepingCapacity: true)
      taken = 0
      performer = .nobody
      return nil
    }
    defer { taken += 1 }
    return waiting[taken]
  }

  /// Let the caller go on that performs.
  static func pause() { _ = sched_yield() }

  private static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }
}
