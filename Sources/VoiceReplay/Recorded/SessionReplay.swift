import VoiceCore
package import VoiceRecording
import VoiceVocabulary

/// A recorded session, to be run again in the world that its recording tells of.
package struct SessionReplay: Sendable {
  private let lanes: RecordedLanes
  private let decisions: Decisions
  /// What the recording does not hold, a clause each.
  private let missing: [String]

  /// One fact that is missing leads to others.
  private static let toldFacts = 3

  /// - Parameter path: a session folder. Its log will do; one that is damaged is refused, unless only its last line is
  ///   torn, as after a crash.
  package init(_ path: String) throws(FixtureFailure) {
    let session: SessionFolder
    do throws(FileFailure) {
      session = try SessionFolder(reading: path)
    } catch {
      throw FixtureFailure(error.description)
    }
    try self.init([LogLine](ofLog: session.log), path)
  }

  /// - Parameters:
  ///   - lines: a log.
  ///   - name: what it is called in a failure.
  package init(_ lines: [LogLine], _ name: String) throws(FixtureFailure) {
    if let defect = lines.defect { throw FixtureFailure("\(name) \(defect).") }
    lanes = RecordedLanes(lines)
    decisions = Decisions(lines, hasEnd: lanes.hasEnd)
    var missing: [String] = []
    if lines.isEmpty {
      missing.append("the program was ended before the session began")
    } else if !lanes.hasEnd {
      missing.append("the log breaks off after \(lanes.end.seconds) s, and so does the replay")
    }
    if decisions.mentionSecret { missing.append("words that looked like a key are not in the log") }
    self.missing = missing
  }

  /// Run the session in its world.
  package func replay() async -> WorldReplay { await RecordedWorld(lanes).replay() }

  /// What became of it: what was decided counts, and in which order, but not when.
  package func compare(_ replay: WorldReplay) -> ReplayVerdict {
    if let breach = replay.breaches.first { return .broken(breach) }
    let differences = Decisions(replay.lines, hasEnd: lanes.hasEnd).differences(from: decisions)
    let unknown = replay.unknown.prefix(Self.toldFacts).map { "the recording does not tell \($0)" }
    guard differences.isEmpty else { return .deviates(differences + unknown) }
    let facts = missing + unknown
    return facts.isEmpty ? .same : .sameExcept(facts)
  }
}
