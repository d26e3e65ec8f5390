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
        let history = try RecordedSession(session).history
        let (turn, place) = try self.place(in: all, history)
        let script = try SessionScript(session, turn: place) { try sounds.read($0) }
        let whole = await script.folder.ending()
        let folder = try Self.writing { try whole.write(to: to ?? "\(session)/fixture-\(turn)") }
        let replay = await folder.replay()
        if let breach = replay.breaches.first {
          printRow(breach.text, head: "note: a rule is broken in step \(breach.step): ")
        }
        for difference in script.differences(in: replay) { printRow(difference, head: "note: ") }
        try Self.writing { try folder.accept(replay) }
        printRow("\(folder.path): turn \(turn) of \(history.turns.count), \(replay.duration.seconds) s")
      } catch let code as ExitCode {
        throw code
      } catch {
        throw Exit.failure(Exit.badData, "\(error)")
      }
    }

    private static func writing<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch {
        throw Exit.failure(Exit.inputOutput, "\(error)")
      }
    }

    /// The turn that is wanted, counted as every other verb does, and the one of the script that it is.
    private func place(in script: SessionScript, _ history: SessionHistory) throws -> (turn: Int, place: Int) {
      let places = history.turns.map { script.place(of: $0.start.step, until: $0.stages[.proposed]?.step) }
      guard let turn else {
        guard let last = places.lastIndex(where: { $0 != nil }), let place = places[last] else {
          throw Exit.failure(Exit.nothingFound, "The session has no turn that somebody began.")
        }
        return (last + 1, place)
      }
      guard turn <= places.count else {
        throw Exit.failure(Exit.nothingFound, "There is no turn \(turn): \(history.turnsText).")
      }
      guard let place = places[turn - 1] else {
        throw Exit.failure(
          Exit.badData,
          "Turn \(turn) cannot be a fixture by itself: nothing that was said, typed or recovered begins there.")
      }
      return (turn, place)
    }
  }
}
