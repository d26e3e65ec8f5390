import ArgumentParser
import VoiceGuide

/// `parley guide`: the built-in agent, spoken to like any other.
struct GuideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "The built-in agent, over the Agent Client Protocol on standard input and output.")

  func run() async throws {
    let code = await GuideAgent.run(version: Parley.version)
    if code != 0 { throw ExitCode(code) }
  }
}
