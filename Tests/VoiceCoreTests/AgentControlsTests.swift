import Testing
import VoiceReplay
import VoiceVocabulary

@testable import VoiceCore

/// What the agent is set to, changed while its session goes on.
struct AgentControlsTests {
  private static let controls = AgentControls(
    mode: .init(current: "default", offered: ["default", "plan", "acceptEdits"], remark: "it asks"),
    model: .init(), commands: ["compact", "review-pr", "review"])

  private static func talk() -> Talk {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.readsBack = false
      })
    talk.give(.agentControlsTold(controls: controls))
    return talk
  }

  private static func changes(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .changeAgent(let setting, let value) = $0 { "\(setting) \(value)" } else { nil } }
  }

  private static func refusals(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .show(.cannot(let text)) = $0 { text } else { nil } }
  }

  @Test func aNameItsBeginningOrAnyCaseIsThatSetting() {
    for (name, value) in [("plan", "plan"), ("PLAN", "plan"), ("acc", "acceptEdits"), ("default", "default")] {
      var region = ControlsRegion()
      _ = region.told(Self.controls)
      #expect(region.ask(.mode, for: name) == .change(to: value))
    }
  }

  /// Nothing runs, and nothing could be changed at another time.
  @Test func anAgentWithoutModesIsSaidToHaveNone() throws {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.agentReady(agent: AgentDescription(name: "Scripted", capabilities: [])))
    #expect(Self.refusals(try talk.command("agent-mode plan")) == ["Scripted has no modes to choose from."])
    #expect(Self.refusals(try talk.command("agent-model")) == ["Scripted has no models to choose from."])
  }

  @Test func whatIsNotOfferedIsNotAskedForUnlessNothingIsTold() {
    var region = ControlsRegion()
    #expect(region.ask(.mode, for: "plan") == .fixed)
    _ = region.told(Self.controls)
    #expect(region.ask(.mode, for: "bypass") == .unknown(offered: ["default", "plan", "acceptEdits"]))
    #expect(region.ask(.mode, for: "") == .show(Self.controls.mode ?? .init()))
    #expect(region.ask(.model, for: "opus") == .change(to: "opus"))
  }

  @Test func aChangeIsToldAndSaidOnceTheAgentConfirmsIt() throws {
    var talk = Self.talk()
    #expect(talk.controller.status.agentMode == "default")
    let asked = try talk.command("agent-mode plan")
    #expect(Self.changes(asked) == ["mode plan"])
    #expect(!asked.contains { if case .show(.agentChanged) = $0 { true } else { false } })
    var told = Self.controls
    told.mode?.current = "plan"
    let confirmed = talk.give(.agentControlsTold(controls: told))
    #expect(confirmed.contains(.show(notice: .agentChanged(setting: .mode, value: "plan", remark: "it asks"))))
    #expect(confirmed.contains { if case .speak(_, "The mode is plan now.", _) = $0 { true } else { false } })
    #expect(talk.controller.status.agentMode == "plan" && talk.rules.violations.isEmpty)
  }

  @Test func whatTheAgentRefusesIsToldWithItsReasonAndNothingIsSaidToBeChanged() throws {
    var talk = Self.talk()
    _ = try talk.command("agent-mode plan")
    let refused = talk.give(.agentSettingRefused(setting: .mode, value: "plan", reason: "not now"))
    #expect(Self.refusals(refused) == ["The mode was not changed to “plan”: not now."])
    #expect(talk.controller.status.agentMode == "default")
    // What it becomes later is no answer to that.
    var told = Self.controls
    told.mode?.current = "plan"
    let later = talk.give(.agentControlsTold(controls: told))
    #expect(!later.contains { if case .speak = $0 { true } else { false } })
  }

  @Test func anUnknownNameSaysWhatThereIs() throws {
    var talk = Self.talk()
    let refused = try talk.command("agent-mode yolo")
    #expect(Self.refusals(refused) == ["agent has no mode “yolo”. It offers: default, plan, acceptEdits."])
    #expect(Self.changes(refused).isEmpty)
    #expect(
      try talk.command("agent-commands").contains(.show(notice: .agentCommands(commands: Self.controls.commands))))
  }

  @Test(arguments: [
    ("Slash compact.", "/compact"), ("slash review PR 17", "/review-pr 17"),
    ("slash review the tests", "/review the tests"),
    ("slash and burn", nil), ("compact it", nil),
  ])
  func aSpokenCommandIsTheAgentsOwn(_ said: String, _ command: String?) {
    var region = ControlsRegion()
    #expect(region.command(in: said) == nil)
    _ = region.told(Self.controls)
    #expect(region.command(in: said) == command)
  }

  @Test func aSpokenCommandLeavesAsTheCommand() {
    var talk = Self.talk()
    let actions = talk.say("Slash compact.")
    let sent = actions.compactMap { action -> String? in
      if case .enterInLedger(_, let instruction) = action { instruction.text } else { nil }
    }
    #expect(sent == ["/compact"])
  }
}
