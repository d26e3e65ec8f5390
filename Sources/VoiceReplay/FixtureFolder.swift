package import VoiceCore
package import VoiceRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder with a fixture: `fixture.json5`, and `expected.jsonl`, the log that a session under it must give to the byte.
/// Its sounds are named relative to it.
package struct FixtureFolder {
  package let path: String
  package let fixture: Fixture
  private let recordings: [String: [Int16]]

  private var expectedPath: String { path + "/expected.jsonl" }

  /// - Parameter readSound: reads a sound file as 16 kHz mono.
  package init(_ path: String, readSound: (String) throws -> [Int16]) throws(FixtureFailure) {
    self.path = path
    let file = path + "/fixture.json5"
    guard let data = FileManager.default.contents(atPath: file) else {
      throw FixtureFailure("\(path) is not a fixture: it has no readable fixture.json5.")
    }
    // The decoder traps on bytes that are no text.
    guard String(validating: data, as: UTF8.self) != nil else {
      throw FixtureFailure("\(file) cannot be used: it is not text in UTF-8.")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      fixture = try decoder.decode(Fixture.self, from: data)
      var recordings: [String: [Int16]] = [:]
      for case .say(let name) in fixture.user.map(\.do) where recordings[name] == nil {
        recordings[name] = try readSound(path + "/" + name)
      }
      self.recordings = recordings
    } catch {
      throw FixtureFailure("\(file) cannot be used: \(error)")
    }
    for case .command(let line) in fixture.user.map(\.do) where UserCommand(line: line) == nil {
      throw FixtureFailure("\(file): “\(line)” is not a command.")
    }
  }

  /// What became of a replay.
  package enum Verdict: Equatable {
    case same
    /// There is no expected log yet.
    case nothingExpected
    /// The first line that differs, counted from 1, and both forms of it; nil where one log is shorter.
    case differs(line: Int, expected: String?, actual: String?)
  }

  /// A session under this fixture.
  package struct Replay {
    package let outcome: SessionOutcome
    package let handedOn: [Instruction]
    /// How much time passed in the simulated world.
    package let duration: SessionTime
    package let lines: [LogLine]
    /// The log, as it stands in a file.
    package let log: [UInt8]
  }

  /// A world in which a session under this fixture takes place.
  package func makeWorld() -> SimulatedWorld { SimulatedWorld(fixture, recordings: recordings) }

  /// Run the session in the simulated world.
  package func replay() async -> Replay {
    let world = makeWorld()
    let outcome = await VoiceSession(events: world, ports: world.ports).run()
    let codec = LogCodec()
    let lines = world.finishLog()
    let log = lines.reduce(into: codec.encode(LogHeader.current)) { $0 += codec.encode($1) }
    return Replay(outcome: outcome, handedOn: world.handedOn, duration: world.now, lines: lines, log: log)
  }

  /// Compare a replay with what is expected, byte by byte.
  package func compare(_ replay: Replay) -> Verdict {
    guard let expected = FileManager.default.contents(atPath: expectedPath) else { return .nothingExpected }
    if expected.elementsEqual(replay.log) { return .same }
    let expectedLines = expected.split(separator: 0x0A, omittingEmptySubsequences: false)
    let actualLines = replay.log.split(separator: 0x0A, omittingEmptySubsequences: false)
    for index in 0..<max(expectedLines.count, actualLines.count) {
      let left = index < expectedLines.count ? String(decoding: expectedLines[index], as: UTF8.self) : nil
      let right = index < actualLines.count ? String(decoding: actualLines[index], as: UTF8.self) : nil
      if left != right { return .differs(line: index + 1, expected: left, actual: right) }
    }
    return .same
  }

  /// Make this replay the expected one.
  package func accept(_ replay: Replay) throws(FixtureFailure) {
    do {
      try Data(replay.log).write(to: URL(filePath: expectedPath), options: .atomic)
    } catch {
      throw FixtureFailure("Cannot write \(expectedPath): \(error)")
    }
  }
}
