import Testing
import VoiceConfiguration
import VoiceConverse

@testable import parley

struct UnrecordedTests {
  /// Of agents whose servers keep none.
  @Test(arguments: [true, false]) func aConversationIsKeptOnlyWhereTheSessionIs(_ isRecorded: Bool) throws {
    var layer = PlanLayer(origin: PlanLayer.commandLine)
    try layer.set(\.records, .flag(isRecorded))
    let (_, environment) = try agentChoice(Plan([layer]))
    #expect((environment.server.conversationsFolder != nil) == isRecorded)
  }
}
