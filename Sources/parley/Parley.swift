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
    guard let (unknown, nearest) = unknownVerb(in: Array(CommandLine.arguments.dropFirst())) else { return }
    throw Exit.failure(Exit.usage, "There is no command “\(unknown)”. Did you mean “\(nearest)”?")
  }

  /// The verb that there is not, to be run or behind `help`, and the one that may be meant; nil if it is known.
  static func unknownVerb(in arguments: [String]) -> (unknown: String, nearest: String)? {
    var verbs = arguments.prefix { !$0.hasPrefix("-") }
    // What is behind any other is for it to judge.
    if verbs.first == "help" { verbs.removeFirst() } else { verbs = verbs.prefix(1) }
    var path: [String] = []
    var commands: [any ParsableCommand.Type] = configuration.subcommands
    for verb in verbs where !(path.isEmpty && verb == "help") {
      guard let command = commands.first(where: { $0.configuration.commandName == verb }) else {
        let names = commands.compactMap { $0.configuration.commandName } + (path.isEmpty ? ["help"] : [])
        let nearest = path + [verb.nearest(of: names)].compactMap { $0 }
        return ((path + [verb]).joined(separator: " "), nearest.joined(separator: " "))
      }
      path.append(verb)
      commands = command.configuration.subcommands
    }
    return nil
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
