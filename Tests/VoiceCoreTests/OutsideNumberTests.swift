import Testing
import VoiceCore
import VoiceVocabulary

/// Numbers as an attacker chooses them: none of them stops a session, or makes a sum untrue.
struct OutsideNumberTests {
  private func sums(_ events: [VoiceEvent]) throws -> SessionUsage {
    var controller = InteractionController()
    for (index, event) in ([.sessionStarted(settings: InteractionSettings { $0.mode = .direct })] + events).enumerated()
    {
      _ = controller.handle(event, at: SessionTime(microseconds: Int64(index)))
    }
    return try #require(controller.status.usage)
  }

  @Test func tokensAddUpToTheGreatestNumberAndNotBeyond() throws {
    let usage = try sums(
      (1...2).map { .modelUsage(connection: ConnectionID(rawValue: $0), inputTokens: .max, outputTokens: .max - 1) })
    #expect(usage.listener == .init(input: .greatestCount, output: .greatestCount))
  }

  @Test(arguments: [Double.infinity, .nan, -.infinity, -1, 1e308]) func moneyStaysANumberThatCanBeShown(_ cost: Double)
    throws
  {
    var controller = InteractionController()
    var time = SessionTime.zero
    func handle(_ event: VoiceEvent) {
      time.microseconds += 1
      _ = controller.handle(event, at: time)
    }
    handle(.sessionStarted(settings: InteractionSettings { $0.mode = .direct }))
    handle(.commandGiven(command: .say(text: "hello")))
    handle(.ledgerEntered(instruction: InstructionID(rawValue: 1)))
    for _ in 0..<2 {
      handle(
        .agentReported(
          run: RunID(rawValue: 1), event: .usage(usage: AgentUsage(inputTokens: 1, costInDollars: cost))))
    }
    let sum = try #require(controller.status.usage?.agentCostInDollars)
    #expect((0...1e9).contains(sum))
  }

  @Test func momentsBeyondTheLastAreTheLast() {
    let moment = SessionTime(microseconds: .max - 10)
    #expect(moment.advanced(byMilliseconds: 1).microseconds == .max)
    #expect(SessionTime.zero.advanced(byMilliseconds: .max).microseconds == .max)
    #expect(SessionTime.zero.advanced(byMilliseconds: .min).microseconds == .min)
    #expect(SessionTime.zero.advanced(byMilliseconds: 5).microseconds == 5000)
  }
}
