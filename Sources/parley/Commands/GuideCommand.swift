import ArgumentParser
import VoiceGuide
import VoiceSystem

/// `parley guide`: the built-in agent, spoken to like any other.
struct GuideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "The built-in agent, over the Agent Client Protocol on standard input and output.")

  func run() async throws {
    if isatty(STDIN_FILENO) == 1 {
      Exit.complain(
        "The guide waits for a program's messages here; Ctrl-D ends it. To talk to it, run: parley run --agent guide")
    }
    let code = await GuideAgent.run(version: Parley.version)
    if code != 0 { throw ExitCode(code) }
  }
}
