import VoiceLanguage
import VoiceVocabulary

/// What the agent did.
extension SessionReading {
  /// The time between two moments as a script has it.
  static func milliseconds(from start: SessionTime, to end: SessionTime) -> Int {
    min(3_600_000, max(0, end.milliseconds(since: start) / 10 * 10))
  }

  /// What the agent did in a run, as a script has it.
  func script(_ run: Run) -> [Fixture.AgentStep] {
    Self.script(run.events[...], since: run.start, run)
  }

  private static func script(
    _ events: ArraySlice<(time: SessionTime, event: AgentEvent)>, since start: SessionTime, _ run: Run
  ) -> [Fixture.AgentStep] {
    var steps: [Fixture.AgentStep] = []
    var last = start
    var blanks = 0
    for (index, (time, event)) in zip(events.indices, events) {
      let pause = milliseconds(from: last, to: time)
      // How the beginning comes is how it is cut, and what is awaited may be the end of a piece.
      if case .text(let delta) = event { blanks += delta.count(where: \.isWhitespace) } else { blanks = 0 }
      if case .text(let delta) = event, case .text(let before) = steps.last, pause < 200,
        blanks > SentenceChunker.openingWords
      {
        steps[steps.count - 1] = .text(delta: before + delta)
        last = time
        continue
      }
      if pause >= 50 { steps.append(.wait(milliseconds: pause)) }
      last = time
      let rest = events[(index + 1)...]
      switch event {
      case .turnStarted, .steered, .steeringRefused: break
      case .text(let delta): steps.append(.text(delta: delta))
      // Nobody answered, and the agent went on.
      case .permissionRequested(let request) where run.answers[request.id.rawValue] == nil && !rest.isEmpty:
        steps.append(.report(event: event))
      case .questionAsked(let question) where run.chosen[question.id] == nil && !rest.isEmpty:
        steps.append(.report(event: event))
      case .permissionRequested(let request):
        let isAllowed = run.answers[request.id.rawValue]
        let then = script(rest, since: time, run)
        return steps + [
          .permission(
            title: request.title, detail: request.detail,
            choices: request.choices == [.allowOnce, .rejectOnce] ? nil : request.choices,
            allowed: isAllowed == true ? then : [], denied: isAllowed == false ? then : [])
        ]
      case .questionAsked(let question):
        let then = script(rest, since: time, run)
        var chosen: Int?
        if case .options(let indices) = run.chosen[question.id] { chosen = indices.first }
        let options = question.options.enumerated().map {
          Fixture.Option(label: $0.element.label, steps: $0.offset == chosen ? then : [])
        }
        return steps + [.question(text: question.text, options: options, otherwise: chosen == nil ? then : [])]
      case .turnEnded(.completed): return steps
      case .turnEnded(.failed(let reason)): return steps + [.fail(reason: reason)]
      case .turnEnded(.unconfirmed(let reason, _)): return steps + [.die(reason: reason)]
      case .turnEnded(.stopped(let reason)): return steps + [.stop(reason: reason)]
      case .turnEnded(.cancelled): return steps + [.hang]
      default: steps.append(.report(event: event))
      }
    }
    // The session ended before the run did.
    return steps + [.hang]
  }
}
