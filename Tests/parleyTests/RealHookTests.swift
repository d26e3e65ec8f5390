import Subprocess
import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a hook of the user's does to a run of the real Codex.
@Suite(
  .serialized, .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
  .timeLimit(.minutes(2)))
struct RealHookTests {
  private static let refusal = "cat >/dev/null; echo 'not on Fridays' >&2; exit 2"

  /// Ask Codex, with a hook that it trusts; `HOME` is the working folder. It is halted when something of `mark` is told.
  private func ask(
    _ text: String, hook command: String, at event: String, haltedAt mark: String? = nil,
    _ check: @escaping @Sendable (_ done: Finished, _ home: String) -> Void
  ) async throws {
    let agent = try #require(RealAgent(.codex))
    try await RealAgent.withModel { port in
      let home = try TemporaryFolder()
      let environment = try agent.prepare(home, port: port)
      let hook = #"{"type": "command", "command": "\#(command)"}"#
      try Data(#"{"hooks": {"\#(event)": [{"hooks": [\#(hook)]}]}}"#.utf8)
        .write(to: URL(filePath: home.path + "/.codex/hooks.json"))
      let script = Repository.path + "/Tests/servers/trust_codex_hooks.py"
      _ = try await Subprocess.run(
        .name("python3"), arguments: [script, agent.executable, home.path], output: .discarded, error: .discarded)
      let told = text.replacing("HOME", with: home.path)
      let arguments = ["ask", told, "--working-folder", home.path] + agent.flags
      if let mark {
        check(
          try await Program.converse(
            arguments, home: home, environment: environment, say: "halt", whenever: [mark]), home.path)
      } else {
        check(
          try await Program.run(arguments, home: home, environment: environment, input: "approve\n"), home.path)
      }
    }
  }

  @Test func anInstructionThatItRefusesIsNotDone() async throws {
    try await ask("good morning", hook: Self.refusal, at: "UserPromptSubmit") { done, _ in
      #expect(done.code != 0, "\(done.errors)")
      #expect(done.errors.contains("A hook blocked it before it reached the model: not on Fridays"), "\(done.errors)")
      #expect(!done.output.contains("You said"), "\(done.output)")
    }
  }

  @Test func anActThatItRefusesIsNotDoneAndCodexGoesOn() async throws {
    try await ask("please write HOME/a.txt", hook: Self.refusal, at: "PreToolUse") { done, home in
      #expect(done.code == 0 && done.output.contains("The tool came back"), "\(done.output) \(done.errors)")
      #expect(done.errors.contains("A hook did not let Codex act: not on Fridays"), "\(done.errors)")
      #expect(!done.errors.contains("asks      ") && !FileManager.default.fileExists(atPath: home + "/a.txt"))
    }
  }

  @Test func oneThatHangsIsShownAndCanBeHalted() async throws {
    let mark = "Codex runs a hook before it begins."
    try await ask("good morning", hook: "sleep 600", at: "UserPromptSubmit", haltedAt: mark) { done, _ in
      #expect(done.errors.contains(mark) && done.errors.contains("stopped"), "\(done.errors)")
      #expect(!done.output.contains("You said"), "\(done.output)")
    }
  }
}
