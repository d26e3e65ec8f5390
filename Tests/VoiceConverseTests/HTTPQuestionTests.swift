import Testing
import VoiceConverse
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

/// What agents behind HTTP ask the user while they work: permissions and questions.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HTTPQuestionTests {
  @Test(arguments: [true, false])
  func aPermissionIsAskedForAndTheDecisionReachesTheServer(_ isAllowed: Bool) async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.uiMessages.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("ask"))
        let request = try #require(await journal.permission())
        #expect(request.title == "Run make")
        #expect(request.choices == [.allowOnce, .rejectOnce])
        agent.answerPermission(request.id, of: 1, with: isAllowed ? .allowOnce : .rejectOnce)
        // A second answer is one too many.
        agent.answerPermission(request.id, of: 1, with: .allowOnce)
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "I will run it." + (isAllowed ? "Done." : "I leave it."))
        #expect(journal.reports(of: 1).contains(.toolFinished(id: "t1", outcome: isAllowed ? .completed : .declined)))
        #expect(server.seen.filter { $0.method == "POST" }.count == 2)
      }
    }
  }

  @Test func theReasonOfADenialReachesTheServer() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.uiMessages.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("ask"))
        let request = try #require(await journal.permission())
        agent.answerPermission(request.id, of: 1, with: .rejectOnce, because: "it takes an hour")
        #expect(await journal.end(of: 1) == .completed)
        let body = try #require(server.seen.last { $0.method == "POST" }).body.bytes
        #expect(String(decoding: body, as: UTF8.self).contains("it takes an hour"))
      }
    }
  }

  @Test func aHaltDuringAPermissionRequestEndsTheRunWithoutADecision() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.uiMessages.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("ask"))
        let request = try #require(await journal.permission())
        agent.cancelRun(1)
        #expect(await journal.end(of: 1) == .cancelled)
        agent.answerPermission(request.id, of: 1, with: .allowOnce)
        agent.startRun(2, Instruction("hello"))
        #expect(await journal.end(of: 2) == .completed)
        #expect(server.seen.filter { $0.method == "POST" }.count == 2)
        #expect(!server.seen.contains { String(decoding: $0.body.bytes, as: UTF8.self).contains("approval-responded") })
      }
    }
  }

  @Test(arguments: [(AgentQuestion.Answer.options(indices: [1]), "blue"), (.text(text: "mauve"), "mauve")])
  func aQuestionIsPutAndAnswered(_ answer: AgentQuestion.Answer, _ words: String) async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.uiMessages.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("question"))
        let question = try #require(await journal.question())
        #expect(question.text == "Which colour?")
        #expect(question.options == [.init(label: "red", explanation: "like fire"), .init(label: "blue")])
        agent.answerQuestion(question.id, of: 1, with: answer)
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "You chose \(words).")
      }
    }
  }

  @Test(arguments: [HTTPKind.agentToAgent, .oldAgentToAgent], [AgentQuestion.Answer.text(text: "mauve"), .declined])
  func whatATaskWantsToKnowGoesToTheSameTask(_ kind: HTTPKind, _ answer: AgentQuestion.Answer) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("question"))
        let question = try #require(await journal.question())
        #expect(question.text == "Which colour?" && question.options.isEmpty)
        agent.answerQuestion(question.id, of: 1, with: answer)
        #expect(await journal.end(of: 1) == .completed)
        let words = answer == .declined ? "The user does not want to answer that." : "mauve"
        #expect(journal.text(of: 1) == "Wait.You chose \(words).")
        #expect(server.seen.last?.body["params"]?["message"]?["taskId"] == "task-1")
      }
    }
  }

  @Test func aHaltDuringAQuestionCancelsTheTask() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.agentToAgent.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("question"))
        _ = try #require(await journal.question())
        agent.cancelRun(1)
        #expect(await journal.end(of: 1) == .cancelled)
        #expect(server.seen.last?.body["method"] == "CancelTask")
      }
    }
  }
}
