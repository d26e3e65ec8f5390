import Testing
import VoiceLanguage
import VoiceVocabulary

@Test func whatAnAnswerAllowsIsShownWithItsNumber() {
  let request = PermissionRequest(
    id: PermissionID(rawValue: "p1"), title: "Edit", detail: "", choices: [.allowOnce, .allowAlways, .rejectOnce],
    once: "this edit", always: "all edits")
  #expect(request.particulars == ["Answer 1 allows once: this edit", "Answer 2 allows from now on: all edits"])
}
