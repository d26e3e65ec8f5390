import ArgumentParser
import VoiceFoundation
import VoiceHistory
import VoiceIndex
import VoiceLanguage
import VoiceRecording

/// `parley log index`: bring the search index up to date, or make it anew.
struct LogIndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Bring the index of all sessions up to date; it is also done before each search.")

  @Flag(help: "Forget the index and read all folders again.")
  var rebuild = false

  @OptionGroup var options: SessionOptions

  func run() throws {
    let library = try options.library()
    guard FileManager.default.fileExists(atPath: library.root) else {
      return printRow("There is no session in \(library.root) yet.")
    }
    let (done, obstacle) = try Exit.starting {
      let index = try SessionIndex(library)
      return (rebuild ? try index.rebuild() : try index.refresh(), index.obstacle)
    }
    if let obstacle { throw Exit.failure(Exit.inputOutput, obstacle) }
    print("\(Counted(done.read, "session").digits) read, \(done.forgotten) forgotten.")
    for session in done.unreadable { printRow(session.name, head: "not readable: ") }
    try Exit.requireWhole(done.unreadable.isEmpty ? nil : "Not all sessions could be read, as is said above.")
  }
}
