import ArgumentParser
import VoiceCore
import VoiceFoundation
import VoiceHistory
import VoiceIndex
import VoiceLanguage
import VoiceRecording
import VoiceVocabulary

/// `parley log [SESSION]`: the list of sessions, or the timeline of one; also following and searching.
struct LogShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "List sessions, show or follow one, or search all of them. (The default.)",
    discussion: """
      Without a session: the sessions, newest first. With one (a folder, a log file, a name or its beginning, or `last`): \
      its timeline.
      """)

  @Argument(help: "The session: \(SessionLibrary.help), or a log file.")
  var session: String?

  @Flag(name: .shortAndLong, help: "Follow the log until the session ends.")
  var follow = false

  @Option(
    help: ArgumentHelp("Only lines with this label, such as you, held, sent or tool; repeatable.", valueName: "label"))
  var kind: [String] = []

  @Option(help: "Only this turn; turns count from 1.")
  var turn: Int?

  @Option(help: ArgumentHelp("Only from this time of the session on, such as 90 or 1:30.", valueName: "time"))
  var from: ClockTime?

  @Option(help: ArgumentHelp("Only up to this time of the session.", valueName: "time"))
  var to: ClockTime?

  @Option(help: ArgumentHelp("Search all sessions for lines with these words.", valueName: "words"))
  var search: String?

  @Option(help: ArgumentHelp("Only sessions since this day, where you are: 2026-11-21, or 7d.", valueName: "day"))
  var since: SinceDay?

  @Flag(inversion: .prefixedNo, help: "Whether the index is used; without it every log is read.")
  var index = true

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if search != nil, session != nil || follow || turn != nil || from != nil || to != nil {
      throw ValidationError("--search looks through all sessions: it takes --kind and --since only.")
    }
    if follow, session == nil { throw ValidationError("--follow needs a session; `last` is the newest.") }
    if let turn, turn < 1 { throw ValidationError("Turns count from 1.") }
  }

  func run() async throws {
    if let search { return try find(search) }
    guard let session else { return try list() }
    let log = try Exit.reading {
      if session.hasSuffix(".jsonl") { return session }
      return try SessionFolder(reading: try options.library().folder(session)).log
    }
    if follow { return try await followLog(log) }
    let reader = try Exit.reading { try LogReader(log) }
    let history = SessionHistory(reader.lines)
    let entries = history.entries.filter(includes)
    for entry in entries { show(entry) }
    try Exit.requireWhole(reader.damage)
    if entries.isEmpty { throw Exit.failure(Exit.nothingFound, whyNothing(history)) }
  }

  /// Why no line of a session is shown.
  private func whyNothing(_ history: SessionHistory) -> String {
    if let turn, turn > history.turns.count { return "There is no turn \(turn): \(history.turnsText)." }
    // Some lines go on with what the one before them has begun.
    let labels = Set(history.entries.map(\.text.label)).subtracting([""])
    if !kind.isEmpty, labels.isDisjoint(with: kind) {
      let wanted = kind.map { "“\($0)”" }.joined(separator: " or ")
      return "No line of the session has the label \(wanted). It has: \(labels.sorted().joined(separator: ", "))."
    }
    if let from, from.microseconds > history.duration.microseconds {
      return "The session is over by then: it lasted \(history.duration.clock)."
    }
    return history.entries.isEmpty ? "Nothing happened in this session." : "The session has no such line."
  }

  private func includes(_ entry: TimelineEntry) -> Bool {
    if !kind.isEmpty, !kind.contains(entry.text.label) { return false }
    if let turn, entry.turn != turn { return false }
    let time = entry.moment.time.microseconds
    return time >= from?.microseconds ?? 0 && time <= to?.microseconds ?? .max
  }

  private func show(_ entry: TimelineEntry) {
    let head = "\(entry.moment.time.clock)  \(entry.text.head)"
    printRow(entry.text.text, head: head, indent: entry.text.indent)
  }

  // MARK: Following

  private static let followMilliseconds = 200

  private func followLog(_ log: String) async throws {
    let follower = try Exit.reading { try LogFollower(log) }
    var history = SessionHistory()
    let ticks = Ticks(everyMilliseconds: Self.followMilliseconds)
    defer { ticks.stop() }
    // A log that lies by itself is followed for as long as anybody likes.
    let folder = SessionLibrary.withoutLogFile(log)
    let mark = folder == log ? nil : try Exit.reading { try SessionFolder(reading: folder).mark }
    for await _ in ticks.stream {
      // Asked before the last lines are read.
      let runs = mark.map(RunningMark.isLocked) ?? true
      for line in try Exit.reading({ try follower.next() }) {
        for entry in history.append(line) where includes(entry) { show(entry) }
      }
      flushOutput()
      if history.outcome != nil { return try Exit.requireWhole(follower.damage) }
      if !runs { throw Exit.failure(Exit.stopped, "The session broke off: its log has no end. See parley ledger.") }
    }
  }

  // MARK: Across sessions

  private func list() throws {
    let library = try options.library()
    guard FileManager.default.fileExists(atPath: library.root) else {
      return printRow("There is no session in \(library.root) yet.")
    }
    let (sessions, unreadable) = try Exit.starting {
      let (index, unreadable) = try refreshedIndex(of: library)
      let recent = unreadable.filter { session in since.map { session.modified.ISO8601Format() >= $0.text } ?? true }
      return (try index.sessions(since: since?.text), recent)
    }
    let obstacle = SessionFolder.obstacle(in: library.root)
    if sessions.isEmpty, unreadable.isEmpty, obstacle == nil {
      printRow("There is no session in \(library.root)\(since == nil ? " yet" : " since then").")
    }
    for session in sessions {
      let length = durationText(microseconds: session.duration.microseconds)
      let turns = Counted(session.turns, "turn").digits
      printRow(
        "\(session.name)  \(outcome(of: session, in: library).padded(to: 9))  \(length.padded(to: 9)) \(turns.padded(to: 9)) \(session.title)"
      )
    }
    for session in unreadable.reversed() { printRow(session.reason, head: "\(session.name)  damaged    ") }
    try Exit.requireUnobstructed(obstacle)
  }

  /// The index as the folders are now, and the sessions that it does not have, since nothing in them can be read.
  private func refreshedIndex(of library: SessionLibrary) throws -> (SessionIndex, unreadable: [UnreadableSession]) {
    let index = try SessionIndex(library)
    let done = try index.refresh()
    if let obstacle = index.obstacle { Exit.complain("\(obstacle) All logs were read instead.") }
    return (index, done.unreadable)
  }

  /// One that has no end yet, as far as its log goes, runs, or broke off.
  private func outcome(of session: SessionIndex.Summary, in library: SessionLibrary) -> String {
    guard session.outcome == SessionIndex.open else { return session.outcome }
    do {
      let folder = try SessionFolder(reading: "\(library.root)/\(session.name)")
      return RunningMark.isLocked(folder.mark) ? "running" : "broke off"
    } catch {
      return session.outcome  // Deleted meanwhile.
    }
  }

  private static let notSearched =
    "Not all sessions could be searched: parley log lists them, and says what is damaged."

  private func find(_ words: String) throws {
    let library = try options.library()
    guard FileManager.default.fileExists(atPath: library.root) else {
      throw Exit.failure(Exit.nothingFound, "There is no session in \(library.root) yet.")
    }
    let (findings, isWhole) = try Exit.starting {
      guard self.index else { return LibraryScan(library).search(words, kinds: kind, since: since?.text) }
      let (index, unreadable) = try refreshedIndex(of: library)
      let isDamaged = try index.sessions(since: since?.text).contains { $0.outcome == SessionIndex.damaged }
      return (try index.search(words, kinds: kind, since: since?.text), unreadable.isEmpty && !isDamaged)
    }
    for finding in findings {
      let turn = finding.turn.map { "turn \($0)" } ?? ""
      let notice = NoticeText(finding.kind, finding.text)
      printRow(
        notice.text, head: "\(finding.session)  \(turn.padded(to: 7)) \(finding.time.clock)  \(notice.head)")
    }
    try Exit.requireWhole(isWhole ? nil : Self.notSearched)
    if findings.isEmpty {
      throw Exit.failure(Exit.nothingFound, "No session in \(library.root) has these words in one line.")
    }
  }
}
