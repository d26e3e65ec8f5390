import ArgumentParser
import VoiceVocabulary

/// Which of an agent's sessions to begin with.
struct SessionStartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Go on with this session of the agent: its name or its beginning, or last.", valueName: "session"))
  var resume: String?

  @Option(help: ArgumentHelp("Go on with a copy of this session of the agent, named alike.", valueName: "session"))
  var fork: String?

  @Option(help: ArgumentHelp("With --fork: forget what came after this message.", valueName: "message"))
  var at: String?

  func validate() throws {
    for (flag, session) in [("--resume", resume), ("--fork", fork)] where session?.isEmpty == true {
      throw ValidationError("\(flag) is empty. Name a session; parley sessions lists them.")
    }
    if resume != nil, fork != nil { throw ValidationError("Give --resume or --fork, not both.") }
    if at != nil, fork == nil { throw ValidationError("--at needs --fork.") }
  }

  /// The session that the agent begins with.
  var start: AgentSessionStart {
    if let resume { return .resume(AgentSessionID(rawValue: resume)) }
    if let fork { return .fork(AgentSessionID(rawValue: fork), at: at) }
    return .new
  }
}
