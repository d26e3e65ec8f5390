import VoiceCore
import VoiceFoundation
import VoiceRecording
import VoiceVocabulary

/// A recorded session made into a script: what the user said and decided, what the live model and the agent made of it,
/// each waiting for what it followed instead of for a time.
package struct SessionScript {
  /// The script with its sounds, not on disk yet.
  package let folder: FixtureFolder
  /// What was decided in the session, to compare with.
  package let decisions: Decisions
  /// Its turns, by their first steps: what somebody said, typed, or was offered from an earlier session.
  package let turns: [Int]
  /// The turn of what was said, counted from 1, by each step in which words or a proposal came of it.
  private let turnOfWords: [Int: Int]

  /// What was decided otherwise than in the session, a sentence each.
  package func differences(in replay: WorldReplay) -> [String] {
    Decisions(replay.lines, hasEnd: decisions.hasEnd).differences(from: decisions)
  }

  /// The turn of the script, counted from 1, that begins between two steps of the session; nil if there is none.
  ///
  /// - Parameter last: the step in which an instruction was made of what was said; nil if none was.
  package func place(of first: Int, until last: Int?) -> Int? {
    let last = max(first, last ?? first)
    // A detector that finds no turns may have heard the user first.
    if let index = turns.firstIndex(where: { (first...last).contains($0) }) { return index + 1 }
    // What was said may have begun long before anything told whose words it was.
    return turnOfWords.filter { (first...last).contains($0.key) }.min { $0.key < $1.key }?.value
  }

  /// - Parameters:
  ///   - path: a session folder.
  ///   - turn: only this turn, counted from 1; nil for all of them.
  ///   - readSound: reads a sound file as 16 kHz mono.
  package init(_ path: String, turn: Int? = nil, readSound: (String) throws -> [Int16]) throws(FixtureFailure) {
    let session: SessionFolder
    let lines: [LogLine]
    do {
      session = try SessionFolder(reading: path)
      lines = try [LogLine](ofLog: session.log)
    } catch {
      throw FixtureFailure("\(error)")
    }
    guard let first = lines.first, case .sessionStarted(let settings) = first.step.event else {
      throw FixtureFailure("\(path) does not begin with the start of a session.")
    }
    var reading = SessionReading(settings)
    for line in lines { reading.take(line) }
    (turns, turnOfWords) = (reading.firstSteps, reading.turnOfWords)
    if let turn {
      guard !turns.isEmpty else { throw FixtureFailure("\(path) has no turn: nobody said anything in it.") }
      guard (1...turns.count).contains(turn) else {
        throw FixtureFailure("\(path) has no turn \(turn): it has \(turns.count).")
      }
      reading.keep(turn)
    }
    var recordings: [String: [Int16]] = [:]
    do {
      // Nothing was heard where all was typed.
      let sounds = reading.sounds
      let sound = sounds.isEmpty ? [] : try readSound(session.sound(.microphone))
      for (name, range) in sounds { recordings[name] = Array(sound[range.clamped(to: 0..<sound.count)]) }
    } catch {
      throw FixtureFailure("\(error)")
    }
    let title = "As in a recorded session\(turn.map { ", turn \($0)" } ?? "")."
    folder = FixtureFolder(path, reading.fixture(title), recordings: recordings)
    decisions = turn.map { turn in Decisions(lines, hasEnd: false, of: { reading.owns(turn, $0) }) } ?? Decisions(lines)
  }
}
