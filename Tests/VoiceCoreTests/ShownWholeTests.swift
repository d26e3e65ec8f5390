import Testing
import VoiceCore
import VoiceLanguage
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// What an agent would do is shown to its end, or it is not allowed.
struct ShownWholeTests {
  private func ask(_ command: String, unseen: Int? = nil, _ talk: inout Talk) throws {
    try talk.work()
    let request = PermissionRequest(
      id: .init(rawValue: "p"), title: "Run echo", detail: command, subject: .init(kind: "execute", command: command),
      choices: [.allowOnce, .rejectOnce], unseenCharacters: unseen)
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: request)))
  }

  private let long = "echo " + String(repeating: "x", count: 5_000) + "; rm -rf build"

  @Test(arguments: ["approve", "choose 1"])
  func aLongActIsAllowedOnlyOnceAllOfItWasShown(_ line: String) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try ask(long, &talk)
    let refused = try talk.command(line)
    #expect(!refused.isApproval)
    #expect(
      refused.refusal
        == "You have not seen all of this. Press d, or enter “explain”, to see it; then decide.")
    let explained = try talk.command("explain")
    #expect(explained.contains { if case .show(.explained(_, let text)) = $0 { text.contains(long) } else { false } })
    // It is looked at before it is decided.
    #expect(try !talk.command(line, after: 300).isApproval)
    #expect(try talk.command(line, after: 700).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  /// What was explained may be gone from the screen.
  @Test func afterAStopAllOfItIsToBeSeenAgain() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try ask(long, &talk)
    try talk.command("explain")
    talk.give(.screenReturned)
    #expect(try !talk.command("approve").isApproval)
    try talk.command("explain")
    #expect(try talk.command("approve").isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func byVoiceItIsNoDifferent() throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .all
      })
    try ask("cat " + String(repeating: "a ", count: 900), &talk)
    #expect(talk.say("yes").isApproval)
    var other = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .all
      })
    try other.work()
    let request = PermissionRequest(
      id: .init(rawValue: "p"), title: "Edit a.c", detail: String(repeating: "+ x\n", count: 2_000),
      subject: .init(kind: "edit", paths: ["a.c"], change: .init(files: 1, linesAdded: 2_000, linesRemoved: 0)),
      choices: [.allowOnce, .rejectOnce])
    other.give(.agentReported(run: other.run, event: .permissionRequested(request: request)))
    #expect(other.say("yes").refusal?.hasPrefix("You have not seen all of this") == true)
    try other.command("explain")
    #expect(other.say("yes").isApproval)
    #expect(other.rules.violations.isEmpty)
  }

  @Test(arguments: [0, 1]) func anExplanationIsSpokenToItsLimit(_ more: Int) throws {
    func explained(_ command: String) throws -> (shown: Int, isCut: Bool) {
      var talk = Talk(.init { $0.readsBack = false })
      try ask(command, &talk)
      let shown = try talk.command("explain").compactMap { action -> Int? in
        if case .show(.explained(_, let text)) = action { text.unicodeScalars.count } else { nil }
      }
      let speech = talk.controller.speech
      let said = ([speech.requested].compactMap { $0 } + speech.queue).map(\.text).joined(separator: " ")
      return (try #require(shown.first), said.contains("The rest is on the screen."))
    }
    // Everything but the command has the same length each time.
    let rest = try explained("x").shown - 1
    let whole = try explained(String(repeating: "x", count: Limits.spokenExplanationCharacters - rest + more))
    #expect(whole.shown == Limits.spokenExplanationCharacters + more)
    #expect(whole.isCut == (more == 1))
  }

  @Test func itCanBeDeniedUnread() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try ask(long, &talk)
    #expect(
      try talk.command("reject").contains {
        if case .answerPermission(_, _, .rejectOnce, _) = $0 { true } else { false }
      })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsTooLongEvenToBeCarriedIsNeverAllowed() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try ask("echo x", unseen: 17, &talk)
    try talk.command("explain")
    #expect(try talk.command("approve").refusal?.hasPrefix("This cannot be approved: 17 of its characters") == true)
    #expect(try talk.command("choose 1").refusal != nil)
    #expect(try !talk.command("choose 2").isEmpty)
    #expect(talk.controller.held.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aLongActIsShownByItsBeginningAndItsEnd() {
    let request = ActTable.run(long)
    #expect(request.shownText.hasSuffix("; rm -rf build"))
    #expect(request.shownText.contains("more characters: the key d, or “explain”, shows all of it"))
    #expect(request.shownText.utf8.count < Limits.shownActBytes)
    #expect(ActTable.run("ls").shownText == ActTable.run("ls").wholeText)
  }

  @Test func nobodyListensToAWholeFile() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try ask(long, &talk)
    let spoken = try talk.command("explain").compactMap { if case .speak(_, let text, _) = $0 { text } else { nil } }
    #expect(spoken.joined().count < 2_000)
  }

  @Test func theRuleSeesAnActThatWasNotShownWhole() {
    let request = ActTable.run(long)
    let item = HeldItem(
      id: .init(rawValue: 1), content: .permission(run: .init(rawValue: 1), request: request), since: .zero)
    for isExplained in [true, false] {
      var rules = SessionRules()
      rules.check(.sessionStarted(settings: .init()), [.show(notice: .held(item: item, position: 1))], at: .zero)
      if isExplained {
        rules.check(
          .commandGiven(command: .explain), [.show(notice: .explained(item: item.id, text: "all"))],
          at: .milliseconds(100))
      }
      rules.check(
        .commandGiven(command: .approve),
        [.show(notice: .permissionAnswered(item: item.id, title: "", choice: .allowOnce))], at: .milliseconds(900))
      #expect(rules.violations.isEmpty == isExplained)
    }
  }

  @Test func hiddenSignsAndLineEndsAreShown() {
    #expect("a\nb\u{202E}c\u{200B}\u{1B}[2J\td".revealed() == "a ⏎ b<U+202E>c<U+200B><U+1B>[2J d")
    #expect("plain – text".revealed() == "plain – text")
  }
}
