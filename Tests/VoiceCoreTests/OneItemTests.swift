import Testing
import VoiceCore
import VoiceLanguage
import VoiceReplay
import VoiceVocabulary

/// A decision is about one item, which was seen; and what it allows is this once.
struct OneItemTests {
  /// What is asked.
  enum Subject: CaseIterable { case command, file, tool, question }

  private func request(
    _ name: String, _ choices: [PermissionRequest.Choice] = [.allowOnce, .rejectOnce], always: String? = nil,
    about subject: Subject = .command
  ) -> AgentEvent {
    let about: PermissionSubject =
      switch subject {
      case .command, .question: .init(kind: "execute", command: "make \(name)")
      case .file: .init(kind: "edit", paths: [name], change: .init(files: 1, linesAdded: 1, linesRemoved: 0))
      case .tool: .init(kind: "other", tool: "notes/\(name)")
      }
    return .permissionRequested(
      request: PermissionRequest(
        id: .init(rawValue: name), title: "Run \(name)", detail: "", subject: about, choices: choices, always: always))
  }

  private func question(_ name: String) -> AgentEvent {
    .questionAsked(
      question: AgentQuestion(id: .init(rawValue: name), text: "Which \(name)?", options: [.init(label: "x")]))
  }

  private func decided(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap {
      switch $0 {
      case .answerPermission(_, let id, _, _): id.rawValue
      case .answerQuestion(_, let id, _): id.rawValue
      default: nil
      }
    }
  }

  private static let keys = ["approve", "reject", "reject no", "choose 1", "answer x"]

  /// In which order the item that was meant goes and another one comes.
  enum Order: String, CaseIterable { case withdrawnThenAsked, askedThenWithdrawn, decidedByOneKey }

  /// A is current; what is pressed once A has gone is about A, and never about B.
  @Test(arguments: keys, Order.allCases) func aKeyThatWasMeantForAnotherItemDecidesNothing(
    _ key: String, _ order: Order
  ) throws {
    for subject in Subject.allCases {
      var talk = Talk()
      try talk.work()
      let isQuestion = subject == .question
      let (a, b) =
        isQuestion ? (question("a"), question("b")) : (request("a", about: subject), request("b", about: subject))
      let withdrawal: AgentEvent =
        isQuestion ? .questionWithdrawn(id: .init(rawValue: "a")) : .permissionWithdrawn(id: .init(rawValue: "a"))
      talk.give(.agentReported(run: talk.run, event: a))
      switch order {
      case .withdrawnThenAsked:
        talk.give(.agentReported(run: talk.run, event: withdrawal), after: 3_000)
        talk.give(.agentReported(run: talk.run, event: b), after: 40)
      case .askedThenWithdrawn:
        talk.give(.agentReported(run: talk.run, event: b), after: 3_000)
        talk.give(.agentReported(run: talk.run, event: withdrawal), after: 40)
      case .decidedByOneKey:
        talk.give(.agentReported(run: talk.run, event: b))
        #expect(decided(try talk.command(isQuestion ? "choose 1" : "approve", after: 3_000)) == ["a"])
      }
      // Pressed again and again, as by a key that is held.
      for _ in 1...8 { #expect(decided(try talk.command(key, after: 40)) == [], "\(key), \(order)") }
      #expect(talk.controller.held.count == 1)
      // What is decided once it was seen counts, where it is an answer at all.
      let isAnswer = isQuestion ? key != "approve" : key != "answer x"
      #expect(decided(try talk.command(key, after: 3_000)) == (isAnswer ? ["b"] : []))
      #expect(talk.rules.violations.isEmpty)
    }
  }

  @Test func toApproveIsToAllowOnceAndNothingMore() throws {
    var talk = Talk()
    try talk.work()
    let rules = "Bash(make a), written to .claude/settings.local.json"
    talk.give(.agentReported(run: talk.run, event: request("a", [.allowAlways, .rejectOnce], always: rules)))
    let refused = try talk.command("approve")
    #expect(decided(refused) == [])
    #expect(refused.refusal?.contains("\(rules). Choose 1 for that.") == true)
    let allowed = try talk.command("choose 1")
    #expect(allowed.contains(.answerPermission(run: talk.run, permission: .init(rawValue: "a"), choice: .allowAlways)))
    #expect(allowed.contains(.show(notice: .warning(text: "Allowed from now on, without being asked: \(rules)."))))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatAnAlwaysCoversIsShownBefore() {
    guard case .permissionRequested(let told) = request("a", [.allowOnce, .allowAlways], always: "Bash(make:*)"),
      case .permissionRequested(let untold) = request("a", [.allowOnce, .allowAlways]),
      case .permissionRequested(let once) = request("a")
    else { return #expect(Bool(false)) }
    #expect(told.shownText.hasSuffix("Answer 2 allows from now on: Bash(make:*)"))
    #expect(untold.shownText.hasSuffix("Answer 2 allows from now on: the agent does not say what"))
    #expect(!once.shownText.contains("from now on"))
  }
}
