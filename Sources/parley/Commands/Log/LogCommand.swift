import ArgumentParser
import VoiceConfiguration
import VoiceFoundation
import VoiceHistory
import VoiceRecording

/// `parley log`: what recorded sessions tell.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List, read, follow, search, export and prune recorded sessions.",
    subcommands: [LogShowCommand.self, LogExportCommand.self, LogPruneCommand.self, LogIndexCommand.self],
    defaultSubcommand: LogShowCommand.self)
}

/// Which session is meant.
struct SessionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder that holds the sessions.", valueName: "folder"))
  var sessions: String?

  /// The folder of sessions: the one given, the plan's, or the default.
  func library() throws -> SessionLibrary {
    if let sessions { return SessionLibrary(root: sessions) }
    let plan = try Exit.configuring {
      try Plan.resolve(file: nil, commandLine: PlanLayer(origin: PlanLayer.commandLine))
    }
    return SessionLibrary(root: try Exit.configuring { try SessionRecord.root(plan) })
  }

  /// Read a session: by path, by name, or the newest one.
  func read(_ session: String?) throws -> RecordedSession {
    let library = try library()
    return try Exit.reading { try RecordedSession(try library.folder(session)) }
  }
}

/// A moment of a session, as people write it: `90`, `1:30`, `01:30.250`.
struct ClockTime: ExpressibleByArgument {
  let microseconds: Int64

  init?(argument: String) {
    var seconds = 0.0
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    // Hours at most: more would be beyond any session, and beyond the numbers.
    guard parts.count <= 3 else { return nil }
    for part in parts {
      guard let value = Double(part), value >= 0, value < 1_000_000 else { return nil }
      seconds = seconds * 60 + value
    }
    microseconds = Int64(seconds * 1_000_000)
  }
}

/// A day from which on sessions count: `2026-11-21`, or `7d` for seven days ago.
struct SinceDay: ExpressibleByArgument {
  /// ISO 8601, or its beginning: compared as text.
  let text: String

  init?(argument: String) {
    if argument.last == "d", let days = Int(argument.dropLast()), (0...100_000).contains(days) {
      text = Date(timeIntervalSinceNow: -86_400 * Double(days)).ISO8601Format()
    } else if Self.isBeginning(argument) {
      text = argument
    } else {
      return nil
    }
  }

  /// Whether a text is the beginning of a moment that there is: one that ends it where it ends is complete.
  private static func isBeginning(_ text: String) -> Bool {
    let earliest = "0000-01-01T00:00:00Z"
    guard text.count >= 4, text.count <= earliest.count else { return false }
    let whole = text + earliest.dropFirst(text.count)
    do {
      return try Date(whole, strategy: .iso8601).ISO8601Format() == whole
    } catch {
      return false
    }
  }
}
