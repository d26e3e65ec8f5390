import Testing
import VoiceCore
import VoiceVocabulary

private final class Console: ConsolePort {
  private(set) var statuses: [SessionStatus] = []

  func show(_ notice: Notice) {}
  func show(_ status: SessionStatus) { statuses.append(status) }
}

private struct NoRecorder: RecorderPort {
  func record(_ step: VoiceStep) {}
  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}

/// What the session is doing is shown whenever it changes, and only then.
@Test func theStatusIsShownWhenItChanges() {
  let console = Console()
  var ports = VoicePorts.silent(recorder: NoRecorder())
  ports.console = console
  var session = VoiceSession(ports: ports)
  let connection = ConnectionID(rawValue: 1)
  let events: [(VoiceEvent, Int)] = [
    (.sessionStarted(settings: InteractionSettings { $0.mode = .direct }), 1),
    (.linkReady(connection: connection, resumed: false), 1),
    (.callsWithdrawn(calls: []), 0), (.commandGiven(command: .mode(mode: .review)), 1),
    (.commandGiven(command: .say(text: "build it")), 1), (.commandGiven(command: .say(text: "test it")), 1),
    (.commandGiven(command: .next), 0),
  ]
  for (number, (event, count)) in events.enumerated() {
    let before = console.statuses.count
    _ = session.step(StampedEvent(time: .milliseconds(Int64(number)), event: event))
    #expect(console.statuses.count - before == count, "\(event)")
  }
  #expect(console.statuses.last?.held == 2 && console.statuses.last?.mode == .review)
}
