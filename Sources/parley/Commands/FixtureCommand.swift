import ArgumentParser
import VoiceCore
import VoiceHistory
import VoiceLanguage
import VoiceReplay
import VoiceVocabulary

/// `parley fixture`: what becomes of a session that should be kept as a test.
struct FixtureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixture", abstract: "Make fixtures of recorded sessions.", subcommands: [New.self])

  /// `parley fixture new`: one turn of a session as a fixture.
  struct New: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Make a fixture from one turn of a recorded session.",
      discussion: """
        The fixture holds the sound of that turn, what the live model and the agent made of it, and what the user decided; \
        other turns are left out, and words that look like keys are replaced. Look through fixture.json5 before you share \
        it: it holds what was said.
        """)

    @Argument(help: "The session: \(SessionLibrary.help).")
    var session: String

    @Option(help: "Which turn, counted from 1; the last, if not given.")
    var turn: Int?

    @Option(help: ArgumentHelp("The folder to make; fixture-N in the session's, if not given.", valueName: "folder"))
    var to: String?

    @OptionGroup var options: SessionOptions

    func validate() throws {
      if let turn, turn < 1 { throw ValidationError("Turns count from 1.") }
    }

    func run() async throws {
      let library = try options.library()
      let session = try Exit.reading { try library.folder(self.session) }
      do {
        let sounds = SoundCache()
        let all = try SessionScript(session) { try sounds.read($0) }
        guard all.turnCount > 0 else { throw Exit.failure(Exit.nothingFound, "The session has no turns.") }
        let turn = turn ?? all.turnCount
        guard turn <= all.turnCount else {
          let turns = Counted(all.turnCount, "turn").spoken
          throw Exit.failure(Exit.nothingFound, "There is no turn \(turn): the session has \(turns).")
        }
        let script = try SessionScript(session, turn: turn) { try sounds.read($0) }
        let folder = try await script.folder.ending().write(to: to ?? "\(session)/fixture-\(turn)")
        let replay = await folder.replay()
        if let breach = replay.breaches.first {
          printRow(breach.text, head: "note: a rule is broken in step \(breach.step): ")
        }
        for difference in script.differences(in: replay) { printRow(difference, head: "note: ") }
        try folder.accept(replay)
        printRow("\(folder.path): turn \(turn) of \(all.turnCount), \(replay.duration.seconds) s")
      } catch let code as ExitCode {
        throw code
      } catch {
        throw Exit.failure(Exit.badData, "\(error)")
      }
    }
  }
}
