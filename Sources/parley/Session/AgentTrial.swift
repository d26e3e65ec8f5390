import ArgumentParser
import VoiceConfiguration
import VoiceConverse
import VoiceCore
import VoiceHistory
import VoiceLoop
import VoiceSystem
import VoiceVocabulary

/// What is missing, with the remedy.
struct Lack: Error, CustomStringConvertible {
  let description: String
  /// What a check ends with that has found it.
  var code: ExitCode = Exit.unavailable
}

extension Lack {
  /// What an error tells; what is wrong in the plan is no missing part.
  init(_ error: any Error) {
    self.init(description: "\(error)", code: error is ConfigurationError ? Exit.code(error) : Exit.unavailable)
  }
}

/// An agent started as a session would start it, until its first answer, and ended again. No instruction is sent.
enum AgentTrial {
  /// - Throws: what is missing, and what to do: a configuration error, or `Lack`.
  static func open(_ plan: Plan) async throws -> AgentDescription {
    let inbox = EventInbox()
    let agent = try makeAgent(plan) { inbox.post($0) }
    Signals.watch { inbox.post($0) }
    let answer = await withTaskGroup(of: Void.self) { group in
      group.addTask { await agent.run() }
      agent.openAgent()
      let answer = await inbox.first(within: Limits.trialMilliseconds) { event -> Result<AgentDescription, Lack>? in
        switch event {
        case .agentReady(let description): .success(description)
        case .agentUnavailable(let reason): .failure(Lack(description: reason))
        case .terminationRequested: .failure(Lack(description: "Stopped."))
        default: nil
        }
      }
      agent.shutDown()
      return answer
    }
    guard let answer else {
      throw Lack(description: "The agent did not say that it is ready in \(Limits.trialMilliseconds / 1000) seconds.")
    }
    return try answer.get()
  }
}

extension EventInbox {
  /// Take events until one is an answer; nil if none comes within the time. Nobody else takes events meanwhile.
  func first<Answer: Sendable>(
    within milliseconds: Int, _ read: (VoiceEvent) -> Answer?
  ) async -> Answer? {
    let isOver = Locked(false)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await ContinuousClock().sleep(for: .milliseconds(milliseconds))
        } catch {
          return  // The answer came.
        }
        isOver.withLock { $0 = true }
        // Nothing here reads commands, so their end wakes who waits.
        self.post(.commandsEnded)
      }
      defer { group.cancelAll() }
      while let next = await self.next() {
        // Another may stand here, of an earlier wait whose answer came in its last moment.
        if case .commandsEnded = next.event, isOver.withLock({ $0 }) { return nil }
        if let answer = read(next.event) { return answer }
      }
      return nil
    }
  }
}

extension Duration {
  /// For people: `1.3 s`.
  var words: String {
    let (seconds, attoseconds) = components
    return durationText(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
