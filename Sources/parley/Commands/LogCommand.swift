import ArgumentParser
import VoiceCore
import VoiceRecording

/// `parley log`: a session's log as a timeline for people.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show a session's voice-event log as a readable timeline.")

  @Argument(help: "A session folder, or a log file.")
  var session: String

  func run() throws {
    do {
      let path = session.hasSuffix(".jsonl") ? session : try SessionFolder(reading: session).log
      let reader = try LogReader(path)
      var timeline = Timeline()
      for line in reader.lines {
        for entry in timeline.entries(line) { print(entry) }
      }
      for entry in timeline.rest() { print(entry) }
      if let damage = reader.damage { throw Exit.failure(Exit.badData, damage) }
    } catch let failure as FileFailure {
      throw Exit.failure(Exit.badData, failure)
    }
  }
}
