import Testing
import VoiceVocabulary

@testable import VoiceConverse

/// What a person writes to name an agent, or to command it.
struct CommandCheckTests {
  /// A name of four letters may have one slip, one of eight two; in a shorter one a slip makes another word.
  @Test(arguments: [
    ("/tset", "test", true), ("/rnu", "run", false), ("/cmpct", "compact", false), ("/compatc", "compact", true),
    ("/securtyy", "security", true), ("/scurtyy", "security", false), ("/test", "test", false),
    ("/usr/bin", "user", false), ("/tset\nand go on", "test", false),
  ])
  func aSlipInACommandIsAskedOnce(_ text: String, _ command: String, _ isHeldBack: Bool) {
    var check = CommandCheck()
    let refusal = check.refusal(of: text, knowing: [command], by: "agent")
    #expect((refusal != nil) == isHeldBack)
    if isHeldBack { #expect(refusal?.contains("did you mean /\(command)?") == true) }
    let again = check.refusal(of: text, knowing: [command], by: "agent")
    #expect(again == nil)
  }

  @Test func aNameOfAnAgentMayBeAsLongAsTheLimit() throws {
    let longest = "acp:" + String(repeating: "a", count: Limits.agentNameBytes - 4)
    #expect(throws: Never.self) { try AgentSpecification(parsing: longest) }
    #expect(throws: AgentError.self) { try AgentSpecification(parsing: longest + "a") }
  }

  @Test func aModelMayHaveASignInItsName() throws {
    let kind = try #require(HTTPAgentKind.all.first { $0.name == "chat" })
    #expect(try HTTPAgentSpecification(kind, at: "http://127.0.0.1:9/v1#a#b").name == "a#b")
  }
}
