import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What real agents ask on behalf of others: MCP servers, and helpers on threads of their own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RealAgentRequestTests {
  private func ask(
    _ kind: RealAgent.Kind, _ text: String, input: String, _ check: @escaping @Sendable (Finished, String) -> Void
  ) async throws {
    let agent = try #require(RealAgent(kind))
    try await RealAgent.withModel { port in
      let home = try TemporaryFolder()
      let environment = try agent.prepare(home, port: port)
      try agent.addNotes(in: home)
      let done = try await Program.run(
        ["ask", "\(text) \(home.path)/a.txt", "--working-folder", home.path] + agent.flags, home: home,
        environment: environment, input: input)
      let written = FileManager.default.contents(atPath: home.path + "/a.txt") ?? Data()
      check(done, String(decoding: written, as: UTF8.self))
    }
  }

  @Test(arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled))
  func theFormOfAnMCPServerIsAnswered(_ kind: RealAgent.Kind) async throws {
    // The tool is allowed, and then the form filled in.
    try await ask(kind, "please use ask", input: "approve\nchoose 2\nanswer 3\n") { done, written in
      #expect(done.code == 0 && done.errors.contains("What shall it be?"), "\(done.errors)")
      #expect(written.contains(#""action": "accept", "content": {"colour": "blue", "count": 3}"#), "\(written)")
    }
  }

  @Test(arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled), ["approve\n", "reject\n"])
  func aToolOfAnMCPServerIsAskedFor(_ kind: RealAgent.Kind, _ answer: String) async throws {
    try await ask(kind, "please use note", input: answer) { done, written in
      #expect(done.code == 0 && done.errors.contains("asks      "), "\(done.errors)")
      #expect(written == (answer == "approve\n" ? "Written by the model.\n" : ""), "\(done.errors)")
    }
  }

  @Test(arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled), ["approve\n", "reject\n"])
  func whatAHelperAsksIsHeld(_ kind: RealAgent.Kind, _ answer: String) async throws {
    try await ask(kind, kind == .codex ? "please spawn" : "please delegate", input: answer) { done, written in
      #expect(done.code == 0 && done.errors.contains("asks      "), "\(done.errors)")
      #expect(written == (answer == "approve\n" ? "Written by the model.\n" : ""), "\(done.errors)")
    }
  }

  /// Its request comes when the turn that started it is over, and the helper's end begins a turn of the agent's own.
  @Test(.enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"))
  func whatAHelperInTheBackgroundAsksIsHeld() async throws {
    let agent = try #require(RealAgent(.claude))
    for (answer, content) in [("approve", "Written by the model.\n"), ("reject", ""), ("halt", "")] {
      try await RealAgent.withModel { port in
        let home = try TemporaryFolder()
        let environment = try agent.prepare(home, port: port)
        let done = try await Program.converse(
          ["ask", "please delegate-behind \(home.path)/a.txt", "--working-folder", home.path] + agent.flags, home: home,
          environment: environment, say: answer, whenever: [answer == "halt" ? "begins    by itself" : "asks      "])
        #expect((done.code == 0) == (answer != "halt") && done.errors.contains("begins    by itself"), "\(done.errors)")
        #expect(done.errors.contains("stopped") == (answer == "halt"), "\(done.errors)")
        let written = FileManager.default.contents(atPath: home.path + "/a.txt") ?? Data()
        #expect(String(decoding: written, as: UTF8.self) == content, "\(done.errors)")
      }
    }
  }
}
