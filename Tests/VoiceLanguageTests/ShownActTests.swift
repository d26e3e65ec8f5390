import Testing
import VoiceLanguage
import VoiceVocabulary

@Test func whatAnAnswerAllowsIsShownWithItsNumber() {
  let request = PermissionRequest(
    id: PermissionID(rawValue: "p1"), title: "Edit", detail: "", choices: [.allowOnce, .allowAlways, .rejectOnce],
    once: "this edit", always: "all edits")
  #expect(request.particulars == ["Answer 1 allows once: this edit", "Answer 2 allows from now on: all edits"])
}

private func request(
  _ detail: String, command: String? = nil, _ choices: [PermissionRequest.Choice] = [.allowOnce, .rejectOnce]
) -> PermissionRequest {
  PermissionRequest(
    id: PermissionID(rawValue: "p1"), title: "Act", detail: detail, subject: .init(kind: "execute", command: command),
    choices: choices)
}

@Test(arguments: [
  ("make", ["Command: make"]), ("make\nin the tests", ["Command: make", "in the tests"]),
  ("makes", ["Command: make", "makes"]), ("", ["Command: make"]),
])
func aCommandIsShownOnceAndWhatStandsBehindItToo(_ detail: String, _ shown: [String]) {
  #expect(request(detail, command: "make").particulars == shown)
}

@Test func whatTheTitleSaysIsNotSaidAgain() {
  let request = PermissionRequest(
    id: PermissionID(rawValue: "p1"), title: "Act on the file", detail: "on the file",
    choices: [.allowOnce, .rejectOnce])
  #expect(request.particulars == [] && request.wholeText == "Act on the file")
}

/// Many agents give the command as the title. One that only stands in it is still shown by itself.
@Test(arguments: [
  ("make -q", []), ("`make -q`", []), ("Run make -q", ["Command: make -q"]), ("make -q all", ["Command: make -q"]),
])
func aCommandThatIsTheTitleIsNotShownTwice(_ title: String, _ shown: [String]) {
  var request = request("make -q", command: "make -q")
  request.title = title
  #expect(request.particulars == shown)
  #expect(request.wholeText == ([title] + shown).joined(separator: ": "))
}

@Test func answersAreCountedFromOne() {
  let all = request("", [.allowOnce, .allowAlways, .rejectOnce, .rejectAlways])
  #expect(all.numberedAnswers == "1 allow once  2 allow from now on  3 deny  4 deny from now on")
  #expect(all.reasonNotToAllowOnce == nil)
  let always = request("", [.rejectOnce, .allowAlways])
  #expect(always.reasonNotToAllowOnce?.hasSuffix("Choose 2 for that.") == true)
}

/// Up to the limit all of it is shown at once; beyond, its beginning, its end and what is between.
@Test(arguments: [(0, true), (1, false)]) func anActIsShownAtOnceUpToTheLimit(_ more: Int, _ isWhole: Bool) {
  let detail = "<" + String(repeating: "x", count: Limits.shownActBytes - "Act: <>".utf8.count + more) + ">"
  let act = request(detail)
  #expect(act.wholeText.utf8.count == Limits.shownActBytes + more)
  #expect(act.isShownAtOnce == isWhole && (act.shownText == act.wholeText) == isWhole)
  #expect((act.refusal(ofAllowing: false) == nil) == isWhole && act.refusal(ofAllowing: true) == nil)
  guard !isWhole else { return }
  let left = Limits.shownActBytes + more - Limits.shownActBeginning - Limits.shownActEnd
  #expect(act.shownText.hasPrefix("Act: <") && act.shownText.hasSuffix(">"))
  #expect(act.shownText.contains("[… \(left) more characters: the key d"))
}
