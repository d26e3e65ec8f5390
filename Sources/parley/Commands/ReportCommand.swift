import ArgumentParser
import VoiceHistory
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// `parley report`: a session as one HTML page.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a session as one HTML page: lanes, sound, latencies, transcript; it needs nothing else.")

  @Argument(help: "The session: \(SessionLibrary.help); without one the newest.")
  var session: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The page to write; without it report.html in the session folder.", valueName: "file"))
  var output: String?

  @OptionGroup var options: SessionOptions

  func run() throws {
    let recorded = try options.read(session)
    let page = try Exit.reading { try Report.page(recorded) }
    let path = output ?? recorded.folder.path + "/report.html"
    // One that was made before is made anew; a file that the user named is never overwritten.
    if output == nil {
      try Exit.starting { try PlainFile.replace(path, with: page.utf8) }
    } else {
      try writePrivately(Array(page.utf8), to: path)
    }
    printRow(path)
    try Exit.requireWhole(recorded.damage)
  }
}
