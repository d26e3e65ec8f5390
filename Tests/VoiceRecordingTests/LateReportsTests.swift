import Testing
import VoiceRecording
import VoiceVocabulary

struct LateReportsTests {
  private static let run = RunID(rawValue: 1)

  private static func isUntaken(_ events: [AgentEvent]) -> Bool {
    var reports = LateReports()
    for event in events { reports.take(event, of: run) }
    return reports.isUntaken(run)
  }

  @Test(arguments: [AgentTurnEnd.cancelled, .failed(reason: "no")])
  func whatEndedWithoutABeginningWasNotTaken(_ end: AgentTurnEnd) {
    #expect(Self.isUntaken([.status(text: "Starting."), .turnEnded(end: end)]))
    #expect(!Self.isUntaken([]))
  }

  /// An agent that was told to stop says of what it has begun that it is cancelled, too.
  @Test(arguments: [
    AgentEvent.turnStarted, .text(delta: "Done."), .toolFinished(id: "rm", outcome: .completed),
    .permissionRequested(
      request: PermissionRequest(
        id: .init(rawValue: "p"), title: "Run make", detail: "", subject: .init(kind: "execute", command: "make"),
        choices: [.allowOnce])),
  ]) func whatTheAgentHadBegunWasTaken(_ event: AgentEvent) {
    #expect(!Self.isUntaken([event, .turnEnded(end: .cancelled)]))
  }

  @Test func whoseEndIsNotKnownMayHaveBeenTaken() {
    #expect(!Self.isUntaken([.turnEnded(end: .unconfirmed(reason: "It broke.", mayGoOn: true))]))
    #expect(!Self.isUntaken([.turnEnded(end: .completed)]))
  }
}
