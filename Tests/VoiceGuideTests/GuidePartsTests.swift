import Testing
import VoiceJSON

@testable import VoiceGuide

/// The parts that need no client: test runners, readable text, names.
struct GuidePartsTests {
  // Test runners.

  @Test(arguments: [
    (
      "◇ Test run started.\nExecuted 0 tests, with 0 failures in 0.0 seconds\n✔ Test run with 12 tests in 3 suites passed after 0.1 seconds.",
      0,
      ["The tests passed: 12 passed."]
    ),
    (
      "✘ Test aThing() failed after 0.1 seconds\n✘ Test run with 12 tests in 3 suites failed after 0.1 seconds with 2 issues.",
      1,
      ["The tests failed with exit code 1.", "The first failure: Test aThing() failed after 0.1 seconds."]
    ),
    (
      "Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds", 1,
      ["The tests failed: one test failed and 4 passed."]
    ),
    (
      "FAILED tests/test_a.py::test_b - assert 1 == 2\n========= 1 failed, 3 passed in 0.12s =========", 1,
      [
        "The tests failed: one test failed and 3 passed.",
        "The first failure: FAILED tests/test_a.py::test_b - assert 1 == 2.",
      ]
    ),
    ("============ 7 passed in 0.12s ============", 0, ["The tests passed: 7 passed."]),
    (
      "test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: ok. 2 passed; 0 failed; 0 ignored", 0,
      ["The tests passed: 5 passed."]
    ),
    ("Tests:       1 failed, 5 passed, 6 total", 1, ["The tests failed: one test failed and 5 passed."]),
    ("  4 passing (12ms)\n  2 failing", 2, ["The tests failed: 2 tests failed and 4 passed."]),
    ("", 0, ["The tests passed."]),
    ("sh: 1: nothing", 127, ["The tests failed with exit code 127."]),
  ])
  func theSummaryOfARunnerIsUnderstood(_ output: String, _ code: Int, _ spoken: [String]) {
    #expect(TestReport(output: output, ending: .exited(code: code)).spoken == spoken)
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
  func aRunnerMayCountAsItLikes(_ number: String) {
    for output in [
      "test result: ok. \(number) passed; \(number) failed\ntest result: ok. \(number) passed; \(number) failed",
      "Executed \(number) tests, with \(number) failures", "Executed 5 tests, with \(number) failures",
      "Test run with \(number) tests failed with \(number) issues",
    ] {
      #expect(!TestReport(output: output, ending: .exited(code: 1)).spoken.isEmpty)
    }
  }

  @Test func anEndingBySignalOrTimeIsTold() {
    #expect(TestReport(output: "", ending: .killed(signal: 9)).spoken == ["The tests were ended by signal 9."])
    #expect(TestReport(output: "", ending: .timedOut).spoken == ["The tests took too long, so I stopped them."])
  }

  @Test func aCommandThatTakesTooLongIsStopped() async throws {
    let folder = try Scratch()
    let result = try await ToolProcess(words: ["tail", "-f", "/dev/null"], folder: folder.path, seconds: 0).run()
    #expect(result.ending == .timedOut)
  }

  /// Git waits for its settings, which are a pipe that nobody writes into.
  @Test func aSlowGitIsNotTakenForAFolderWithoutARepository() async throws {
    let scratch = try Scratch()
    try await scratch.run("git", "init", "-q")
    try await scratch.run("rm", ".git/config")
    scratch.makePipe(".git/config")
    let git = Git(folder: try #require(WorkingFolder(path: scratch.path)), seconds: 0)
    await #expect(throws: Git.Failure.tookTooLong) { try await git.isRepository() }
    await #expect(throws: Git.Failure.tookTooLong) { try await git.answer("status") }
  }

  @Test(
    arguments: [
      (["Package.swift": "", "script/test": "#!/bin/sh"], "script/test"),
      (["Package.swift": "", "Makefile": "test:\n"], "swift test"),
      (["package.json": #"{"scripts":{"test":"jest"}}"#], "npm test"),
      (["package.json": #"{"dependencies":{"test":"1"}}"#], nil),
      (["Cargo.toml": ""], "cargo test"), (["Makefile": "all:\n\ntest: all\n\tcheck\n"], "make test"),
      (["Makefile": "all:\r\n\r\ntest: all\r\n"], "make test"), (["Makefile": "all:\n"], nil),
      (["pyproject.toml": "[tool.pytest.ini_options]"], "pytest"), (["tests/test_a.py": ""], "pytest"),
      (["a.py": ""], nil),
    ] as [([String: String], String?)])
  func theTestCommandFollowsFromTheFiles(_ files: [String: String], _ title: String?) throws {
    let scratch = try Scratch()
    for (name, text) in files { try scratch.write(name, text) }
    let folder = try #require(WorkingFolder(path: scratch.path))
    #expect(TestCommand.detect(in: folder)?.title == title)
  }

  @Test func onlyTheEndOfALongOutputIsKept() {
    var kept = KeptOutput(keep: .end(bytes: 4))
    for byte in UInt8(0)..<100 { withUnsafeBytes(of: byte) { kept.append($0) } }
    #expect(kept.bytes == [96, 97, 98, 99])
    var first = KeptOutput(keep: .beginning(bytes: 4))
    for byte in UInt8(0)..<100 { withUnsafeBytes(of: byte) { first.append($0) } }
    #expect(first.bytes == [0, 1, 2, 3])
  }

  // Readable text.

  @Test(arguments: [
    ("# A **bold** `word` and a [link](http://x)", "A bold word and a link"), ("- one\n- two", "one - two"),
    ("![image](a.png) text", "image text"), ("a [b] c", "a [b] c"), ("tab\tand\u{1b}[31m", "tab and [31m"),
    ("key sk-abcdefghijklmnop end", "key (hidden) end"), ("API_KEY=abc", "API_KEY=(hidden)"),
    ("password: hunter2", "password: (hidden)"),
    ("", ""),
  ])
  func aLineIsMadeFitForTheEar(_ text: String, _ spoken: String) { #expect(Speakable.line(text) == spoken) }

  @Test func aLongLineIsCutAtAWord() {
    #expect(Speakable.line("alpha beta gamma", limit: 11) == "alpha beta and so on")
  }

  @Test func numbersAndListsAreSpokenAsPeopleDo() {
    #expect([0, 1, 2].map { Speakable.count($0, "file") } == ["no files", "one file", "2 files"])
    #expect(Speakable.list(["a"]) == "a")
    #expect(Speakable.list(["a", "b", "c"]) == "a, b and c")
    #expect(Speakable.list(["a", "b", "c"], limit: 2) == "a, b and 1 more")
    #expect(Speakable.duration(.seconds(125)) == "2 minutes and 5 seconds")
    #expect(Speakable.duration(.milliseconds(5)) == "less than a second")
    #expect(Speakable.size(4_200) == "4 kilobytes")
  }

  // Names.

  @Test(arguments: [
    ("voice session", FileNames.Match.one("Sources/VoiceSession.swift")),
    ("VoiceSession.swift", .one("Sources/VoiceSession.swift")),
    ("readme", .one("README.md")), ("login", .several(["a/login.py", "b/login.py"])),
    ("a/login.py", .one("a/login.py")),
    ("session", .one("Sources/VoiceSession.swift")), ("zebra", .none), ("", .none),
  ])
  func aFileIsFoundByWhatCanBeHeardOfItsName(_ name: String, _ match: FileNames.Match) {
    #expect(
      FileNames.best(
        name, in: ["README.md", "Sources/VoiceSession.swift", "a/login.py", "b/login.py", "docs/README.md"]) == match)
  }

  @Test func anOutlineTellsTitleOpeningAndDeclarations() {
    let prose = Outline(prose: "[![b](c)](d)\n\n# Title\n\n```sh\nrun\n```\nFirst line\nsecond line.\n\nMore.\n")
    #expect(prose.title == "Title")
    #expect(prose.opening == "First line second line.")
    let code = Outline(
      code: "#!/usr/bin/env python3\n# Sends mail.\nimport os\n\nclass Post:\n    def send(self):\n        pass\n")
    #expect(code.opening == "Sends mail.")
    #expect(code.types == ["Post"])
    #expect(code.functions == ["send"])
    let windows = Outline(prose: "# Title\r\n\r\nFirst line\r\nsecond line.\r\n")
    #expect(windows.title == "Title" && windows.opening == "First line second line.")
    #expect(Outline(code: "// Sends.\r\nclass Post {\r\n").types == ["Post"])
  }
}
