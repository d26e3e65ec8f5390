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
