package import VoiceVocabulary

/// What the session has used so far, as far as its parts tell.
package struct UsageRegion: Equatable, Sendable {
  /// By connection: each tells its own sum.
  private var listener: [ConnectionID: SessionUsage.Tokens] = [:]
  private var readout: SessionUsage.Tokens?
  /// By run: each tells what it has used so far.
  private var agent: [RunID: AgentUsage] = [:]
  /// The sums; nil if nobody told anything. Asked for at every step, and kept for that.
  package private(set) var sum: SessionUsage?

  /// The listener's connection told what it has used since it began.
  mutating func listenerUsed(_ tokens: SessionUsage.Tokens, on connection: ConnectionID) {
    listener[connection] = tokens
    sum = total
  }

  /// The readout told what it has used in all its connections.
  mutating func readoutUsed(_ tokens: SessionUsage.Tokens) {
    readout = tokens
    sum = total
  }

  /// The agent told what a run has used so far.
  mutating func agentUsed(_ usage: AgentUsage, in run: RunID) {
    agent[run] = usage
    sum = total
  }

  private var total: SessionUsage? {
    var sum = SessionUsage()
    // In order, so that money adds up to the same cent in every run.
    for (_, tokens) in listener.sorted(by: { $0.key < $1.key }) { sum.listener.add(tokens) }
    if let readout { sum.readout.add(readout) }
    for (_, usage) in agent.sorted(by: { $0.key < $1.key }) {
      if usage.inputTokens != nil || usage.outputTokens != nil {
        sum.agent.add(.init(input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0))
      }
      if let cost = usage.costInDollars {
        sum.agentCostInDollars = Double(amountTold: (sum.agentCostInDollars ?? 0) + Double(amountTold: cost))
      }
    }
    return sum == SessionUsage() ? nil : sum
  }
}

extension SessionUsage.Tokens? {
  fileprivate mutating func add(_ more: SessionUsage.Tokens) {
    let sum = self ?? .init(input: 0, output: 0)
    self = .init(input: sum.input.addingSaturated(more.input), output: sum.output.addingSaturated(more.output))
  }
}

extension UsageRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    for tokens in [sum?.listener, sum?.readout, sum?.agent] { digest.fold(tokens?.input, tokens?.output) }
    digest.fold((sum?.agentCostInDollars).map { Int(truncatingIfNeeded: $0.bitPattern) })
  }
}
