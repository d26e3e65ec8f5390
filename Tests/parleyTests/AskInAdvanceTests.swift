import Testing
import VoiceCore
import VoiceLoop
import VoiceVocabulary

@testable import parley

/// Decisions of a script, which come before their questions.
@Suite(.timeLimit(.minutes(1))) struct AskInAdvanceTests {
  private let inbox = EventInbox()
  private let conversation: TypedConversation
  private let decisions: [VoiceEvent] = [
    .commandGiven(command: .choose(numbers: [2])), .commandGiven(command: .answer(text: "three")), .commandsEnded,
  ]

  init() {
    conversation = TypedConversation(
      "ask me", and: TypedLines(), inbox: inbox, printer: AnswerPrinter(OutputQueue(), form: .text),
      decidesInAdvance: true)
  }

  /// Something that happens anyway, by which `next` returns.
  private func pass() async -> VoiceEvent? {
    inbox.post(.recordingFailed(reason: "nothing"))
    return await conversation.next()?.event
  }

  private func show(held: Int) {
    var status = SessionStatus()
    status.held = held
    conversation.show(status)
  }

  @Test func eachWaitsForItsQuestionAndTheEndForThemAll() async throws {
    inbox.post(.agentReady(agent: AgentDescription(name: "scripted", capabilities: [])))
    #expect(
      await conversation.next()?.event == .agentReady(agent: AgentDescription(name: "scripted", capabilities: [])))
    #expect(await conversation.next()?.event == .commandGiven(command: .say(text: "ask me")))
    for decision in decisions { inbox.post(decision) }
    #expect(await pass() == .recordingFailed(reason: "nothing"), "none has its question")
    for decision in decisions {
      show(held: 1)
      #expect(await conversation.next()?.event == decision)
      show(held: 0)
      if decision != .commandsEnded { #expect(await pass() == .recordingFailed(reason: "nothing")) }
    }
  }

  /// After many lines in a row the agent has its turn, so that a decision is taken a little after its question came up.
  @Test func noneOvertakesAnotherWhereTheAgentSaysMuch() async throws {
    for decision in decisions { inbox.post(decision) }
    inbox.post(.agentReady(agent: AgentDescription(name: "scripted", capabilities: [])))
    _ = await conversation.next()
    for _ in 1..<Limits.urgentInARow { inbox.post(.commandGiven(command: .halt)) }
    for _ in 0..<Limits.urgentInARow { #expect(await conversation.next() != nil) }
    show(held: 1)
    #expect(await pass() == .recordingFailed(reason: "nothing"), "the agent's turn")
    #expect(await conversation.next()?.event == decisions[0])
    show(held: 0)
    #expect(await pass() == .recordingFailed(reason: "nothing"))
    show(held: 1)
    #expect(await conversation.next()?.event == decisions[1])
    #expect(await conversation.next()?.event == decisions[2])
  }
}
