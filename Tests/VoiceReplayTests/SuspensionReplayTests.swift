import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceVocabulary

private let hour = SessionTime.milliseconds(3_600_000)

/// What is going on when the machine falls asleep.
private enum Moment: String, CaseIterable, CustomTestStringConvertible {
  case aReplyIsSpoken, anInstructionIsHeld, theAgentWorks, somebodySpeaks

  var slug: String {
    switch self {
    case .aReplyIsSpoken, .theAgentWorks: "direct"
    case .anInstructionIsHeld: "review-approve"
    case .somebodySpeaks: "client-turn-detection"
    }
  }

  /// Whether it begins with this event.
  func begins(with event: VoiceEvent, _ actions: [VoiceAction]) -> Bool {
    switch (self, event) {
    case (.aReplyIsSpoken, .playbackStarted), (.somebodySpeaks, .voiceStarted): true
    case (.anInstructionIsHeld, _): actions.contains { if case .show(.held) = $0 { true } else { false } }
    case (.theAgentWorks, _): actions.contains { if case .startRun = $0 { true } else { false } }
    default: false
    }
  }

  var testDescription: String { rawValue }
}

/// The first step behind the hour, and where it stands.
private func wakes(_ lines: [LogLine]) -> Int? {
  lines.indices.dropFirst().first {
    lines[$0].step.time.microseconds - lines[$0 - 1].step.time.microseconds > hour.microseconds / 2
  }
}

/// The session goes on where it was: nothing is lost, nothing is sent twice, and no timer counts the hour.
@Test(arguments: Moment.allCases) private func anHourAsleepIsNobodysSilence(_ moment: Moment) async throws {
  let folder = try load(moment.slug)
  let awake = await folder.replay()
  let step = try #require(awake.lines.first { moment.begins(with: $0.step.event, $0.step.actions) }).step.sequence
  func replay(_ act: Fault.Act) async -> WorldReplay {
    await folder.replay(Perturbation(seed: 1, faults: [Fault(act, .at(step))]), baseline: awake.counts)
  }
  let slept = await replay(.suspend(milliseconds: 3_600_000))
  let cut = await replay(.cutLink)
  #expect(slept.breaches.isEmpty)
  #expect(slept.outcome == .completed)
  #expect(slept.handedOn.map(\.text) == awake.handedOn.map(\.text))
  #expect(slept.duration > hour)
  let place = try #require(wakes(slept.lines))
  // No timer but those that would have fired at this moment anyway.
  func timers(_ replay: WorldReplay) -> [VoiceEvent] {
    replay.lines.map(\.step.event).filter { if case .timerFired = $0 { true } else { false } }
  }
  #expect(timers(slept) == timers(cut))
  let wake = slept.lines[place].step.time
  let atOnce = slept.lines[place...].prefix { $0.step.time < wake.advanced(byMilliseconds: 100) }
  #expect(!atOnce.contains { if case .timerFired = $0.step.event { true } else { false } })
  // The microphone's positions go on where they were.
  var next = 0
  for line in slept.lines {
    guard case .microphoneFrame(let frame) = line.step.event else { continue }
    #expect(frame.position == next)
    next = frame.position + line.repeated * PCM.frameSamples
  }
}

/// But for the clock, an hour asleep is a connection that was cut: what is decided is the same, word for word.
@Test(arguments: slugs) func anHourAsleepDecidesAsACutConnectionDoes(_ slug: String) async throws {
  let folder = try load(slug)
  let baseline = await folder.replay().counts
  for seed in UInt64(1)...2 {
    func replay(_ act: Fault.Act) async -> WorldReplay {
      await folder.replay(Perturbation(seed: seed, faults: [Fault(act)]), baseline: baseline)
    }
    let (slept, cut) = (await replay(.suspend(milliseconds: 3_600_000)), await replay(.cutLink))
    #expect(slept.breaches.isEmpty)
    #expect(slept.outcome == cut.outcome)
    #expect(slept.handedOn == cut.handedOn, "seed \(seed)")
  }
}
