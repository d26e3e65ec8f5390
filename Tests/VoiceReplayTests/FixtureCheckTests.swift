import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceReplay

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a script is refused; nil if it is not.
private func refusal(_ parts: String) throws -> String? {
  let temporary = try TemporaryFolder()
  let names = ["title": "'a'", "settings": "{}", "user": "[]", "model": "[]", "agent": "[]"]
  let missing = names.filter { !parts.hasPrefix("\($0.key):") }.map { "\($0.key): \($0.value)" }
  let text = "{\((missing.sorted() + [parts]).joined(separator: ", "))}"
  try Data(text.utf8).write(to: URL(filePath: temporary.path + "/fixture.json5"))
  do {
    _ = try FixtureFolder(temporary.path) { throw FixtureFailure("there is no sound \($0)") }
    return nil
  } catch {
    let file = "\(temporary.path)/fixture.json5 cannot be used: "
    return error.description.hasPrefix(file) ? String(error.description.dropFirst(file.count)) : error.description
  }
}

@Test(arguments: [
  ("title: ''", "its title is empty."),
  ("user: [{after: -1, do: {endCommands: {}}}]", "step 1 of the user: -1 ms is no time to wait."),
  ("user: [{after: 3600001, do: {endCommands: {}}}]", "step 1 of the user: 3600001 ms is no time to wait."),
  ("user: [{await: 'held', times: 0, do: {endCommands: {}}}]", "step 1 of the user: it awaits something 0 times."),
  (
    "user: [{do: {endCommands: {}}}, {do: {command: {line: '/nonsense'}}}]",
    "step 2 of the user: “/nonsense” is not a command."
  ),
  ("user: [{do: {expireLink: {milliseconds: -5}}}]", "step 1 of the user: -5 ms is no time to wait."),
  (
    "user: [{do: {say: {recording: '../../private.wav'}}}]",
    "step 1 of the user: ../../private.wav is not a recording of its own."
  ),
  (
    "user: [{do: {say: {recording: '../recordings/../../private.wav'}}}]",
    "step 1 of the user: ../recordings/../../private.wav is not a recording of its own."
  ),
  (
    "user: [{do: {say: {recording: '../\u{301}private.wav'}}}]",
    "step 1 of the user: ../\u{301}private.wav is not a recording of its own."
  ),
  (
    "user: [{do: {say: {recording: '/private.wav'}}}]",
    "step 1 of the user: /private.wav is not a recording of its own."
  ),
  ("user: [{do: {refuseLink: {times: 0}}}]", "step 1 of the user: 0 attempts are refused."),
  ("user: [{do: {refuseLink: {times: 101}}}]", "step 1 of the user: 101 attempts are refused."),
  (
    "user: [{do: {happen: {event: {timerFired: {timer: {reconnect: {}}}}}}}]",
    "step 1 of the user: this event comes from the world alone."
  ),
  ("model: [{heard: 'a', times: 0}]", "answer 1 comes 0 times."),
  ("model: [{heard: 'a'}, {heard: 'b', times: 101}]", "answer 2 comes 101 times."),
  ("agent: [[{wait: {milliseconds: -1}}]]", "run 1 of the agent: -1 ms is no time to wait."),
  (
    "agent: [[], [{permission: {title: 'a', detail: '', choices: [], allowed: [], denied: []}}]]",
    "run 2 of the agent: a permission has no choices."
  ),
  (
    "agent: [[{permission: {title: 'a', detail: '', allowed: [], denied: [{wait: {milliseconds: -1}}]}}]]",
    "run 1 of the agent: -1 ms is no time to wait."
  ),
  (
    "agent: [[{question: {text: 'a', options: [{label: 'b', steps: [{wait: {milliseconds: -1}}]}], otherwise: []}}]]",
    "run 1 of the agent: -1 ms is no time to wait."
  ),
  (
    "model: [{heard: 'a', says: '\(String(repeating: "x", count: Limits.spokenPieceCharacters + 1))'}]",
    "answer 1 says more than \(Limits.spokenPieceCharacters) characters."
  ),
  ("agent: [\(String(repeating: "[],", count: 10_001))]", "it has over 10000 steps."),
  ("faults: ['cut:link']", "the fault “cut:link” has no place."),
  ("user: [{do: {say: {recording: 'a.wav'}}}]", "/a.wav."),
])
func aScriptThatCannotBeRunIsRefusedInWords(_ parts: String, _ words: String) throws {
  let refusal = try refusal(parts)
  #expect(refusal?.contains(words) == true, "\(refusal ?? "it is not refused")")
}

