import Testing
import VoiceHistory
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let now = Date(timeIntervalSince1970: 1_800_000_000)

/// Sessions by name, each so many days old and with a log of this many bytes.
private func library(_ sessions: [(name: String, days: Double, bytes: Int)], in home: TemporaryFolder) throws
  -> SessionLibrary
{
  for session in sessions {
    let folder = try SessionFolder(creating: "\(home.path)/\(session.name)")
    var log = Data(LogCodec().encode(LogHeader.current))
    if session.bytes > log.count { log += Data(repeating: 0x0A, count: session.bytes - log.count) }
    try log.write(to: URL(filePath: folder.log))
    try FileManager.default.setAttributes(
      [.modificationDate: now.addingTimeInterval(-session.days * 86_400)], ofItemAtPath: folder.log)
  }
  return SessionLibrary(root: home.path)
}

private func condemned(_ retention: Retention, _ library: SessionLibrary) -> [String] {
  retention.condemned(in: library, now: now).map { "\($0.place.name): \($0.reason)" }
}

// MARK: Finding a session

@Test func theLastSessionIsTheOneThatWasWrittenLast() throws {
  let home = try TemporaryFolder()
  let library = try library([("a", 1, 10), ("b", 5, 10), ("c", 2, 10)], in: home)
  #expect(try library.folder("last") == home.path + "/a")
  #expect(try library.folder(nil) == home.path + "/a")
  #expect(library.places().map(\.name) == ["a", "b", "c"])
}

@Test func aWholeNameIsMeantEvenIfOthersBeginWithIt() throws {
  let home = try TemporaryFolder()
  let library = try library([("day", 1, 10), ("day-2", 2, 10), ("day-3", 3, 10)], in: home)
  #expect(try library.folder("day") == home.path + "/day")
  let failure = #expect(throws: FileFailure.self) { try library.folder("day-") }
  #expect(
    failure?.description
      == "2 sessions in \(home.path) begin with day-: day-2, day-3. Say more of the name.")
}

@Test func ofManySessionsThatAreMeantAScreenFullIsNamed() throws {
  let home = try TemporaryFolder()
  let library = try library((10..<31).map { ("s\($0)", 1, 1) }, in: home)
  let failure = #expect(throws: FileFailure.self) { try library.folder("s") }
  #expect(failure?.description.contains("s28, s29 and 1 more. Say more") == true, "\(failure?.description ?? "")")
  try FileManager.default.removeItem(atPath: home.path + "/s30")
  let fewer = #expect(throws: FileFailure.self) { try library.folder("s") }
  #expect(fewer?.description.contains("s28, s29. Say more") == true)
}

@Test func aSessionIsMeantByItsFolderOrTheLogInIt() throws {
  let home = try TemporaryFolder()
  let library = try library([("a", 1, 10)], in: home)
  for path in ["/elsewhere/s", "/elsewhere/s/events.jsonl"] { #expect(try library.folder(path) == "/elsewhere/s") }
  #expect(SessionLibrary.withoutLogFile("/events.jsonl.old") == "/events.jsonl.old")
}

@Test func aLinkIsNoSessionAndALogThatIsOneIsNotRead() throws {
  let home = try TemporaryFolder()
  let other = try TemporaryFolder()
  let library = try library([("a", 1, 10)], in: home)
  try FileManager.default.createSymbolicLink(atPath: home.path + "/b", withDestinationPath: home.path + "/a")
  _ = try SessionFolder(creating: home.path + "/c")
  try Data().write(to: URL(filePath: other.path + "/log"))
  try FileManager.default.createSymbolicLink(
    atPath: home.path + "/c/events.jsonl", withDestinationPath: other.path + "/log")
  #expect(library.places().map(\.name) == ["a", "c"])
  #expect(library.places().map(\.logBytes).last == 0)
}

// MARK: Keeping

@Test func whatIsOlderGoesOldestFirstAndSaysHowOldItIs() throws {
  let home = try TemporaryFolder()
  let library = try library([("new", 29.9, 10), ("old", 30.1, 10), ("older", 99.5, 10)], in: home)
  #expect(condemned(Retention(keepDays: 30, keepBytes: nil), library) == ["older: 99 days old", "old: 30 days old"])
  #expect(condemned(Retention(keepDays: nil, keepBytes: nil), library) == [])
}

@Test func theNewestAreKeptUntilTheSpaceIsUsed() throws {
  let home = try TemporaryFolder()
  let library = try library([("a", 4, 600), ("b", 5, 400), ("c", 6, 50)], in: home)
  #expect(condemned(Retention(keepDays: nil, keepBytes: 1_050), library) == [])
  #expect(condemned(Retention(keepDays: nil, keepBytes: 1_000), library) == ["c: over 1 kB"])
  // What is too large leaves its space to what is older.
  #expect(condemned(Retention(keepDays: nil, keepBytes: 999), library) == ["b: over 999 B"])
}

@Test func bothLimitsHold() throws {
  let home = try TemporaryFolder()
  let library = try library([("a", 2, 600), ("b", 3, 600), ("c", 40, 1)], in: home)
  #expect(
    condemned(Retention(keepDays: 30, keepBytes: 1_000), library) == ["c: 40 days old", "b: over 1 kB"])
}

