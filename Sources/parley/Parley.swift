import ArgumentParser
import CTerminal
import VoiceConverse
import VoiceLanguage

/// The program: one verb a file, in `Commands`.
@main
struct Parley: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "parley",
    abstract: "Talk hands-free to a coding agent.",
    version: version,
    subcommands: [
      RunCommand.self, AskCommand.self, AgentsCommand.self, SessionsCommand.self, CheckCommand.self, LogCommand.self,
      LedgerCommand.self, WhyCommand.self, ReportCommand.self, ReplayCommand.self, FixtureCommand.self,
      RecordCommand.self,
      DevicesCommand.self, TranscribeCommand.self, WordsCommand.self,
      GuideCommand.self, SpeechEngineCommand.self,
    ])

  /// Descriptors that were closed by whoever started the program are opened first.
  static func main() async {
    parley_standard_descriptors()
    if CommandLine.arguments.dropFirst().first == AgentHost.verb {
      AgentHost.run(Array(CommandLine.arguments.dropFirst(2)))
    }
    do {
      try refuseUnknownVerb()
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      try Exit.requirePrinted()
    } catch {
      end(error)
    }
  }

  /// Say which verb may be meant by one that there is not.
  private static func refuseUnknownVerb() throws {
    let verbs = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let verb = CommandLine.arguments.dropFirst().first, !verb.hasPrefix("-"), !verbs.contains(verb) else {
      return
    }
    let nearest = verb.nearest(of: verbs) ?? "help"
    throw Exit.failure(Exit.usage, "There is no command “\(verb)”. Did you mean “\(nearest)”?")
  }

  /// End with what a verb threw, or with the help or the version that somebody asked for: printed as everything else is.
  private static func end(_ error: any Error) -> Never {
    flushOutput()
    guard exitCode(for: error).isSuccess else {
      if exitCode(for: error) != Exit.inputOutput, let failure = StandardOutput.failure, !failure.isEnough {
        // What the verb found decides the code all the same.
        _ = Exit.unprinted(failure)
      }
      exit(withError: error)
    }
    let text = fullMessage(for: error)
    if !text.isEmpty { print(text) }
    do {
      try Exit.requirePrinted()
    } catch {
      exit(withError: error)
    }
    exit(withError: ExitCode.success)
  }
}
