import VoiceRecording
import VoiceVocabulary

/// How a script that was made of a part of a session comes to its end.
extension FixtureFolder {
  /// The longest rest of an answer that is still heard before a script is ended.
  private static let restMilliseconds = 60_000

  /// The fixture, ended where nothing more would happen: what its script waits for may have been decided in a part of the
  /// session that was left out, or never. What has only come sooner than in the session is waited for no longer.
  package func ending() async -> FixtureFolder {
    var whole = self
    var replay = await whole.replay()
    while replay.isUnended, let place = whole.passedWait(in: replay) {
      var fixture = whole.fixture
      (fixture.user[place].await, fixture.user[place].times) = (nil, nil)
      whole = FixtureFolder(path, fixture, recordings: recordings)
      replay = await whole.replay()
    }
    guard replay.isUnended else { return whole }
    var fixture = whole.fixture
    fixture.user.removeLast(replay.unreachedSteps)
    fixture.user.append(.init(after: Self.restMilliseconds, do: .terminate))
    return FixtureFolder(path, fixture, recordings: recordings)
  }

  /// The step that waits for what had come before the one in front of it, which has its time and waits for nothing: a device that is
  /// plugged in, say, behind words that take longer to say than the simulated voice needs. Nil if no step waits so.
  private func passedWait(in replay: WorldReplay) -> Int? {
    let place = fixture.user.count - replay.unreachedSteps
    guard place > 0, place < fixture.user.count, let trigger = fixture.user[place].await,
      fixture.user[place - 1].await == nil
    else { return nil }
    var rest = replay.triggers[...]
    for step in fixture.user[..<place] {
      guard let awaited = step.await else { continue }
      for _ in 0..<(step.times ?? 1) {
        guard let index = rest.firstIndex(of: awaited) else { return nil }
        rest = rest[(index + 1)...]
      }
    }
    return rest.count { $0 == trigger } >= fixture.user[place].times ?? 1 ? place : nil
  }
}

extension WorldReplay {
  /// What a user may wait for, in the order in which it came.
  fileprivate var triggers: [Fixture.Trigger] {
    lines.flatMap { line -> [Fixture.Trigger] in
      let played: [Fixture.Trigger] =
        switch line.step.event {
        case .playbackStarted: [.speechStarted]
        case .playbackEnded: [.speechEnded]
        default: []
        }
      let shown = line.step.actions.compactMap { action -> Fixture.Trigger? in
        if case .show(let notice) = action { Fixture.Trigger(notice) } else { nil }
      }
      return played + shown
    }
  }
}