@Test(arguments: [
  "title: 'a'", "user: [{after: 3600000, do: {endCommands: {}}}]", "user: [{times: 1, do: {endCommands: {}}}]",
  "user: [{do: {expireLink: {milliseconds: 0}}}]", "user: [{do: {refuseLink: {times: 100}}}]",
  "model: [{heard: 'a', says: '\(String(repeating: "x", count: Limits.spokenPieceCharacters))'}]",
  "agent: [\(String(repeating: "[],", count: 10_000))]",
  "user: [{do: {command: {line: 'halt'}}}]", "agent: [[{wait: {milliseconds: 0}}]]", "faults: ['cut:link@3']",
])
func aScriptWithinItsLimitsIsTaken(_ parts: String) throws { #expect(try refusal(parts) == nil) }

@Test(arguments: slugs) func aFixtureThatIsWrittenReadsAsItWas(_ slug: String) throws {
  let temporary = try TemporaryFolder()
  let fixture = try load(slug).fixture
  // Its sounds lie elsewhere, and a script that is written names no faults.
  var written = fixture
  written.faults = nil
  _ = try FixtureFolder(slug, written, recordings: [:]).write(to: temporary.path + "/fixture")
  #expect(try FixtureFolder(temporary.path + "/fixture") { _ in [] }.fixture == written)
}

@Test func aFolderThatIsNoFixtureIsNamed() throws {
  let temporary = try TemporaryFolder()
  let failure = #expect(throws: FixtureFailure.self) { try FixtureFolder(temporary.path) { _ in [] } }
  #expect(failure?.description == "\(temporary.path) is not a fixture: it has no readable fixture.json5.")
}

@Test func aFixtureIsNotWrittenWhereAFileIs() throws {
  let temporary = try TemporaryFolder()
  let file = temporary.path + "/file"
  try Data().write(to: URL(filePath: file))
  let failure = #expect(throws: FixtureFailure.self) { try load("direct").write(to: file) }
  #expect(failure?.description == "\(file) is no folder; name another.")
}

@Test func anAcceptedReplayIsTheExpectedOne() async throws {
  let temporary = try TemporaryFolder()
  let source = try load("silence")
  let folder = FixtureFolder(temporary.path, source.fixture, recordings: source.recordings)
  let replay = await folder.replay()
  #expect(folder.compare(replay) == .nothingExpected)
  try folder.accept(replay)
  #expect(folder.compare(replay) == .same)
}

/// A folder on the way to a sound may be a link in what somebody sent, be it in the fixture or beside it.
@Test(arguments: [
  "d/spk.wav", "d/e/spk.wav", "e/d/spk.wav", "./d/spk.wav", "../recordings/spk.wav", "../recordings/e/spk.wav",
])
func noSoundIsReadThroughALinkedFolder(_ name: String) throws {
  for isLink in [true, false] {
    let root = try TemporaryFolder()
    let files = FileManager.default
    for folder in ["/sent/fixture/e", "/elsewhere/e"] {
      try files.createDirectory(atPath: root.path + folder, withIntermediateDirectories: true)
    }
    for place in ["/sent/fixture/d", "/sent/fixture/e/d", "/sent/recordings"] {
      if isLink {
        try files.createSymbolicLink(atPath: root.path + place, withDestinationPath: root.path + "/elsewhere")
      } else {
        try files.createDirectory(atPath: root.path + place, withIntermediateDirectories: true)
      }
    }
    let user = "{do: {say: {recording: '\(name)'}}}"
    let text = "{title: 'a', settings: {}, user: [\(user)], model: [], agent: []}"
    try Data(text.utf8).write(to: URL(filePath: root.path + "/sent/fixture/fixture.json5"))
    var asked: [String] = []
    let read = { (path: String) -> [Int16] in
      asked.append(path)
      return [0]
    }
    if isLink {
      let failure = try #require(throws: FixtureFailure.self) {
        try FixtureFolder(root.path + "/sent/fixture", readSound: read)
      }
      #expect(failure.description.contains("links are not followed"), "\(failure)")
      #expect(asked.isEmpty)
    } else {
      _ = try FixtureFolder(root.path + "/sent/fixture", readSound: read)
      #expect(asked == [root.path + "/sent/fixture/" + name])
    }
  }
}