@Test func aSessionThatBecameALinkIsNotDeleted() throws {
  let home = try TemporaryFolder()
  let elsewhere = try TemporaryFolder()
  let library = try library([("a", 40, 100)], in: home)
  let retention = Retention(keepDays: 30, keepBytes: nil)
  let session = try #require(retention.condemned(in: library, now: now).first)
  #expect(session.bytes == 100)
  let kept = elsewhere.path + "/kept"
  try FileManager.default.moveItem(atPath: session.place.path, toPath: kept)
  try FileManager.default.createSymbolicLink(atPath: session.place.path, withDestinationPath: kept)
  try retention.delete(session)
  #expect(FileManager.default.fileExists(atPath: kept + "/events.jsonl"))
}

/// A web project has a manifest.json, too, and may have a log of events.
@Test func whatIsNotParleysIsNeitherCondemnedNorDeleted() throws {
  let home = try TemporaryFolder()
  let library = try library([("a", 40, 100)], in: home)
  let project = home.path + "/project"
  try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: false)
  try Data(#"{"manifest_version":3,"name":"My extension"}"#.utf8).write(to: URL(filePath: project + "/manifest.json"))
  try Data(#"{"event":1}"#.utf8).write(to: URL(filePath: project + "/events.jsonl"))
  // Somebody keeps notes beside the recording.
  try Data("notes".utf8).write(to: URL(filePath: home.path + "/a/notes.txt"))
  let retention = Retention(keepDays: 0, keepBytes: nil)
  let all = retention.condemned(in: library, now: now.addingTimeInterval(86_400 * 400))
  #expect(all.map(\.place.name) == ["a"])
  // What was made of it is its own.
  for name in ["report.html", "report.html.0A1B2C3D.new"] {
    try Data("page".utf8).write(to: URL(filePath: home.path + "/a/" + name))
  }
  try FileManager.default.createDirectory(atPath: home.path + "/a/fixture-1", withIntermediateDirectories: false)
  for name in ["fixture.json5", "expected.jsonl.0A1B2C3D.new", "utterance-1.wav"] {
    try Data().write(to: URL(filePath: home.path + "/a/fixture-1/" + name))
  }
  for session in all { #expect(try retention.delete(session) == ["notes.txt"]) }
  #expect(FileManager.default.fileExists(atPath: project + "/manifest.json"))
  #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/a") == ["notes.txt"])
}

// MARK: Following a session that runs

/// In place, so that who has the file open reads on.
private func append(_ bytes: some Sequence<UInt8>, to path: String) throws {
  let file = URL(filePath: path)
  try (Data(contentsOf: file) + Data(bytes)).write(to: file)
}

@Test func linesOfARunningSessionComeOnceTheyAreWhole() throws {
  let home = try TemporaryFolder()
  let log = home.path + "/events.jsonl"
  let codec = LogCodec()
  let (header, line) = (codec.encode(LogHeader.current), codec.encode(try Histories.lines("direct")[0]))
  try Data(header.prefix(5)).write(to: URL(filePath: log))
  let follower = try LogFollower(log)
  #expect(try follower.next().isEmpty)
  try append(header.dropFirst(5) + line + line + line.prefix(7), to: log)
  #expect(try follower.next().count == 2)
  #expect(try follower.next().isEmpty)
  try append(line.dropFirst(7), to: log)
  #expect(try follower.next().count == 1)
}

@Test func aLogOfANewerVersionIsNotFollowed() throws {
  let home = try TemporaryFolder()
  let log = home.path + "/events.jsonl"
  var header = LogHeader.current
  header.version += 1
  try Data(LogCodec().encode(header)).write(to: URL(filePath: log))
  let failure = #expect(throws: FileFailure.self) { try LogFollower(log).next() }
  #expect(
    failure?.description.contains("version \(header.version) of the log format, which needs a newer parley") == true)
}

@Test func aLineThatCannotBeReadIsLeftOutAndTold() throws {
  let home = try TemporaryFolder()
  let log = home.path + "/events.jsonl"
  let codec = LogCodec()
  let line = codec.encode(try Histories.lines("direct")[0])
  try Data(codec.encode(LogHeader.current) + line).write(to: URL(filePath: log))
  let follower = try LogFollower(log)
  #expect(try follower.next().count == 1)
  #expect(follower.damage == nil)
  try append(Array("nonsense\n".utf8) + line, to: log)
  #expect(try follower.next().count == 1)
  #expect(follower.damage == "\(log) is damaged: line 3 cannot be read. What can be read is shown.")
}

@Test(arguments: ["nonsense", #"{"format":"another log","version":1}"#]) func whatIsNoLogIsNotFollowed(_ line: String)
  throws
{
  let home = try TemporaryFolder()
  let log = home.path + "/events.jsonl"
  try Data("\(line)\n".utf8).write(to: URL(filePath: log))
  #expect(throws: FileFailure("\(log) is not a voice-event log, or its first line is damaged.")) {
    try LogFollower(log).next()
  }
  #expect(throws: FileFailure.self) { try LogFollower(home.path + "/none") }
}
