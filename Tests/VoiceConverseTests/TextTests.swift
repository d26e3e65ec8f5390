import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// What is read of texts: the agent's specification, and more.
struct TextTests {
  @Test func agentsAreNamed() throws {
    #expect(try AgentSpecification(parsing: "guide") == .guide)
    #expect(try AgentSpecification(parsing: "echo") == .echo)
    let local = try AgentSpecification(parsing: "duck-talk")
    #expect(try AgentSpecification(parsing: "duck-talk:http://127.0.0.1:8000/") == local)
    guard case .http(let duck) = local else { return #expect(Bool(false), "Duck Talk is a server") }
    #expect(duck.kind == .duckTalk && duck.address == HTTPAddress("http://127.0.0.1:8000") && duck.name == nil)
    let named: [(String, HTTPAgentKind, String, String?)] = [
      ("duck-talk:unix:/run/duck.sock", .duckTalk, "unix:/run/duck.sock", nil),
      ("chat", .chat, "http://127.0.0.1:11434/v1", nil), ("chat#llama", .chat, "http://127.0.0.1:11434/v1", "llama"),
      ("chat:https://host/v1/#a/b:c", .chat, "https://host/v1", "a/b:c"),
      ("better#gemini-3-pro", .better, "https://generativelanguage.googleapis.com", "gemini-3-pro"),
      ("page-space:https://host#page", .pageSpace, "https://host", "page"),
      ("ui-messages:http://localhost:3000/api/chat", .uiMessages, "http://localhost:3000/api/chat", nil),
      ("opcode:http://10.0.0.2:8080#sonnet", .opcode, "http://10.0.0.2:8080", "sonnet"),
      ("gemini-mobile:https://[2001:db8::1]:443", .geminiMobile, "https://[2001:db8::1]:443", nil),
    ]
    for (text, kind, address, name) in named {
      guard case .http(let server) = try AgentSpecification(parsing: text) else {
        Issue.record("\(text) is a server")
        continue
      }
      #expect(server.kind == kind && server.address == HTTPAddress(address) && server.name == name, "\(text)")
    }
    #expect(
      try AgentSpecification(parsing: "acp:dcode --acp -M 'a model' \"\" x:y")
        == .child(
          .init(
            name: "dcode", language: .acp, executable: "dcode", arguments: ["--acp", "-M", "a model", "", "x:y"])))
  }

  @Test(arguments: [
    ("giude", "Did you mean “guide”?"), ("ducktalk", "Did you mean “duck-talk”?"), ("ECP:vibe", "Did you mean “acp”?"),
    ("acp:", "names no command"), ("acp:   ", "names no command"), ("acp", "names no command"),
    ("acp:" + String(repeating: "x", count: 5_000), "has 5004 bytes"), ("acp:run 'it", "a quote that is never closed"),
    ("echo:loud", "takes nothing behind a colon"),
    ("duck-talk:ftp://host", "has no address that makes sense"),
    ("duck-talk:http://me:secret@host", "has no address that makes sense"),
    ("duck-talk:http://host/path?key=1", "has no address that makes sense"), ("", "There is no agent “”"),
    ("page-space", "needs an address: page-space:https://HOST[#AGENT]"), ("gemini-mobile:", "needs an address"),
    ("chat:http://", "has no address that makes sense"), ("opcde", "Did you mean “opcode”?"),
  ])
  func aMistakeInAnAgentsNameIsExplained(_ text: String, _ words: String) {
    let mistake = #expect(throws: AgentError.self) { try AgentSpecification(parsing: text) }
    #expect(mistake?.description.contains(words) == true)
  }

  @Test func theEchoIsDeterministicAndOver() async throws {
    let journal = Journal()
    let environment = AgentEnvironment(workingFolder: "/", executablePath: "/bin/false")
    let agent = try AgentSpecification.echo.makeAgent(in: environment, post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      agent.startRun(1, Instruction("hello"))
      agent.cancelRun(1)
    }
    #expect(
      journal.all == [
        .agentReady(agent: AgentDescription(name: "echo", capabilities: [.ask])),
        .agentReported(run: 1, event: .turnStarted), .agentReported(run: 1, event: .text(delta: "hello")),
        .agentReported(run: 1, event: .turnEnded(end: .completed)),
      ])
  }
}
