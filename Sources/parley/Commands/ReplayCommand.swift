import ArgumentParser
import VoiceCore
import VoiceReplay
import VoiceSound

/// `parley replay`: run fixtures through the session loop in the simulated world.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run fixtures in a simulated world, faster than real time, and compare their logs to the byte.",
    discussion: "Exits with 0 if all logs are as expected, 1 if one differs, 65 if a fixture cannot be used.")

  @Argument(help: "Folders with a fixture.json5, or such files.")
  var fixtures: [String]

  @Flag(help: "Make what a session gives now the expected log, after showing the difference.")
  var accept = false

  func run() async throws {
    var differed = 0
    var virtualSeconds = 0.0
    let clock = ContinuousClock()
    let start = clock.now
    for path in fixtures {
      let folder: FixtureFolder
      do {
        let file = "/fixture.json5"
        folder = try FixtureFolder(path.hasSuffix(file) ? String(path.dropLast(file.count)) : path) { path in
          try SoundFileReader(path: path, rate: PCM.microphoneRate).readAll()
        }
        let replay = await folder.replay()
        virtualSeconds += replay.duration.seconds
        let verdict = folder.compare(replay)
        print(Self.describe(verdict, path, replay.duration))
        if verdict != .same {
          if accept { try folder.accept(replay) } else { differed += 1 }
        }
      } catch {
        throw Exit.failure(Exit.badData, error)
      }
    }
    let seconds = Double(start.duration(to: clock.now).microseconds) / 1_000_000
    print(
      "\(fixtures.count) replayed, \(differed) differed; "
        + "\(Int(virtualSeconds)) virtual seconds at \(Int(virtualSeconds / max(seconds, 0.001))) times real time")
    if differed > 0 { throw Exit.differed }
  }

  private static func describe(_ verdict: FixtureFolder.Verdict, _ path: String, _ duration: SessionTime) -> String {
    switch verdict {
    case .same: "same     \(path)"
    case .nothingExpected: "new      \(path): there is no expected.jsonl yet (--accept writes it)"
    case .differs(let line, let expected, let actual):
      """
      differs  \(path), line \(line)
        expected  \((expected ?? "(the log ends)").harmless())
        actual    \((actual ?? "(the log ends)").harmless())
      """
    }
  }
}
