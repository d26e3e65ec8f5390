import VoiceConfiguration
import VoiceCore
import VoiceLocal
import VoiceReplay
import VoiceVocabulary

/// A fixture with the real live model: real sockets and real speech, in real time.
struct LiveReplay {
  /// What is still good enough.
  struct Budget {
    /// Percent.
    var wordErrors: Int
    /// From the end of a recording to the call that follows it.
    var answerMilliseconds: Int
    /// From a piece of speech that is asked for to its first sound.
    var soundMilliseconds: Int
  }

  let folder: FixtureFolder
  let plan: Plan
  let budget: Budget

  /// What came of one fixture.
  struct Result {
    let verdict: ReplayVerdict
    /// The measures, on one line for people.
    let text: String
    let duration: SessionTime
  }

  /// Run it in real time.
  func run() async throws -> Result {
    let world = folder.pacedWorld()
    let live = try Exit.starting {
      try LiveParts(plan, record: nil, report: { _ in }, waitsForEngines: true, post: world.post)
    }
    let replay = await withTaskGroup { group in
      group.addTask { await live.run() }
      let replay = await world.run(liveModel: live.listener, readout: live.readout)
      live.stop()
      group.cancelAll()
      return replay
    }
    let measure = LiveMeasure(replay, of: folder)
    let words = WordErrorRate(recognised: measure.recognised, spoken: measure.spoken)
    let percent = Int((words.rate * 100).rounded())
    let answer = measure.answerMilliseconds.max() ?? 0
    let sound = measure.soundMilliseconds.max() ?? 0
    var reasons = replay.breaches.prefix(1).map { "a rule is broken in step \($0.step): \($0.text)" }
    if case .failed(let reason) = replay.outcome { reasons.append("the session failed: \(reason)") }
    if percent > budget.wordErrors { reasons.append("\(percent) % of the words are wrong: “\(measure.recognised)”") }
    if answer > budget.answerMilliseconds { reasons.append("an instruction came after \(answer) ms") }
    if sound > budget.soundMilliseconds { reasons.append("a first sound came after \(sound) ms") }
    let text =
      "\(words.errors) of \(words.words) words wrong, instructions after \(Self.list(measure.answerMilliseconds)), "
      + "first sound after \(Self.list(measure.soundMilliseconds))"
    return Result(verdict: reasons.isEmpty ? .same : .deviates(reasons), text: text, duration: replay.duration)
  }

  private static func list(_ milliseconds: [Int]) -> String {
    milliseconds.isEmpty ? "–" : milliseconds.map { "\($0)" }.joined(separator: ", ") + " ms"
  }
}
