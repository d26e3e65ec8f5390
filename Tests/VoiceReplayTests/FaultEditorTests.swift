import Testing
import VoiceVocabulary

@testable import VoiceReplay

private let connection = ConnectionID(rawValue: 1)
private let transcript = VoiceEvent.userTranscribed(connection: connection, text: "run the tests", isFinal: true)
private let proposal = VoiceEvent.instructionProposed(
  call: CallID(connection: connection, id: "c", tool: "converse"), text: "run the tests")
private let report = VoiceEvent.agentReported(run: RunID(rawValue: 1), event: .text(delta: "three tests failed"))
private let frame = VoiceEvent.microphoneFrame(frame: MicrophoneFrame(position: 0, samples: [0, 7, -1]))

/// When an event arrives, and as what.
private struct Arrival: Equatable {
  var microseconds: Int64
  var events: [VoiceEvent]
}

extension FaultEditor {
  fileprivate init(_ texts: String...) throws { self.init(try texts.map { try Fault($0) }) }

  /// Nil if it never arrives.
  fileprivate mutating func arrival(_ event: VoiceEvent, at milliseconds: Int64 = 0) -> Arrival? {
    switch judge(event, now: .milliseconds(milliseconds)) {
    case .arrives(let events): Arrival(microseconds: milliseconds * 1000, events: events)
    case .comes(let time, let events): Arrival(microseconds: time.microseconds, events: events)
    case .vanishes: nil
    }
  }
}

struct FaultEditorTests {
  @Test func onlyTheNumberedEventOfItsStreamIsDropped() throws {
    var editor = try FaultEditor("drop:transcript@2")
    let arrives = [transcript, proposal, report, transcript, transcript].map { editor.arrival($0) != nil }
    #expect(arrives == [true, true, true, false, true])
  }

  @Test func whatComesTheSameWayBehindADelayedEventStaysBehindIt() throws {
    var editor = try FaultEditor("delay:transcript@1=500")
    #expect(editor.arrival(transcript)?.microseconds == 500_000)
    #expect(editor.arrival(proposal, at: 10)?.microseconds == 500_001)
    #expect(editor.arrival(proposal, at: 20)?.microseconds == 500_002)
    // The agent has another way, and later the way is free.
    #expect(editor.arrival(report, at: 30)?.microseconds == 30_000)
    #expect(editor.arrival(transcript, at: 600)?.microseconds == 600_000)
  }

  @Test func oneToThreeFaultsAreDrawn() {
    #expect(Set((0..<100).map { Fault.some(drawnBy: $0).count }) == [1, 2, 3])
  }

