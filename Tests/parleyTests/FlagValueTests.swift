import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"
private let chat = "chat:http://127.0.0.1:1/v1"

/// A wrong value of a flag is a fault of the call, whichever verb finds out; the same value in the configuration is none.
@Suite(.timeLimit(.minutes(5))) struct FlagValueTests {
  @Test(arguments: [
    (["agents", "nosuch"], "There is no agent “nosuch”."),
    (["sessions", "nosuch"], "There is no agent “nosuch”."),
    (["ask", "hello", "--agent", "echo", "--agent-mode", "nosuch"], "The echo has no modes."),
    (
      ["ask", "hello", "--agent", "guide", "--agent-mode", "nosuch"],
      "The guide has no mode “nosuch”. It has only “ask”."
    ),
    (["ask", "hello", "--agent", "duck-talk", "--agent-mode", "nosuch"], "Duck Talk has no mode “nosuch”."),
    (["ask", "hello", "--agent", chat, "--agent-mode", "nosuch"], "The model server has no modes."),
    (["ask", "hello", "--agent", "codex-exec:codex", "--agent-mode", "nosuch"], "parley: codex exec has no mode"),
    (["ask", "hello", "--agent", "echo", "--agent-model", "nosuch"], "The echo does not let you choose its model."),
    (["ask", "hello", "--agent", "page-space:http://127.0.0.1:1", "--agent-model", "nosuch"], "PROVIDER/MODEL"),
    (["ask", "hello", "--agent", "echo", "--resume", "x"], "The echo cannot go on with an earlier session."),
    (["ask", "hello", "--agent", "guide", "--resume", "x"], "The guide cannot go on with an earlier session."),
    (["ask", "hello", "--agent", chat, "--resume", "x"], "There is no conversation x in"),
    (["ask", "hello", "--agent", chat, "--resume", "../x"], "“../x” is no name of a conversation."),
    (["ask", "hello", "--agent", "echo", "--attach", "HOME/a.png"], "This agent takes no attachments."),
  ])
  func aWrongValueOfAFlagIsAFaultOfTheCall(_ arguments: [String], _ words: String) async throws {
    let home = try TemporaryFolder()
    try Data([0x89, 0x50, 0x4E, 0x47, 1]).write(to: URL(filePath: home.path + "/a.png"))
    let finished = try await Program.run(arguments.map { $0.replacing("HOME", with: home.path) }, home: home)
    #expect(finished.code == 64, "\(finished.errors)")
    #expect(finished.errors.hasPrefix("parley: ") && finished.errors.contains(words), "\(finished.errors)")
  }

  /// The parts are tried all the same.
  @Test(arguments: [
    (["--agent", "nosuch"], "{}", 64), (["--agent", "echo", "--agent-mode", "nosuch"], "{}", 64),
    ([], "{ agent: { agent: 'nosuch' } }", 78),
    (["--agent", "acp:/no/such/agent"], "{ agent: { agent: 'nosuch' } }", 69),
  ])
  func aCheckEndsWithTheCodeOfWhatIsToBeSetRightFirst(
    _ flags: [String], _ configuration: String, _ code: Int
  ) async throws {
    let home = try TemporaryFolder()
    let file = home.path + "/parley.json5"
    try Data(configuration.utf8).write(to: URL(filePath: file))
    let finished = try await Program.run(
      [
        "check", "--config", file, "--live", "ws://127.0.0.1:1/", "--microphone", recording, "--speaker", "none",
      ] + flags, home: home)
    #expect(finished.code == code, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("missing  agent: "), "\(finished.output)")
    #expect(finished.output.contains("missing  live model: "), "\(finished.output)")
  }

  @Test func aModeOfTheConfigurationThatTheAgentDoesNotHaveIsAFaultOfThat() async throws {
    let home = try TemporaryFolder()
    let file = home.path + "/parley.json5"
    try Data("{ agent: { agent: 'echo', preferredMode: 'nosuch' } }".utf8).write(to: URL(filePath: file))
    let finished = try await Program.run(["ask", "hello", "--config", file], home: home)
    #expect(finished.code == 78 && finished.errors.contains("The echo has no modes."), "\(finished.errors)")
  }

  @Test func theGuideTakesTheModeThatItHas() async throws {
    let home = try TemporaryFolder()
    let finished = try await Program.run(
      ["ask", "where are you", "--agent", "guide", "--agent-mode", "ask", "--working-folder", home.path], home: home)
    #expect(finished.code == 0 && !finished.output.isEmpty, "\(finished.output)\(finished.errors)")
  }
}
