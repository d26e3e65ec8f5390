import ArgumentParser

/// The program: one verb a file, in `Commands`.
@main
struct Parley: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "parley",
    abstract: "Talk hands-free to a coding agent.",
    version: version,
    subcommands: [
      RunCommand.self, CheckCommand.self, LogCommand.self, ReplayCommand.self, FixtureCommand.self, RecordCommand.self,
      DevicesCommand.self,
      TranscribeCommand.self,
      GuideCommand.self, SpeechEngineCommand.self,
    ])
}
