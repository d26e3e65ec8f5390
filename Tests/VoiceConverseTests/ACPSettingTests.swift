import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// The mode and the model of an ACP agent, message by message.
struct ACPSettingTests {
  private typealias Driver = OwnTurnTests.Driver<ACPDialect>

  /// A session whose answer to `session/new` has these members besides its name.
  private static func driver(model: String? = nil, _ told: [String: JSON]) -> Driver {
    var driver = Driver("agent")
    driver.session = ChildSession(settings: .init(name: "agent", workingFolder: "/work", model: model))
    driver.tell { $0.open() + $0.launched() }
    driver.receive(
      ["id": 1, "result": ["protocolVersion": 1]],
      ["id": 2, "result": .object(told.merging(["sessionId": "s"]) { $1 })])
    return driver
  }

  private static let models: [String: JSON] = [
    "models": ["currentModelId": "small", "availableModels": [["modelId": "small"], ["modelId": "large"]]]
  ]

  private static func modes(_ names: String...) -> [String: JSON] {
    let offered = names.map { name -> JSON in ["id": .string(name)] }
    return ["modes": ["currentModeId": .string(names[0]), "availableModes": .array(offered)]]
  }

  private static func controls(_ driver: Driver) -> AgentControls? {
    driver.posted.compactMap { if case .agentControlsTold(let controls) = $0 { controls } else { nil } }.last
  }

  private static func isReady(_ driver: Driver) -> Bool {
    driver.posted.contains { if case .agentReady = $0 { true } else { false } }
  }

  @Test func theModelIsAskedForBeforeAnythingElseAndTold() {
    var driver = Self.driver(model: "large", Self.models)
    #expect(driver.sent.last?["method"] == "session/set_model")
    #expect(driver.sent.last?["params"] == ["sessionId": "s", "modelId": "large"])
    #expect(!Self.isReady(driver))
    driver.receive(["id": 3, "result": [:]])
    #expect(Self.isReady(driver) && Self.controls(driver)?.model?.current == "large")
  }

  @Test func aModelThatTheAgentDoesNotTakeIsRefused() {
    var driver = Self.driver(model: "large", Self.models)
    driver.receive(["id": 3, "error": ["code": -32602, "message": "not for you"]])
    let reasons = driver.posted.compactMap { if case .agentUnavailable(let reason) = $0 { reason } else { nil } }
    #expect(reasons == ["agent did not change to the model “large”: not for you."] && !Self.isReady(driver))
  }

  @Test func whatTheAgentChangesByItselfIsTold() {
    var driver = Self.driver(Self.modes("ask", "code"))
    func update(_ update: JSON) {
      driver.receive(["method": "session/update", "params": ["sessionId": "s", "update": update]])
    }
    #expect(Self.controls(driver)?.mode?.current == "ask")
    update(["sessionUpdate": "current_mode_update", "currentModeId": "code"])
    #expect(Self.controls(driver)?.mode?.current == "code")
    let option: JSON = [
      "id": "how", "category": "mode", "currentValue": "ask", "options": [["value": "ask"], ["value": "code"]],
    ]
    update(["sessionUpdate": "config_option_update", "configOptions": [option]])
    #expect(Self.controls(driver)?.mode?.current == "ask")
  }

  @Test func aModeThatMayRefuseInsteadOfAskingIsSaid() {
    var driver = Self.driver(Self.modes("read-only", "code"))
    driver.say(1)
    let told = driver.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(told.contains { $0.contains("it may refuse to change anything instead of asking") }, "\(told)")
  }

  /// That it asked in one mode says nothing about the next.
  @Test(arguments: [false, true]) func inAnotherModeItIsLookedAtAnew(_ changes: Bool) throws {
    var driver = Self.driver(Self.modes("ask", "code"))
    driver.say(1)
    driver.receive([
      "id": 7, "method": "session/request_permission",
      "params": [
        "sessionId": "s", "toolCall": ["toolCallId": "t", "title": "Do it"],
        "options": [["optionId": "yes", "kind": "allow_once"]],
      ],
    ])
    let permission = try #require(driver.permission(of: 1))
    driver.tell { $0.answer(permission, of: 1, with: .allowOnce) }
    func update(_ update: JSON) {
      driver.receive(["method": "session/update", "params": ["sessionId": "s", "update": update]])
    }
    if changes { update(["sessionUpdate": "current_mode_update", "currentModeId": "code"]) }
    update([
      "sessionUpdate": "tool_call", "toolCallId": "a", "kind": "execute", "title": "run",
      "rawInput": ["command": "make"],
    ])
    update(["sessionUpdate": "tool_call_update", "toolCallId": "a", "status": "completed"])
    let told = driver.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(told == (changes ? ["agent did this without asking for permission: Run make."] : []))
  }
}
