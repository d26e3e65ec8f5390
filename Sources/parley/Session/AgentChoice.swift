import VoiceConfiguration
import VoiceConverse
import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The coding agent that the plan names.
func makeAgent(_ plan: Plan, post: @escaping @Sendable (VoiceEvent) -> Void) throws -> any ConverseAgent {
  let specification: AgentSpecification
  do {
    specification = try AgentSpecification(parsing: plan.agent)
  } catch {
    throw ConfigurationError(error.description)
  }
  guard let folder = realpath(plan.workingFolder, nil) else {
    throw ConfigurationError("There is no working folder \(plan.workingFolder); name another with --working-folder.")
  }
  defer { free(folder) }
  let surroundings = AgentSurroundings(
    workingFolder: String(cString: folder), environmentNames: plan.agentEnvironment, executablePath: ownExecutable,
    preferredMode: plan.preferredAgentMode,
    // The guide takes every word for an instruction; an agent that thinks is told how the words came.
    voiceNote: specification == .guide ? nil : spokenNote, tokenVariable: plan.agentKeyVariable)
  return specification.makeAgent(in: surroundings, post: post)
}

/// What an agent is told of a spoken instruction.
private let spokenNote = """
  The text below was spoken and written down by a speech recogniser: names and terms may be misheard. Take the nearest \
  name of the project where one fits, and ask if that matters.
  """
