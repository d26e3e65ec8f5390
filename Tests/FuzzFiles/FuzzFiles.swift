import Dispatch
import VoiceConfiguration
import VoiceCore
import VoiceHistory
import VoiceIndex
import VoiceRecording
import VoiceReplay
import VoiceSound
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A reader of files that may be damaged; `PARLEY_FUZZ_READER` names the one to be tried.
enum FuzzedReader: String, CaseIterable {
  case log, ledger, manifest, sound, fixture
  /// A log, and what is made of it: the session again, pages and exports.
  case replay, pages
  case configuration
  /// The database of sessions.
  case index

  static let chosen: FuzzedReader = {
    let name = ProcessInfo.processInfo.environment["PARLEY_FUZZ_READER"] ?? ""
    guard let reader = FuzzedReader(rawValue: name) else {
      preconditionFailure("PARLEY_FUZZ_READER must be one of \(allCases.map(\.rawValue))")
    }
    return reader
  }()

  /// Read these bytes as the program would. An error is as good as a result: only a trap or a hang is a find.
  func read(_ data: Data) throws {
    switch self {
    case .log: try readLog(data)
    case .ledger:
      for record in LedgerReader(data, from: "fuzz").records { _ = (record.certainty, record.isOpen) }
    case .manifest: _ = try SessionManifest(data, from: "fuzz")
    case .sound:
      try Self.scratch.write(data, to: "sound")
      let reader = try SoundFileReader(path: Self.scratch.path + "/sound", rate: PCM.microphoneRate)
      // A header may promise hours: what was really there is soon over.
      _ = try reader.readAll()
    case .replay: try Self.replay(data)
    case .pages: try Self.readPages(data)
    case .configuration: _ = try PlanLayer(decoding: data, origin: "fuzz")
    case .index: try Self.readIndex(data)
    case .fixture:
      try Self.scratch.write(data, to: "fixture.json5")
      _ = try FixtureFolder(Self.scratch.path) { _ in [1, 2, 3] }
    }
  }

  private func readLog(_ data: Data) throws {
    let codec = LogCodec()
    for line in try LogReader(data, from: "fuzz").lines {
      for step in line.steps { _ = codec.encode(LogLine(step: step)) }
    }
  }

  /// Decided again, in both gears.
  private static func replay(_ data: Data) throws {
    try scratch.write(data, to: "events.jsonl")
    let log = try LogReplay(scratch.path + "/events.jsonl")
    let session = try SessionReplay(LogReader(data, from: "fuzz").lines, "fuzz")
    wait {
      _ = await log.run()
      _ = session.compare(await session.replay())
    }
  }

  private static func readPages(_ data: Data) throws {
    try scratch.write(data, to: "events.jsonl")
    try scratch.write(
      Data(#"{"format":1,"program":"parley 1.0","started":"2026-11-21T10:00:00Z","plan":[],"libraries":{}}"#.utf8),
      to: "manifest.json")
    let session = try RecordedSession(scratch.path)
    let page = try Report.page(session)
    precondition(!page.contains("<script>alert"), "a script came into the page")
    _ = MarkdownExport.page(session)
    _ = WebVTTExport.captions(session)
    _ = try OpenTelemetryExport(session, includesWords: true).body()
    for turn in session.history.turns { _ = Explanation(turn, in: session.history) }
    for entry in session.history.entries {
      precondition(!entry.row.unicodeScalars.contains("\u{1B}"), "a row drives the terminal")
    }
    var redaction = Redaction()
    _ = try redaction.session(session)
  }

  /// A planted index beside one session.
  private static func readIndex(_ data: Data) throws {
    try scratch.write(data, to: "index.sqlite")
    defer { unlink(scratch.path + "/index.sqlite-journal") }
    let index = try SessionIndex(SessionLibrary(root: scratch.path))
    _ = try index.refresh()
    for session in try index.sessions() {
      _ = (session.duration.clock, durationText(microseconds: session.duration.microseconds))
    }
    for finding in try index.search("a") { _ = finding.time.clock }
  }

  /// The fuzzer knows no tasks.
  private static func wait(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await body()
      done.signal()
    }
    done.wait()
  }

  private static let scratch = Scratch()
}

/// A folder in memory for readers that want a path.
private struct Scratch {
  let path: String

  init() {
    let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(root)/parley-fuzz-\(getpid())"
    precondition(mkdir(path, 0o700) == 0, "no scratch folder could be made")
  }

  func write(_ data: Data, to name: String) throws { try data.write(to: URL(filePath: "\(path)/\(name)")) }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
  do {
    try FuzzedReader.chosen.read(data)
  } catch {
    // Refused, as it should be.
    _ = "\(error)"
  }
  return 0
}
