import VoiceVocabulary

/// What a run used: agents count over the whole session, a run wants its own share.
struct UsageMeter: Equatable, Sendable {
  private var before = AgentUsage(inputTokens: 0, outputTokens: 0, costInDollars: 0)
  /// What the agent says that the session has used.
  var total = AgentUsage(inputTokens: 0, outputTokens: 0, costInDollars: 0)

  /// A run begins.
  mutating func startRun() { before = total }

  /// The run's own share of the total.
  var ofRun: AgentUsage {
    let cost = (total.costInDollars ?? 0) - (before.costInDollars ?? 0)
    return AgentUsage(
      inputTokens: Self.grown(total.inputTokens, before.inputTokens),
      outputTokens: Self.grown(total.outputTokens, before.outputTokens), costInDollars: cost > 0 ? cost : nil,
      contextTokens: total.contextTokens, contextSizeTokens: total.contextSizeTokens)
  }

  private static func grown(_ now: Int?, _ before: Int?) -> Int? {
    // An agent that counts each run by itself shrinks; then the number already is what is wanted.
    now.map { $0 >= before ?? 0 ? $0 - (before ?? 0) : $0 }
  }
}