  @Test func whatComesAtTheSameMomentIsNotHeldUp() throws {
    var editor = try FaultEditor("drop:transcript@9")
    for _ in 0..<3 { #expect(editor.arrival(proposal, at: 5)?.microseconds == 5_000) }
  }

  @Test func aChanceOfNothingNeverStrikesAndACertaintyAlways() throws {
    var (never, always) = (try FaultEditor("drop:agent@0%"), try FaultEditor("drop:agent@100%"))
    for _ in 0..<2_000 {
      #expect(never.arrival(report) != nil)
      #expect(always.arrival(report) == nil)
    }
  }

  @Test func theLongerOfTwoDelaysCounts() throws {
    var editor = try FaultEditor("delay:agent@1=700", "delay:agent@1=300")
    #expect(editor.arrival(report)?.microseconds == 700_000)
  }

  @Test func aDuplicateArrivesTwiceAtOnce() throws {
    var editor = try FaultEditor("duplicate:proposal@1")
    #expect(editor.arrival(proposal, at: 5) == Arrival(microseconds: 5_000, events: [proposal, proposal]))
    #expect(editor.arrival(proposal, at: 6) == Arrival(microseconds: 6_000, events: [proposal]))
  }

  @Test func whatIsCorruptHasLostItsSecondHalf() throws {
    var editor = try FaultEditor("duplicate:transcript@1", "corrupt:transcript@1", "corrupt:frame@1", "corrupt:agent@1")
    let damaged = VoiceEvent.userTranscribed(
      connection: connection, text: "run th\u{FFFD}\u{0}\u{1B}[2J\u{202E}", isFinal: true)
    #expect(editor.arrival(transcript)?.events == [damaged, damaged])
    let other = VoiceEvent.microphoneFrame(frame: MicrophoneFrame(position: 0, samples: [-1, -8, 0]))
    #expect(editor.arrival(frame)?.events == [other])
    guard case .agentReported(_, .text(let delta)) = editor.arrival(report)?.events.first else {
      Issue.record("the report did not arrive as one")
      return
    }
    #expect(delta.hasPrefix("three tes\u{FFFD}"))
  }

  @Test func halfOfASpeechIsLeftOfACorruptOne() throws {
    var editor = try FaultEditor("corrupt:speech@1")
    let sound = VoiceEvent.speechAudio(speech: .init(rawValue: 1), audio: .init(samples: [1, 2, 3, 4, 5]))
    let half = VoiceEvent.speechAudio(speech: .init(rawValue: 1), audio: .init(samples: [1, 2, 3]))
    #expect(editor.arrival(sound)?.events == [half])
  }

  /// How a run ends is never lost: an agent whose process is gone is noticed by the program itself.
  @Test func theEndOfARunAlwaysArrives() throws {
    var editor = try FaultEditor("drop:agent@100%")
    let end = VoiceEvent.agentReported(run: RunID(rawValue: 1), event: .turnEnded(end: .completed))
    #expect(editor.arrival(report) == nil)
    #expect(editor.arrival(end)?.events == [end])
  }

  @Test func aFaultOfTheWorldComesAfterItsStepAlone() throws {
    let editor = try FaultEditor("cut:link@12", "kill:agent@12", "drop:frame@12", "fill:disk@3")
    #expect(editor.worldFaults(after: 12) == [Fault(.cutLink, .at(12)), Fault(.killAgent, .at(12))])
    #expect(editor.worldFaults(after: 3) == [Fault(.fillDisk, .at(3))])
    #expect(editor.worldFaults(after: 13).isEmpty)
  }

  @Test(arguments: 1..<40 as Range<UInt64>) func aPlaceIsDrawnWithinTheSession(_ seed: UInt64) {
    var baseline = EventCounts()
    for event in [frame, transcript, frame, transcript, report, transcript] { baseline.count(event) }
    let drawn = FaultEditor(
      [], Perturbation(seed: seed, faults: [Fault(.drop(.transcript)), Fault(.cutLink), Fault(.drop(.stop))]),
      baseline: baseline
    ).faults
    let numbers = drawn.map { if case .at(let number) = $0.place { number } else { -1 } }
    #expect((1...3).contains(numbers[0]) && (0..<6).contains(numbers[1]))
    #expect(numbers[2] == 1, "what never happens is waited for once")
  }

  /// Whoever is told a seed sees the same delays, on any machine.
  @Test func theDelaysOfASeedAreKnown() {
    var editor = FaultEditor([], Perturbation(seed: 3, faults: []), baseline: EventCounts())
    let delays = (0..<60).map { index in
      let now = Int64(index) * 1_000
      return (editor.arrival(report, at: now)?.microseconds ?? 0) / 1_000 - now
    }
    #expect(delays.filter { $0 > 0 } == [10, 8, 56, 29, 31, 36, 34, 165, 57, 16, 199])
  }

  /// Real time is uneven, but a microphone's frames come as they were heard, and no way is taken over.
  @Test func delaysOfARealWorldKeepTheOrderOfEachWay() {
    var editor = FaultEditor([], Perturbation(seed: 3, faults: []), baseline: EventCounts())
    var arrivals: [Int64] = []
    for milliseconds in 0..<400 {
      let now = Int64(milliseconds) * 5
      #expect(editor.arrival(frame, at: now)?.microseconds == now * 1000)
      arrivals.append(editor.arrival(report, at: now)?.microseconds ?? 0)
    }
    #expect(arrivals == arrivals.sorted() && Set(arrivals).count == arrivals.count)
    #expect(arrivals.enumerated().contains { $0.element > Int64($0.offset) * 5_000 })
  }
}
