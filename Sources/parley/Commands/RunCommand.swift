import ArgumentParser
import VoiceConfiguration
import VoiceVocabulary

/// `parley run`: one session.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Talk to the coding agent: one session.",
    discussion: """
      With a sound file or a pipe as microphone the session ends by itself when that is over and the last answer has been \
      spoken. In a terminal single keys decide (? shows them); otherwise commands are read as lines from standard input.
      """)

  @OptionGroup var options: PlanOptions
  @OptionGroup var start: SessionStartOptions

  @Option(help: ArgumentHelp("The folder to record the session in; a new one.", valueName: "folder"))
  var session: String?

  @Option(help: ArgumentHelp("-: print the voice-event log on standard output while it runs.", valueName: "where"))
  var events: String?

  func validate() throws {
    if let events, events != "-" {
      throw ValidationError("--events takes only -; the log is kept in the session's folder.")
    }
    if session?.isEmpty == true { throw ValidationError("--session needs the path of a folder.") }
  }

  func run() async throws {
    let plan = try Exit.configuring { try options.plan() }
    guard session == nil || plan.records else {
      let words = "Nothing is recorded (recording.enabled is false), so --session makes no folder. Leave it out."
      throw Exit.failure(Exit.usage, words)
    }
    let (start, told) = try await start.start.named(plan)
    let live = try Exit.starting {
      try LiveSession(plan, folder: session, start: start, told: told, printsEvents: events != nil)
    }
    try await live.run().check()
  }
}
