import ArgumentParser
import VoiceConfiguration
import VoiceFoundation
import VoiceHistory
import VoiceRecording
import VoiceSystem

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

/// A day of the user's from which on sessions count: `2026-11-21`, or `7d` for seven days ago. With a Z behind it, one of UTC.
struct SinceDay: ExpressibleByArgument {
  /// When it begins, as the manifests have it: ISO 8601 in UTC, compared as text.
  let text: String

  init?(argument: String) {
    if argument.last == "d", let days = Int(argument.dropLast()), (0...100_000).contains(days) {
      text = Date(timeIntervalSinceNow: -86_400 * Double(days)).ISO8601Format()
    } else if let beginning = Self.beginning(argument) {
      text = beginning
    } else {
      return nil
    }
  }

  /// When a year, month, day, hour, minute or second begins; nil if there is no such.
  private static func beginning(_ text: String) -> String? {
    let isUniversal = text.last == "Z"
    let written = isUniversal ? text.dropLast() : text[...]
    let earliest = "0000-01-01T00:00:00"
    // What is cut within a number could be two.
    guard [4, 7, 10, 13, 16, 19].contains(written.count) else { return nil }
    let whole = written + earliest.dropFirst(written.count) + "Z"
    do {
      guard try Date(String(whole), strategy: .iso8601).ISO8601Format() == whole else { return nil }
    } catch {
      return nil
    }
    let parts = whole.split { !$0.isNumber }.compactMap { Int($0) }
    guard !isUniversal, parts.count == 6 else { return String(whole) }
    let moment = LocalTime(
      year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
    return Date(timeIntervalSince1970: Double(moment.secondsSince1970)).ISO8601Format()
  }
}
