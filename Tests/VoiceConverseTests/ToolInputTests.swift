import Testing
import VoiceCore
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// What a tool is given is shown in the summary of its command or change, or listed as an argument.
struct ToolInputTests {
  private func call(_ kind: String, _ input: JSON, content: JSON = []) -> ToolCall {
    var call = ToolCall(id: "t")
    call.merge(["kind": .string(kind), "title": "x", "rawInput": input, "content": content])
    return call
  }

  private func names(_ call: ToolCall) -> [String] { (call.permissionSubject.arguments ?? []).map(\.name) }

  private func isHarmless(_ call: ToolCall) -> Bool {
    let request = PermissionRequest(
      id: .init(rawValue: "p"), title: "x", detail: "", subject: call.permissionSubject, choices: [.allowOnce])
    return KeyboardOnlyActs(workingFolder: "/w").refusal(of: request) == nil
  }

  @Test func anEditWhoseTextIsUnderAnUnknownNameIsListed() {
    let edit = call("edit", ["path": "notes.md", "edits": [["startLine": 1, "endLine": 900, "text": "curl evil"]]])
    #expect(edit.detail == "notes.md\nedits: [{\"endLine\":900,\"startLine\":1,\"text\":\"curl evil\"}]")
    #expect(edit.permissionSubject.change == nil)
    #expect(!isHarmless(edit))
  }

  @Test func ofAnEditThatIsShownInPartTheRestIsListed() {
    let edits: JSON = [
      ["oldText": "a", "newText": "b"], ["startLine": 1, "text": "c"], ["newText": "d", "endLine": 9], 7,
    ]
    let edit = call("edit", ["path": "notes.md", "edits": edits])
    let rest = ["edits[1]: {\"startLine\":1,\"text\":\"c\"}", "edits[2].endLine: 9", "edits[3]: 7"]
    #expect(edit.detail == (["notes.md", "- a", "+ b", "+ d"] + rest).joined(separator: "\n"))
    #expect(edit.permissionSubject.change == nil)
    #expect(!isHarmless(edit))
  }

  @Test func thatAnEditIsMadeInOnePlaceIsNoNews() {
    let one: JSON = ["old_string": "a", "new_string": "b", "replace_all": false]
    let every: JSON = ["old_string": "a", "new_string": "b", "replace_all": true]
    let edit = call("edit", ["path": "/w/notes.md", "edits": [one]])
    #expect(names(edit) == [] && isHarmless(edit))
    #expect(names(call("edit", ["path": "/w/notes.md", "edits": [one, every]])) == ["edits[1].replace_all"])
  }

  @Test(arguments: ["content", "file_text", "new_source", "new_str", "old_str", "oldText"])
  func aTextBesideTheOneThatIsShownIsListed(_ name: String) {
    var input: [String: JSON] = ["path": "/w/notes.md", "edits": [["old_string": "a", "new_string": "b"]]]
    #expect(isHarmless(call("edit", .object(input))))
    input[name] = "evil"
    #expect(call("edit", .object(input)).detail == "/w/notes.md\n- a\n+ b\n\(name): evil")
    let single: [String: JSON] = ["path": "/w/notes.md", "old_string": "a", "new_string": "b", name: "evil"]
    #expect(call("edit", .object(single)).detail == "/w/notes.md\n- a\n+ b\n\(name): evil")
    #expect(!isHarmless(call("edit", .object(single))))
  }

  @Test func anEmptyTextThatReplacesNothingIsNotListed() {
    let created = call("edit", ["path": "n", "old_str": "", "new_str": .null, "file_text": "new"])
    #expect(created.detail == "n\n+ new" && names(created) == [])
    #expect(names(call("edit", ["path": "n", "old_string": "a", "new_string": ""])) == [])
    #expect(names(call("edit", ["path": "n", "old_string": "a", "new_string": "b", "content": ""])) == ["content"])
  }

  @Test func aCommandWithinTheArgumentsIsSeenBesideTheOuterOne() {
    let inner: JSON = ["command": "rm -rf /", "x": "y", "cwd": "/w"]
    let run = call("execute", ["command": "ls", "arguments": inner, "cwd": "/w"])
    #expect(run.permissionSubject.command == "ls")
    #expect(run.detail == "ls\narguments.command: rm -rf /\ncwd: /w\nx: y")
    #expect(!isHarmless(run))
    #expect(call("execute", ["command": "ls", "arguments": ["command": "ls"]]).permissionSubject.arguments == nil)
    #expect(call("execute", ["command": .null, "arguments": ["command": "ls"]]).permissionSubject.command == "ls")
  }

  @Test func ofAListThatIsNoListOfWordsNothingIsLeftOut() {
    let run = call("execute", ["command": ["ls", ["run": "evil"]], "cmd": "pwd"])
    #expect(run.detail.contains("evil") && run.detail.contains("pwd"))
    let edit = call("edit", ["path": "n", "new_string": ["a", ["b": "evil"]], "content": "c"])
    #expect(edit.detail == "n\n+ c\nnew_string: [\"a\",{\"b\":\"evil\"}]")
  }

  /// A text of the input is in a diff only where the diff shows it on the same side.
  @Test func aTextThatTheDiffShowsOnItsOtherSideIsListed() {
    let diff: JSON = [["type": "diff", "path": "n", "oldText": "a", "newText": "b"]]
    #expect(names(call("edit", ["path": "n", "old_string": "a", "new_string": "b"], content: diff)) == [])
    #expect(
      names(call("edit", ["path": "n", "old_string": "b", "new_string": "a"], content: diff))
        == ["new_string", "old_string"])
  }
}
