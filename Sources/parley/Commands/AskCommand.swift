import ArgumentParser
import VoiceConfiguration
import VoiceVocabulary

/// `parley ask`: one instruction without a voice.
struct AskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Hand one instruction to the coding agent, without a voice, and print its answer.",
    discussion: """
      The answer goes to standard output as it is written, everything else to standard error. In a terminal, what could drive it \
      is left out of the answer; a pipe or a file gets what the agent said, byte for byte, each paragraph ended by a line \
      feed. What the agent asks is \
      decided by lines on standard input: approve, reject, choose NUMBER, answer TEXT; halt stops the work, say TEXT goes \
      into it where the agent can be steered. A line decides only about what was printed before it: a script that decides \
      in advance sets interaction.shownMilliseconds to 0. When standard input is over, whatever is asked is refused. Nothing is \
      recorded. Exits with 0 when the agent is done, 69 when it failed or refused, 75 when it was stopped, \
      was refused something because nobody could decide, or had something in the background that was waited for no longer (interaction.backgroundSeconds).
      """)

  @Argument(help: "The instruction.")
  var text: String

  @OptionGroup var agent: AgentOptions
  @OptionGroup var session: SessionStartOptions

  @Flag(help: "Print every event as a line of JSON instead of the answer.")
  var json = false

  func run() async throws {
    let plan = try Exit.configuring { try agent.plan() }
    guard !text.trimmingWhitespace().isEmpty else { throw Exit.failure(Exit.usage, "The instruction is empty.") }
    guard text.utf8.count <= Limits.instructionCharacters else {
      throw Exit.failure(Exit.usage, "The instruction is longer than \(Limits.instructionCharacters) bytes.")
    }
    let (start, told) = try await session.start.named(plan)
    let asking = try Exit.starting {
      try AskSession(plan, start: start, told: told, form: json ? .json : .text)
    }
    switch await asking.run(text) {
    case .ended(.completed): return
    case .ended(.cancelled): throw Exit.failure(Exit.stopped, "The agent was stopped.")
    case .ended(.stopped(let reason)): throw Exit.failure(Exit.unavailable, "The agent stopped. \(reason)")
    case .ended(.failed(let reason)): throw Exit.failure(Exit.unavailable, reason)
    case .ended(.unconfirmed(let reason, _)):
      throw Exit.failure(Exit.unavailable, "\(reason) It is not known how much of the instruction was carried out.")
    case .unavailable(let reason): throw Exit.failure(Exit.unavailable, reason)
    case .leftBehind(let reason): throw Exit.failure(Exit.stopped, reason)
    case .unprinted(let reason): throw Exit.unprinted(reason)
    }
  }
}
