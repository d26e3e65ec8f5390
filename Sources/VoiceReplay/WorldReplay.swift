import VoiceCore
package import VoiceRecording
package import VoiceVocabulary

/// A session in a simulated world.
package struct WorldReplay: Sendable {
  package let outcome: SessionOutcome
  /// The instructions that the agent was handed, in order.
  package let handedOn: [Instruction]
  /// How much time passed in the simulated world.
  package let duration: SessionTime
  package let lines: [LogLine]
  /// What should not have happened.
  package let breaches: [SimulatedWorld.Breach]
  /// What happened, by number.
  package let counts: EventCounts
  /// What went wrong, each with its place.
  package private(set) var faults: [Fault] = []
  /// Facts of the outside world that no recording tells, because the session treated it otherwise; a clause each.
  package private(set) var unknown: [String] = []
  /// When each recording had been played into the microphone.
  private(set) var saidTimes: [SessionTime] = []
  /// Steps of the user that nothing led to.
  private(set) var unreachedSteps = 0

  /// Whether the session was still going on when nothing more could happen.
  var isUnended: Bool { !(lines.last?.step.actions.contains { if case .end = $0 { true } else { false } } ?? false) }
}

extension WorldReplay {
  init(_ world: SimulatedWorld) async { await self.init(world, events: world, ports: world.ports) }

  /// Run a session in the world until it ends.
  init(_ world: SimulatedWorld, events: any EventSource, ports: VoicePorts) async {
    var session = VoiceSession(ports: ports)
    outcome = await session.run(events)
    saidTimes = world.saidTimes
    unreachedSteps = world.unreachedSteps
    lines = world.finishLog()
    handedOn = world.handedOn
    duration = world.now
    breaches = world.breaches
    counts = world.counts
    faults = world.faults
    unknown = []
  }

  /// The log, as it stands in a file.
  package var log: [UInt8] {
    let codec = LogCodec()
    return lines.reduce(into: codec.encode(LogHeader.current)) { $0 += codec.encode($1) }
  }
}

/// What became of a replay.
package enum ReplayVerdict: Equatable, Sendable {
  /// As expected, to the byte; or, where something went wrong, all rules were kept.
  case same
  /// As expected, but for these facts of the outside world that cannot be given again; a clause each.
  case sameExcept([String])
  /// There is no expected log yet.
  case nothingExpected
  case differs(LogDifference)
  /// A rule was broken, or a simulated part refused what the session did.
  case broken(SimulatedWorld.Breach)
  /// Two runs of the same fixture gave different bytes.
  case unsteady(run: Int)
  /// It is not as it should be in these ways, a sentence each.
  case deviates([String])

  /// Whether it is as expected, as far as it can be.
  package var isSame: Bool {
    switch self {
    case .same, .sameExcept: true
    case .nothingExpected, .differs, .broken, .unsteady, .deviates: false
    }
  }
}
