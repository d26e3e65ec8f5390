import VoiceCore
import VoiceVocabulary

/// What a replay deviates by from its script.
package struct Perturbation: Equatable, Sendable {
  /// Draws every chance and every place that a fault leaves open, and the small delays of a real world.
  package var seed: UInt64
  package var faults: [Fault]

  package init(seed: UInt64, faults: [Fault]) {
    self.seed = seed
    self.faults = faults
  }
}

/// How many events of each stream, and how many steps, a session has when nothing goes wrong.
package struct EventCounts: Equatable, Sendable {
  package internal(set) var steps = 0
  var streams: [Fault.Stream: Int] = [:]
  /// The steps that are not just a frame or a piece of sound: where something is going on.
  var eventfulSteps: [Int] = []

  /// Count a step by the stream of its event.
  mutating func count(_ event: VoiceEvent) {
    switch event {
    case .microphoneFrame, .speechAudio: break
    default: eventfulSteps.append(steps)
    }
    steps += 1
    if let stream = event.stream { streams[stream, default: 0] += 1 }
  }
}

/// Stands between the world and the session, and lets through what the faults leave.
struct FaultEditor {
  /// The faults, each with its place.
  private(set) var faults: [Fault]
  private var generator: SeededGenerator
  private let jitters: Bool
  private var seen: [Fault.Stream: Int] = [:]
  /// Nothing of a channel arrives before this, so that its order stays.
  private var heldUntil: [EventChannel: SessionTime] = [:]

  /// What the script itself says goes wrong.
  init(_ faults: [Fault]) {
    self.faults = faults
    generator = SeededGenerator(seed: 0)
    jitters = false
  }

  /// - Parameter baseline: what happens without faults, from which a place is drawn.
  init(_ script: [Fault], _ perturbation: Perturbation, baseline: EventCounts) {
    // Places have a source of their own: with the places given, the same seed gives the same run.
    var places = SeededGenerator(seed: perturbation.seed)
    faults = script + perturbation.faults.map { $0.placed(in: baseline, using: &places) }
    generator = SeededGenerator(seed: perturbation.seed &+ 1 << 32)
    jitters = true
  }

  /// The faults of the world that come after this step.
  func worldFaults(after step: Int) -> [Fault] {
    faults.filter { $0.stream == nil && $0.place == .at(step) }
  }

  /// What becomes of an event.
  enum Fate {
    case arrives([VoiceEvent])
    case comes(at: SessionTime, [VoiceEvent])
    case vanishes
  }

  /// An event is about to arrive.
  mutating func judge(_ event: VoiceEvent, now: SessionTime) -> Fate {
    var delay = 0
    var events = [event]
    if let stream = event.stream {
      let count = seen[stream, default: 0] + 1
      seen[stream] = count
      for fault in faults where fault.stream == stream && strikes(fault, count) {
        switch fault.act {
        case .drop: return .vanishes
        case .delay(_, let milliseconds): delay = max(delay, milliseconds)
        case .duplicate: events.append(event)
        case .corrupt: events = events.map { $0.corrupted }
        default: break
        }
      }
    }
    guard let channel = event.channel else { return .arrives(events) }
    if jitters { delay += jitter(of: channel) }
    let arrival = max(now.advanced(byMilliseconds: delay), heldUntil[channel] ?? .zero)
    guard arrival > now else { return .arrives(events) }
    // A little later each, so that what comes at this very moment comes behind it.
    heldUntil[channel] = SessionTime(microseconds: arrival.microseconds + 1)
    return .comes(at: arrival, events)
  }

  private mutating func strikes(_ fault: Fault, _ count: Int) -> Bool {
    switch fault.place {
    case .at(let number): number == count
    case .percent(let chance): Int.random(in: 0..<100, using: &generator) < chance
    case .anywhere: false
    }
  }

  /// Most things come as they always come; some a little later, few much later.
  private mutating func jitter(of channel: EventChannel) -> Int {
    guard channel != .microphone else { return 0 }
    return switch Int.random(in: 0..<20, using: &generator) {
    case 0..<16: 0
    case 16..<19: Int.random(in: 1...60, using: &generator)
    default: Int.random(in: 60...700, using: &generator)
    }
  }
}

extension Fault {
  /// With its place drawn, where it has none.
  fileprivate func placed(in baseline: EventCounts, using generator: inout SeededGenerator) -> Fault {
    guard place == .anywhere else { return self }
    if let stream {
      return Fault(act, .at(Int.random(in: 1...max(1, baseline.streams[stream] ?? 0), using: &generator)))
    }
    // Half of them where something is going on.
    if Bool.random(using: &generator), let step = baseline.eventfulSteps.randomElement(using: &generator) {
      return Fault(act, .at(step))
    }
    return Fault(act, .at(Int.random(in: 0..<max(1, baseline.steps), using: &generator)))
  }
}
