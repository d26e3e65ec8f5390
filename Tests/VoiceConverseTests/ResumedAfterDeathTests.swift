import Testing
import VoiceConverse
import VoiceJSON
import VoiceVocabulary

/// An agent that dies goes on in the session in which it died, where it can, however often that happens.
struct ResumedAfterDeathTests {
  private typealias Driver = OwnTurnTests.Driver

  private static let session = AgentSessionStart.resume(AgentSessionID(rawValue: "s"))

  /// The handshake of an ACP agent, and its session; the prompt is request 3.
  private static func open(_ driver: inout Driver<ACPDialect>, resumes: Bool = true) {
    driver.tell { $0.launched() }
    driver.receive(
      [
        "id": 1,
        "result": [
          "protocolVersion": 1, "agentCapabilities": ["sessionCapabilities": resumes ? ["resume": [:]] : [:]],
        ],
      ], ["id": 2, "result": ["sessionId": "s"]])
  }

  private static func agent(resumes: Bool = true, start: AgentSessionStart = .new) -> Driver<ACPDialect> {
    var driver = Driver<ACPDialect>("agent", start: start)
    driver.tell { $0.open() }
    open(&driver, resumes: resumes)
    return driver
  }

  private static func die<Dialect>(_ driver: inout Driver<Dialect>) {
    driver.tell { $0.outputEnded() + $0.ended(.exited(code: 1, errorTail: "")) }
  }

  private static func launches<Dialect>(_ driver: Driver<Dialect>) -> [AgentSessionStart] {
    driver.effects.compactMap { if case .launch(let start) = $0 { start } else { nil } }
  }

  private static func told<Dialect>(_ driver: Driver<Dialect>, of run: RunID) -> [String] {
    driver.reports(of: run).compactMap { if case .status(let text) = $0 { text } else { nil } }
  }

  @Test func anAgentThatDiesInEveryRunIsResumedInEach() {
    var driver = Self.agent()
    for run in 1...4 {
      driver.say(RunID(rawValue: run))
      if run > 1 { Self.open(&driver) }
      Self.die(&driver)
    }
    driver.say(5)
    #expect(Self.launches(driver) == [.new] + Array(repeating: Self.session, count: 4))
    #expect(driver.sent.filter { $0["method"] == "session/resume" }.count == 3)
    Self.open(&driver)
    #expect(Self.told(driver, of: 5).contains("agent is started again; it goes on where it was."))
  }

  @Test func aSecondDeathBehindARunThatEndedWellIsResumedAsTheFirstIs() {
    var driver = Self.agent()
    driver.say(1)
    driver.receive(["id": 3, "result": ["stopReason": "end_turn"]])
    for run in 2...3 {
      driver.say(RunID(rawValue: run))
      if run > 2 { Self.open(&driver) }
      Self.die(&driver)
    }
    driver.say(4)
    #expect(Self.launches(driver) == [.new, Self.session, Self.session])
  }

  @Test func oneThatWasResumedAndDiesBeforeItWasAskedForAnythingIsResumed() {
    var driver = Self.agent()
    driver.say(1)
    Self.die(&driver)
    driver.say(2)
    driver.tell { $0.cancel(2) }
    Self.open(&driver)
    Self.die(&driver)
    driver.say(3)
    #expect(Self.launches(driver) == [.new, Self.session, Self.session])
  }

  /// It might be the session that ends it.
  @Test func aSessionThatItDiesOfAtItsStartIsGivenUp() {
    var driver = Self.agent()
    driver.say(1)
    Self.die(&driver)
    driver.say(2)
    driver.tell { $0.launched() }
    Self.die(&driver)
    driver.say(3)
    Self.open(&driver)
    #expect(Self.launches(driver) == [.new, Self.session, .new])
    #expect(Self.told(driver, of: 3).contains("agent is started again; it remembers nothing of before."))
  }

  @Test func aSessionThatTheUserNamedIsNotGivenUp() {
    var driver = Self.agent(start: Self.session)
    driver.say(1)
    Self.die(&driver)
    driver.say(2)
    driver.tell { $0.launched() }
    Self.die(&driver)
    driver.say(3)
    #expect(Self.launches(driver) == [Self.session, Self.session, Self.session])
  }

  @Test func whatWasNeverAskedOrCannotResumeBeginsAnew() {
    var idle = Self.agent()
    Self.die(&idle)
    idle.say(1)
    #expect(Self.launches(idle) == [.new, .new])
    var forgetful = Self.agent(resumes: false)
    forgetful.say(1)
    Self.die(&forgetful)
    forgetful.say(2)
    #expect(Self.launches(forgetful) == [.new, .new])
  }

  /// Claude Code names its session with the first turn, and has it open before.
  @Test func claudeCodeThatDiesBeforeItNamesTheSessionGoesOnInIt() {
    var driver = OwnTurnTests.working()
    Self.die(&driver)
    for run in 2...3 {
      driver.say(RunID(rawValue: run))
      driver.tell { $0.launched() }
      driver.receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
      Self.die(&driver)
    }
    driver.say(4)
    #expect(Self.launches(driver) == [.new, Self.session, Self.session, Self.session])
  }
}
