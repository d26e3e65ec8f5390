import VoiceFoundation
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// Tells a session of others that run in the same working folder, each once, and those of it.
struct Neighbours: Sendable {
  /// Nil where the state folder cannot be written: this session neither sees nor is seen.
  private let sessions: RunningSessions?
  private let post: @Sendable (VoiceEvent) -> Void

  /// - Parameters:
  ///   - workingFolder: absolute.
  ///   - record: the session's folder, by which it is told to others; nil if it keeps no record.
  init(workingFolder: String, record: SessionFolder?, post: @escaping @Sendable (VoiceEvent) -> Void) {
    self.post = post
    let environment = ProcessInfo.processInfo.environment
    let name =
      record?.path.split(separator: "/").last.map(String.init) ?? "process \(ProcessInfo.processInfo.processIdentifier)"
    do {
      guard let state = UserFolders(environment).state else {
        sessions = nil
        return
      }
      sessions = try RunningSessions(
        .init(name: name, started: Self.clock(), workingFolder: workingFolder),
        in: state + "/running")
    } catch {
      sessions = nil
    }
  }

  /// Look every so often; returns when the task is cancelled.
  func watch() async {
    guard let sessions else { return }
    var told: [RunningSessions.Entry] = []
    let ticks = Ticks(everyMilliseconds: Limits.neighbourMilliseconds)
    for await _ in ticks.stream {
      let there = sessions.neighbours()
      for entry in there where !told.contains(entry) {
        post(.otherSessionFound(name: entry.name, since: entry.started))
      }
      told = there
    }
    ticks.stop()
    sessions.leave()
  }

  /// The time of day where the user is.
  private static func clock() -> String {
    let now = LocalTime.now
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits(now.hour)):\(digits(now.minute))"
  }
}
