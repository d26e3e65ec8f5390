import ArgumentParser
import VoiceFoundation
import VoiceHistory
import VoiceLanguage
import VoiceRecording
import VoiceSystem

/// `parley log prune`: delete old sessions, after showing which.
struct LogPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Delete sessions by age and by size; shows them, and deletes only with --delete.",
    discussion: """
      A session is deleted if it is older than --keep-days, or if the newer ones alone fill --keep-size. One that has not \
      ended, and was written to within a day, is kept, and so is one that has left an instruction open: see parley ledger.
      """)

  @Option(help: "Keep the sessions of this many days.")
  var keepDays: Int?

  @Option(help: ArgumentHelp("Keep the newest sessions up to this size, such as 500MB or 2GB.", valueName: "size"))
  var keepSize: ByteCount?

  @Flag(help: "Delete, rather than show. In a terminal you are asked once more; --yes answers that.")
  var delete = false

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if keepDays == nil, keepSize == nil {
      throw ValidationError("Say what to keep: --keep-days, --keep-size, or both.")
    }
    if let keepDays, keepDays < 0 { throw ValidationError("--keep-days counts from 0.") }
  }

  func run() throws {
    let library = try options.library()
    let retention = Retention(keepDays: keepDays, keepBytes: keepSize?.bytes)
    let condemned = retention.condemned(in: library, now: Date())
    let sum = condemned.reduce(0) { $0 + $1.bytes }
    for session in condemned {
      printRow("\(session.place.name)  \(sizeText(bytes: session.bytes).padded(to: 9)) \(session.reason)")
    }
    guard !condemned.isEmpty else { return printRow("Nothing to delete in \(library.root).") }
    let sessions = Counted(condemned.count, "session").digits
    guard delete else {
      return printRow("\(sessions), \(sizeText(bytes: sum)). Nothing was deleted: add --delete for that.")
    }
    guard yes || confirmed(condemned.count, sum) else { return printRow("Nothing was deleted.") }
    for session in condemned {
      let others = try Exit.starting { try retention.delete(session) }
      guard !others.isEmpty else { continue }
      printRow("\(session.place.path) stays, with what is not Parley's: \(others.joined(separator: ", ")).")
    }
    printRow("\(sessions) deleted, \(sizeText(bytes: sum)).")
  }

  private func confirmed(_ count: Int, _ bytes: Int64) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return true }
    print(
      "Delete \(Counted(count, "session").digits) (\(sizeText(bytes: bytes)))? This cannot be undone. [y/N] ",
      terminator: "")
    flushOutput()
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}

/// A number of bytes, as people write it: `500MB`, `2GB`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int64

  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber || $0 == "." }
    let units: [String: Double] = [
      "": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "k": 1e3, "m": 1e6, "g": 1e9,
    ]
    guard let value = Double(digits), let unit = units[argument.dropFirst(digits.count).lowercased()],
      value * unit < 1e18
    else { return nil }
    bytes = Int64(value * unit)
  }
}
