import Testing
import VoiceConverse

/// The suites of conformance run every kind of server for which there is a scripted one.
@Test func everyKindOfServerHasAScriptedOne() {
  #expect(HTTPKind.ofEachKind.map(\.rawValue) == HTTPAgentKind.all.map(\.name))
}
