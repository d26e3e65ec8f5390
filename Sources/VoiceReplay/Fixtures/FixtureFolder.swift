import VoiceCore
import VoiceFoundation
import VoiceJSON
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A folder with a fixture: `fixture.json5`, and `expected.jsonl`, the log that a session under it must give to the byte.
/// Its sounds are named relative to it.
package struct FixtureFolder: Sendable {
  package let path: String
  package let fixture: Fixture
  let recordings: [String: [Int16]]

  /// The log that is expected.
  package var expectedPath: String { path + "/expected.jsonl" }

  /// Why a folder without a script is no fixture: a session that cannot be read is said to be that.
  private static func withoutScript(_ path: String) -> FixtureFailure {
    do throws(FileFailure) {
      if SessionFolder.isSession(path) {
        _ = try SessionFolder(reading: path)
        return FixtureFailure("\(path) is a session, and no fixture yet: make one of it with parley fixture new.")
      }
    } catch {
      return FixtureFailure(error.description)
    }
    return FixtureFailure("\(path) is not a fixture: it has no readable fixture.json5.")
  }

  /// - Parameter readSound: reads a sound file as 16 kHz mono.
  package init(_ path: String, readSound: (String) throws -> [Int16]) throws(FixtureFailure) {
    self.path = path
    let file = path + "/fixture.json5"
    guard PlainFile.isThere(file) else { throw Self.withoutScript(path) }
    let data: Data
    do throws(FileFailure) {
      data = try PlainFile.data(file, limit: Limits.documentBytes)
    } catch {
      throw FixtureFailure("\(path) is not a fixture. \(error.description)")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw FixtureFailure("\(file) cannot be used: it is not text in UTF-8.")
    }
    do {
      fixture = try (try JSON5Reader.read(text)?.json ?? .null).decoded(Fixture.self)
    } catch let error as JSON5Reader.Failure {
      throw FixtureFailure("\(file) cannot be used: \(error.place): \(error.reason).")
    } catch let error as DecodingError {
      throw FixtureFailure("\(file) cannot be used: \(error.sentence)")
    } catch {
      throw FixtureFailure("\(file) cannot be used: \(error)")
    }
    if let defect = fixture.defect { throw FixtureFailure("\(file) cannot be used: \(defect).") }
    var recordings: [String: [Int16]] = [:]
    for case .say(let name, _) in fixture.user.map(\.do) where recordings[name] == nil {
      if let link = Self.link(onTheWayTo: name, from: path) {
        throw FixtureFailure("\(file) cannot be used: \(link): \(PlainFile.Refusal.link.reason).")
      }
      do {
        recordings[name] = try readSound(path + "/" + name)
      } catch {
        throw FixtureFailure("\(file) cannot be used: \(error).")
      }
    }
    self.recordings = recordings
  }

  /// The first link among the folders that the name of a recording leads through, by the rules of names alone; nil if none is one. A
  /// fixture may be somebody else's, and so may what is beside it.
  private static func link(onTheWayTo name: String, from path: String) -> String? {
    var place = URL(filePath: path).standardizedFileURL
    for part in name.split(separator: "/").dropLast() where part != "." {
      place = part == ".." ? place.deletingLastPathComponent() : place.appending(path: String(part))
      let folder = place.path(percentEncoded: false)
      if part != "..", PlainFile.kind(folder.withoutLastSlashes) == .link { return folder.withoutLastSlashes }
    }
    return nil
  }

  /// A fixture that is not on disk.
  init(_ path: String, _ fixture: Fixture, recordings: [String: [Int16]]) {
    self.path = path
    self.fixture = fixture
    self.recordings = recordings
  }

  /// A world in which a session under this fixture takes place.
  package func makeWorld() -> SimulatedWorld { SimulatedWorld(fixture, recordings: recordings) }

  /// Run the session in the simulated world.
  package func replay() async -> WorldReplay {
    await WorldReplay(makeWorld())
  }

  /// Run the session while something goes wrong.
  /// - Parameter baseline: what a replay without it counted.
  package func replay(_ perturbation: Perturbation, baseline: EventCounts) async -> WorldReplay {
    await WorldReplay(SimulatedWorld(fixture, recordings: recordings, perturbation: (perturbation, baseline)))
  }

  /// A world in real time, for a live model that is real.
  package func pacedWorld() -> PacedWorld { PacedWorld(SimulatedWorld(fixture, recordings: recordings)) }

  /// Compare a replay with what is expected, byte by byte.
  package func compare(_ replay: WorldReplay) -> ReplayVerdict {
    if let breach = replay.breaches.first { return .broken(breach) }
    let expected: Data
    do {
      expected = try PlainFile.data(expectedPath, limit: Limits.logBytes)
    } catch {
      // Where something is that cannot be read, it cannot be written either, and says so then.
      return .nothingExpected
    }
    let actual = replay.log
    if expected.elementsEqual(actual) { return .same }
    return LogDifference(expected: Array(expected), actual: actual).map { .differs($0) } ?? .same
  }

  /// Make this replay the expected one.
  package func accept(_ replay: WorldReplay) throws(FixtureFailure) {
    do throws(FileFailure) {
      try PlainFile.replace(expectedPath, with: replay.log)
    } catch {
      throw FixtureFailure(error.description)
    }
  }
}

extension DecodingError {
  /// What is wrong, and where, for people.
  var sentence: String {
    let (context, what): (Context, String) =
      switch self {
      case .keyNotFound(let key, let context): (context, "“\(key.stringValue)” is missing")
      case .typeMismatch(_, let context): (context, "a value is of the wrong kind")
      case .valueNotFound(_, let context): (context, "a value is missing")
      case .dataCorrupted(let context): (context, context.debugDescription.withoutLastStop)
      @unknown default: (Context(codingPath: [], debugDescription: ""), "it is not understood")
      }
    let path = context.codingPath.map { $0.intValue.map { "number \($0 + 1)" } ?? $0.stringValue }
    return (path.isEmpty ? "" : "in \(path.joined(separator: ", ")): ") + what + "."
  }
}

extension String {
  fileprivate var withoutLastSlashes: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }

  fileprivate var withoutLastStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
