import Testing
import VoiceConverse

/// One list of the servers that an agent may be behind. Whoever adds one is told here what else it must stand in.
@Test func everyKindOfServerIsInEverySuiteOfConformance() {
  let names = HTTPAgentKind.all.map(\.name)
  #expect(Set(names).count == names.count)
  for (suite, known) in [
    ("HTTPKind", HTTPKind.allCases.map(\.rawValue)), ("RefusalTests", RefusalTests.Adapter.allCases.map(\.rawValue)),
    ("FalseStopTests", FalseStopTests.Adapter.allCases.map(\.rawValue)),
  ] {
    #expect(Set(names).subtracting(known) == [], "\(suite) knows nothing of these")
  }
}
