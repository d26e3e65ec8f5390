import Testing
import VoiceCore
import VoiceRecording
import VoiceVocabulary

@testable import VoiceReplay

/// What two sessions are compared by: what was decided in them, in which order, and not when.
struct DecisionsTests {
  private static func decisions(
    _ steps: [[VoiceAction]], of range: Range<Int>? = nil
  ) -> Decisions {
    Decisions(
      steps.enumerated().map { index, actions in
        LogLine(step: VoiceStep(sequence: index, time: .zero, event: .commandsEnded, actions: actions))
      }, hasEnd: range == nil, of: { range?.contains($0) ?? true })
  }

  private static func approved(_ text: String) -> VoiceAction {
    .show(notice: .approved(item: HeldItemID(rawValue: 1), text: text))
  }

  private static let run = RunID(rawValue: 1)
  private static let item = HeldItemID(rawValue: 1)
  private static let instruction = Instruction(id: .init(rawValue: 1), text: "run it", heard: nil, source: .voice)

  private static func held(_ content: HeldItem.Content) -> VoiceAction {
    .show(notice: .held(item: HeldItem(id: item, content: content, since: .zero), position: 1))
  }

  private static func ended(_ end: AgentTurnEnd) -> VoiceAction { .noteInLedger(entry: .ended(run: run, end: end)) }

  private static let question = AgentQuestion(
    id: .init(rawValue: "q"), text: "Which?", options: [.init(label: "main"), .init(label: "next")])
  private static let request = PermissionRequest(
    id: .init(rawValue: "p"), title: "Make", detail: "", choices: [.allowOnce])

  /// Each thing that is decided, and how it is told.
  private static let told: [(VoiceAction, String)] = [
    (held(.instruction(instruction: instruction)), "held, number 1: in the session “run it”"),
    (held(.permission(run: run, request: request)), "held, number 1: in the session “Make”"),
    (held(.question(run: run, question: question)), "held, number 1: in the session “Which?”"),
    (.show(notice: .notTaken(text: "okay", reason: "a nod")), "not taken, number 1: in the session “okay”"),
    (.show(notice: .duplicateIgnored(text: "run it")), "not taken, number 1: in the session “run it”"),
    (.show(notice: .cannot(text: "why")), "refused, number 1: in the session “a decision that made no sense then”"),
    (.show(notice: .amended(item: item, text: "b")), "changed, number 1: in the session “b”"),
    (approved("b"), "decided, number 1: in the session “approved: b”"),
    (.show(notice: .rejected(item: item, text: "b")), "decided, number 1: in the session “rejected: b”"),
    (
      .show(notice: .permissionAnswered(item: item, title: "Make", choice: .allowOnce)),
      "decided, number 1: in the session “allowOnce: Make”"
    ),
    (
      .show(notice: .questionAnswered(item: item, question: question, answer: .options(indices: [1]))),
      "decided, number 1: in the session “answered: Which? next”"
    ),
    (
      .show(notice: .questionAnswered(item: item, question: question, answer: .declined)),
      "decided, number 1: in the session “answered: Which? (declined)”"
    ),
    (.startRun(run: run, instruction: instruction), "handed on, number 1: in the session “run it”"),
    (.steerRun(run: run, instruction: instruction), "handed on, number 1: in the session “into the work: run it”"),
    (.cancelRun(run: run), "interrupted, number 1: in the session “the work is stopped”"),
    (.abandonRun(run: run), "interrupted, number 1: in the session “the work is ended at any price”"),
    (.show(notice: .bargedIn), "interrupted, number 1: in the session “speech, by the user's voice”"),
    (.show(notice: .falseInterruption), "interrupted, number 1: in the session “speech went on”"),
    (.show(notice: .quieted), "interrupted, number 1: in the session “speech, by a key”"),
    (.show(notice: .mode(mode: .direct)), "switched, number 1: in the session “direct mode”"),
    (.show(notice: .listeningChanged(isOn: true)), "switched, number 1: in the session “the microphone on”"),
    (.show(notice: .listeningChanged(isOn: false)), "switched, number 1: in the session “the microphone off”"),
    (ended(.completed), "ended, number 1: in the session “completed”"),
    (ended(.cancelled), "ended, number 1: in the session “cancelled”"),
    (ended(.stopped(reason: "r")), "ended, number 1: in the session “stopped: r”"),
    (ended(.failed(reason: "r")), "ended, number 1: in the session “failed: r”"),
    (ended(.unconfirmed(reason: "r")), "ended, number 1: in the session “unconfirmed: r”"),
    (.show(notice: .kept(item: item, instruction: instruction)), "lapsed, number 1: in the session “kept: run it”"),
    (.show(notice: .lapsed(item: item, text: "b", reason: "r")), "lapsed, number 1: in the session “b”"),
    (.end(outcome: .completed), "session, number 1: in the session “completed”"),
    (.end(outcome: .terminated(signal: "SIGTERM")), "session, number 1: in the session “terminated: SIGTERM”"),
    (.end(outcome: .failed(reason: "r")), "session, number 1: in the session “failed: r”"),
  ]

