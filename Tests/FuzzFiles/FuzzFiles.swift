import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceSound

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
