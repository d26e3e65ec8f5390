import Testing
import VoiceCore
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// What the user refuses, and what can be chosen.
extension ACPSessionTests {
  /// A denial holds for the run, until the user allows a change of the same file.
  @Test func whatIsDeniedIsToldToWhoeverWritesFiles() {
    var driver = Driver()
    driver.startRun()
    func edit(_ call: String, kind: JSON = "edit") {
      driver.update([
        "sessionUpdate": "tool_call", "toolCallId": .string(call), "kind": kind, "title": "Edit",
        "locations": [["path": "/project/hook"]],
      ])
      driver.receive([
        "id": .string(call), "method": "session/request_permission",
        "params": ["sessionId": "s", "toolCall": ["toolCallId": .string(call)], "options": Self.once],
      ])
    }
    func denied() -> Set<String>? {
      driver.effects = []
      driver.receive([
        "id": 9, "method": "fs/write_text_file", "params": ["sessionId": "s", "path": "/project/hook", "content": "x"],
      ])
      return driver.effects.compactMap { if case .serve(let request) = $0 { request.denied } else { nil } }.first
    }
    edit("a")
    #expect(denied() == ["/project/hook"], "it is being asked about")
    driver.tell { $0.answer(PermissionID(rawValue: "permission-1"), of: 1, with: .rejectOnce) }
    #expect(denied() == ["/project/hook"])
    edit("b", kind: "read")
    driver.tell { $0.answer(PermissionID(rawValue: "permission-2"), of: 1, with: .allowOnce) }
    #expect(denied() == ["/project/hook"], "to read it is no change")
    edit("c")
    driver.tell { $0.answer(PermissionID(rawValue: "permission-3"), of: 1, with: .allowOnce) }
    #expect(denied() == [])
    edit("d")
    #expect(denied() == [], "one change of it is allowed, and its turn may have come")
  }

  @Test func theUserSeesWhatIsWrittenForTheAgent() throws {
    var driver = Driver()
    driver.startRun()
    let request = FileRequest(request: 9, path: "/project/hook", operation: .write(content: "x"))
    driver.tell { $0.served(request, .success([:])) }
    #expect(driver.reports(of: 1).last == .status(text: "agent had /project/hook written."))
    #expect(driver.sent.last?["result"] == [:])
  }

  /// A name that stands for two kinds of answers is none, however many there are.
  @Test func ofManyOptionsTheClearOnesCanBeChosen() throws {
    var driver = Driver()
    driver.startRun()
    let many = (0..<20_000).map { ["optionId": .string("o\($0)"), "kind": "allow_always"] as JSON }
    driver.ask(
      4,
      options: .array(
        many + [
          ["optionId": "twice", "kind": "allow_once"], ["optionId": "twice", "kind": "reject_once"],
          ["optionId": "no", "kind": "reject_once"],
        ]))
    let asked = driver.reports(of: 1).compactMap {
      if case .permissionRequested(let request) = $0 { request } else { nil }
    }
    #expect(asked.first?.choices == [.allowAlways, .rejectOnce])
  }
}