  @Test(arguments: told.indices) func whatIsDecidedIsTold(_ index: Int) {
    let (action, words) = Self.told[index]
    let (with, without) = (Self.decisions([[action]]), Self.decisions([[]]))
    #expect(without.differences(from: with) == ["\(words), now nothing more"])
    #expect(with.differences(from: with) == [])
  }

  @Test func theFirstDifferenceOfEachKindIsTold() {
    let session = Self.decisions([
      [Self.approved("a"), Self.approved("b"), Self.approved("c"), .cancelRun(run: Self.run)]
    ])
    let replay = Self.decisions([[Self.approved("a")], [Self.approved("x"), Self.approved("y")]])
    #expect(
      replay.differences(from: session) == [
        "decided, number 2: in the session “approved: b”, now “approved: x”",
        "interrupted, number 1: in the session “the work is stopped”, now nothing more",
      ])
  }

  /// Where something was taken out of the log, anything may stand, nothing included; but only there.
  @Test(arguments: [
    ("run it", "run it", true), ("run it", "run it and run it", false), ("use (secret) now", "use hunter2 now", true),
    ("use (secret) now", "use  now", true), ("use (secret) now", "use now", false), ("(secret)", "hunter2", true),
    ("(secret)", "", true), ("use (secret) now", "take hunter2 now", false), ("use (secret) now", "use hunter2", false),
    ("a (secret) b (secret) c", "a 1 b 2 c", true), ("a (secret) b (secret) c", "a 1 x 2 c", false),
    ("a (secret) b (secret) c", "a 1 b c", false), ("a(secret)(secret)c", "ac", true), ("aba(secret)ba", "aba", false),
  ])
  func whatWasTakenOutMayBeAnything(_ expected: String, _ text: String, _ isSame: Bool) {
    let session = Self.decisions([[Self.approved(expected)]])
    #expect(Self.decisions([[Self.approved(text)]]).differences(from: session).isEmpty == isSame)
    #expect(session.mentionSecret == expected.contains("(secret)"))
  }

  /// What was said twice is not what was said once.
  @Test func aTextThatBeginsAndEndsAlikeIsAnother() {
    func lapsed(_ text: String) -> Decisions {
      Self.decisions([[.show(notice: .lapsed(item: Self.item, text: text, reason: "r"))]])
    }
    #expect(lapsed("run it, run it").differences(from: lapsed("run it")).count == 1)
    #expect(lapsed("run it").differences(from: lapsed("run it")).isEmpty)
  }

  /// Of a part of a session it is not known how it would have ended, nor what the end left undone.
  @Test func ofAPartItIsNotKnownHowItEnds() {
    let lapsed = VoiceAction.show(notice: .lapsed(item: Self.item, text: "b", reason: "r"))
    let steps = [[Self.approved("a")], [lapsed, Self.approved("b")], [lapsed, .end(outcome: .completed)]]
    let whole = Self.decisions(steps)
    #expect(whole.hasEnd)
    let part = Self.decisions(steps, of: 1..<3)
    #expect(!part.hasEnd)
    #expect(part == Self.decisions([[], steps[1], []], of: 0..<3))
    #expect(
      part.differences(from: whole) == [
        "decided, number 1: in the session “approved: a”, now “approved: b”",
        "lapsed, number 2: in the session “b”, now nothing more",
        "session, number 1: in the session “completed”, now nothing more",
      ])
    #expect(Self.decisions(steps, of: 3..<9) == Self.decisions([], of: 0..<0))
  }
}
