import Testing
import VoiceHistory
import VoiceVocabulary

@Test func whatIsToBeDecidedIsShownToItsEnd() {
  let command = String(repeating: "echo step && ", count: 1_000) + "rm -rf build"
  let request = PermissionRequest(
    id: .init(rawValue: "p"), title: "Run a script", detail: "",
    subject: .init(
      kind: "execute", command: command, paths: ["a.txt"], change: .init(files: 1, linesAdded: 2, linesRemoved: 3)),
    choices: [.allowOnce])
  let asked = HeldItem(
    id: .init(rawValue: 1), content: .permission(run: .init(rawValue: 1), request: request), since: .zero)
  let instruction = Instruction(id: .init(rawValue: 1), text: command, heard: nil, source: .voice)
  let held = HeldItem(id: .init(rawValue: 2), content: .instruction(instruction: instruction), since: .zero)
  for notice in [
    Notice.held(item: asked, position: 1), .selected(item: asked, position: 1, count: 2, waited: 0),
  ] {
    let text = NoticeText(notice)?.text ?? ""
    #expect(text.contains("rm -rf build"))
    #expect(text.contains("a.txt") && text.contains("2 lines added, 3 removed"))
  }
  #expect(NoticeText(.held(item: held, position: 1))?.text.hasSuffix("rm -rf build") == true)
  #expect(NoticeText(.amended(item: held.id, text: command))?.text.contains("rm -rf build") == true)
}

/// Names are shown as they are, wherever they stand.
@Test(arguments: [
  ("fx holds a fixture already; name another folder.", "fx holds a fixture already; name another folder."),
  ("codex exec has no mode “x”.", "codex exec has no mode “x”."),
  ("there is no sound file fx: check the name", "There is no sound file fx: check the name"),
  ("the pipe fx cannot be opened: it is not a pipe", "The pipe fx cannot be opened: it is not a pipe"),
])
func aSentenceBeginsWithACapitalUnlessItBeginsWithAName(_ reason: String, _ sentence: String) {
  #expect(reason.beginningAsSentence == sentence)
  #expect(NoticeText(.warning(text: reason))?.text == sentence)
}

/// A change stands in rows, each of which says by its first sign that it is the agent's; what has no lines, or too many, is one line.
@Test(arguments: [
  (
    "+ one\n+ two\nasks      yes",
    ["asks: Edit a.swift", ": │ + one", ": │ + two", ": │ asks      yes", ": 1 allow once  2 deny"]
  ),
  ("+ one", ["asks: Edit a.swift: + one  1 allow once  2 deny"]),
  ("", ["asks: Edit a.swift  1 allow once  2 deny"]),
  (
    String(repeating: "\n", count: 20),
    ["asks: Edit a.swift: \(String(repeating: " ⏎ ", count: 20))  1 allow once  2 deny"]
  ),
])
func aRequestWithLinesIsShownInRows(_ detail: String, _ rows: [String]) {
  let request = PermissionRequest(
    id: .init(rawValue: "p"), title: "Edit a.swift", detail: detail,
    subject: PermissionSubject(kind: "edit", tool: "Edit"), choices: [.allowOnce, .rejectOnce])
  let content = HeldItem.Content.permission(run: .init(rawValue: 1), request: request)
  let asked = HeldItem(id: .init(rawValue: 1), content: content, since: .zero)
  let shown = NoticeText.lines(of: .held(item: asked, position: 1))
  #expect(shown.map { "\($0.label): \($0.text)" } == rows)
}

/// The end of the work has said it; the error behind it tells only what is more.
@Test func aFailureIsToldOnce() {
  let run = RunID(rawValue: 1)
  func told(_ notices: Notice...) -> [String] {
    var tools = ToolTitles()
    return notices.flatMap { tools.lines(of: $0) }.map(\.line)
  }
  let (reason, more) = ("The agent died. See its log.", "It is not known how much was carried out.")
  #expect(told(.runEnded(run: run, end: .failed(reason: reason)), .error(text: reason)) == ["failed    \(reason)"])
  #expect(
    told(.runEnded(run: run, end: .unconfirmed(reason: reason)), .error(text: "\(reason) \(more)"))
      == ["lost      \(reason)", "error     \(more)"])
  // Another error is another one, and so is one that comes later.
  #expect(told(.runEnded(run: run, end: .failed(reason: reason)), .error(text: "The disk is full.")).count == 2)
  #expect(told(.runEnded(run: run, end: .cancelled), .error(text: reason)).count == 2)
  let later = told(.runEnded(run: run, end: .failed(reason: reason)), .mode(mode: .direct), .error(text: reason))
  #expect(later.last == "error     \(reason)")
}
