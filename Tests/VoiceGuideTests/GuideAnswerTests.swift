import Testing
import VoiceJSON
import VoiceSystem

@testable import VoiceGuide

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the guide says and does in real folders and repositories.
@Suite(.timeLimit(.minutes(5)))
struct GuideAnswerTests {
  @Test(arguments: [
    (
      "list the files",
      ["2 files and one folder here, with 4 files in all", "The folder is Sources", ".gitignore and README.md"]
    ),
    ("list all swift files", ["2 Swift files", "login.swift and main.swift"]),
    ("what's in the sources folder", ["one folder in Sources"]),
    ("find login dot swift", ["one file: login.swift in Sources/App"]),
    ("find unicorn dot swift", ["no file called unicorn.swift"]),
    ("read the read me", ["README.md has 7 lines", "title is: Shop", "A small shop, with a cart. It sells tea."]),
    ("read login dot swift", ["5 lines of Swift", "Lets people in.", "declares Visitor, with one function"]),
    ("read line 2 of login dot swift", ["func login"]),
    ("read line ninety of login dot swift", ["only 5 lines"]),
    (
      "search for visitor",
      ["one place with visitor, in one file", "login.swift, line 5", "It says: struct Visitor {}"]
    ),
    (
      "find every place that calls the deprecated login method",
      ["Nothing says deprecated login, so I looked for login", "one call of login", "main.swift, line 2"]
    ),
    ("where is login defined", ["one declaration of login", "login.swift, line 2"]),
    ("search for unobtainium", ["no place that says unobtainium"]),
    ("how many files are there", ["There are 4 files, among them 2 Swift files"]),
    ("how many lines of swift do we have", ["There are 7 lines of Swift in 2 files"]),
    ("count the files in the sources folder", ["There are 2 files in Sources, among them 2 Swift files."]),
    ("how many lines are in the sources folder", ["There are 7 lines in 2 files in Sources."]),
    ("read the last two lines of login dot swift", ["struct Visitor {}."]),
    ("how many lines does the readme have", ["README.md has 7 lines"]),
    ("git status", ["branch main", "Everything is committed"]),
    ("what changed", ["The last 2 commits are", "Ask for a name", "Open the shop"]),
    ("what was the last commit", ["Ask for a name, by Ann"]),
    (
      "show me the diff for the last commit",
      ["Ask for a name, changed one file, with 2 lines added and one line removed", "login.swift in Sources/App"]
    ),
    ("show me the diff", ["No tracked file differs"]),
    ("which branch am I on", ["on the branch main"]),
    ("list the branches", ["one branch: main"]),
    ("can you summarize what this repository does", ["calls it Shop", "A small shop, with a cart. It sells tea."]),
    ("which files did you change in the last step", ["I changed no files in this session", "changed one file"]),
    ("how long did the integration tests take", ["have not run the tests"]),
    ("run the tests", ["no tests that I know how to run"]),
    ("where are you", ["I work in the folder"]),
    (
      "revert the last change and try a different approach",
      [
        "without a language model", "cannot change code",
        "I understood: revert the last change and try a different approach.",
      ]
    ),
    ("why is the build failing on the main branch", ["cannot answer that", "I understood: why is the build failing"]),
    ("run the linter", ["only the project's tests"]),
    ("what can you do", ["list, find and read files", "I cannot change code"]),
    ("git status and then which branch am I on", ["Everything is committed", "on the branch main"]),
  ])
  func aQuestionAboutARepositoryIsAnswered(_ said: String, _ expected: [String]) async throws {
    let turn = try await GuideHarness.ask(said, in: try await Scratch.repository())
    for part in expected { #expect(turn.said.contains(part), "\(turn.said)") }
    #expect(!turn.said.contains("ignored"))
    #expect(turn.said.allSatisfy { !"*#`".contains($0) })
    #expect(turn.stopReason == "end_turn")
    #expect(turn.asked.isEmpty)
  }

  @Test func aSearchIsReportedAsAToolWithItsPlaces() async throws {
    let folder = try await Scratch.repository()
    let turn = try await GuideHarness.ask("search for login", in: folder)
    #expect(turn.kinds == ["search"])
    #expect(turn.titles == ["Search for login"])
    let update = try #require(turn.updates("tool_call_update").last)
    #expect(update["status"] == "completed")
    #expect(
      update["locations"] == [
        ["path": .string(folder.path + "/Sources/App/login.swift"), "line": 2],
        ["path": .string(folder.path + "/Sources/App/main.swift"), "line": 2],
      ])
  }

  @Test func statusAndDiffTellWhatIsNotCommitted() async throws {
    let folder = try await Scratch.repository()
    try folder.write("README.md", "# Shop\n")
    try folder.write("new file.txt", "n")
    let status = try await GuideHarness.ask("git status", in: folder).said
    #expect(status.contains("One file is changed: README.md."))
    #expect(status.contains("One file is new and not added yet: new file.txt."))
    let difference = try await GuideHarness.ask("show me the diff", in: folder).said
    #expect(difference.contains("One file differs from the last commit, with no lines added and 6 lines removed."))
  }

  @Test(arguments: [
    ("list the files", "The folder is empty."), ("git status", "not in a git repository"),
    ("show me the diff for the last commit", "not in a git repository"), ("what changed", "not in a git repository"),
    ("which branch am I on", "not in a git repository"), ("create a branch called x", "not in a git repository"),
    ("what does this project do", "There is no readme"), ("how many lines are there", "no lines in no files"),
    ("search for login", "no place that says login"), ("read the readme", "no file called readme"),
    ("run the tests", "no tests that I know"),
  ])
  func anEmptyFolderWithoutGitIsAnsweredPlainly(_ said: String, _ expected: String) async throws {
    let turn = try await GuideHarness.ask(said, in: try Scratch())
    #expect(turn.said.contains(expected), "\(turn.said)")
    #expect(turn.stopReason == "end_turn")
  }

  @Test func aRepositoryWithoutCommitsIsAnsweredPlainly() async throws {
    let folder = try Scratch()
    try await folder.run("git", "init", "-q", "-b", "main")
    #expect(try await GuideHarness.ask("what changed", in: folder).said.contains("There are no commits yet."))
    #expect(try await GuideHarness.ask("show me the diff", in: folder).said.contains("There are no commits yet."))
    #expect(try await GuideHarness.ask("list the branches", in: folder).said.contains("There are no branches yet."))
  }

  /// Only a folder that is in no repository is called that.
  @Test(arguments: [
    ("git status", [".git/config": "[core"], "cannot read the settings"),
    ("create a branch called x", [".git/config": "[core"], "cannot read the settings"),
    ("show me the diff for the last commit", [".git/refs/heads/main": String(repeating: "1", count: 40)], "bad object"),
    ("what changed", [".git/refs/heads/main": String(repeating: "1", count: 40)], "bad object"),
    ("show me the diff", [".git/index": "noise"], "index file"), ("git status", [".git/index": "noise"], "index file"),
  ])
  func whyGitDoesNotAnswerIsToldAsItIs(_ said: String, _ damage: [String: String], _ expected: String) async throws {
    let folder = try await Scratch.repository()
    for (file, text) in damage { try folder.write(file, text) }
    let turn = try await GuideHarness.ask(said, in: folder)
    #expect(turn.said.contains(expected), "\(turn.said)")
    #expect(!turn.said.contains("not in a git repository"), "\(turn.said)")
  }

  @Test func whatFollowsAQuestionThatGitDoesNotAnswerIsAnswered() async throws {
    let said = try await GuideHarness.ask("git status and then what can you do", in: try Scratch()).said
    #expect(said.contains("not in a git repository") && said.contains("I am a small guide"), "\(said)")
  }

  // What must not be read.

  @Test func aLinkOutOfTheFolderIsNotFollowed() async throws {
    let outside = try Scratch()
    try outside.write("plans.txt", "the hidden plans")
    let folder = try Scratch()
    symlink(outside.path + "/plans.txt", folder.path + "/plans.txt")
    symlink(outside.path, folder.path + "/away")
    let read = try await GuideHarness.ask("read plans dot txt", in: folder)
    #expect(read.said.contains("points outside the working folder"))
    let search = try await GuideHarness.ask("search for hidden", in: folder)
    #expect(search.said.contains("no place"))
    let list = try await GuideHarness.ask("list the files in away", in: folder)
    #expect(list.said.contains("no folder called away"))
  }

  @Test func aPipeInTheFolderDoesNotHoldTheGuideUp() async throws {
    let folder = try Scratch()
    try folder.write("a.txt", "word")
    mkfifo(folder.path + "/pipe.txt", 0o600)
    #expect(try await GuideHarness.ask("search for word", in: folder).said.contains("one place"))
    #expect(try await GuideHarness.ask("read pipe dot txt", in: folder).said.contains("no file called"))
  }

  @Test func aBinaryFileIsNotReadOut() async throws {
    let folder = try Scratch()
    try folder.write("logo.png", "PNG\0\u{1}\u{2}word")
    #expect(
      try await GuideHarness.ask("read logo dot png", in: folder).said == "logo.png is not text. It has 10 bytes. ")
    #expect(try await GuideHarness.ask("search for word", in: folder).said.contains("no place"))
  }

  @Test func aHugeFileIsReadOnlyAtItsBeginning() async throws {
    let folder = try Scratch()
    let file = try folder.write("big.txt", String(repeating: "line\n", count: 1_000))
    truncate(file, off_t(GuideLimits.fileBytes) * 16)
    try folder.write("long.txt", String(repeating: "abcdefghij klm\n", count: GuideLimits.fileBytes / 15 + 1_000))
    let turn = try await GuideHarness.ask("read long dot txt", in: folder)
    #expect(turn.said.contains("more than \(GuideLimits.fileBytes / 15 + 1) lines"))
    #expect(turn.said.contains("I read only its beginning"))
    #expect(turn.said.count < 800)
  }

  @Test func filesThatHoldKeysAreNotRead() async throws {
    let folder = try Scratch()
    try folder.write(".env", "PASSWORD=hunter2\n")
    try folder.write("notes.txt", "Use sk-abcdefghijklmnopqrstuvwxyz012345 here.\npassword: hunter2\n")
    #expect(try await GuideHarness.ask("read dot env", in: folder).said.contains("usually holds keys"))
    #expect(try await GuideHarness.ask("search for hunter2", in: folder).said.contains("one file"))
    let turn = try await GuideHarness.ask("read notes dot txt", in: folder)
    #expect(!turn.said.contains("abcdefghij") && !turn.said.contains("hunter2"))
    #expect(!"\(turn.updates)".contains("hunter2"))
  }

  @Test func controlCharactersOfAFileAreNotPassedOn() async throws {
    let folder = try Scratch()
    try folder.write("evil.md", "# A\u{1b}[31mred\u{7}\u{202e}title\nHe\u{9b}llo\u{0d}there\n")
    let turn = try await GuideHarness.ask("read evil dot m d", in: folder)
    let all = turn.said + "\(turn.updates)"
    for scalar in "\u{1b}\u{7}\u{202e}\u{9b}\u{0d}".unicodeScalars { #expect(!all.unicodeScalars.contains(scalar)) }
    #expect(turn.said.contains("red"))
  }

  // Acts.

  @Test func testsRunOnlyWithPermissionAndTheEndIsTold() async throws {
    let folder = try Scratch()
    try folder.write(
      "script/test", "#!/bin/sh\necho started\ntouch ran\necho '3 passed, 1 failed in 0.12s'\nexit 1\n",
      executable: true)
    let refused = try await GuideHarness.ask("run the tests", in: folder)
    #expect(refused.said == "All right, I do not run the tests. ")
    #expect(!folder.exists("ran"))
    #expect(refused.asked.first?["toolCall"]?["title"] == "Run script/test")
    #expect(refused.asked.first?["toolCall"]?["rawInput"]?["command"] == ["script/test"])
    #expect(refused.updates("tool_call").first?["toolCallId"] == refused.asked.first?["toolCall"]?["toolCallId"])
    let allowed = try await GuideHarness.ask("run the tests", in: folder, permission: "allow_once")
    #expect(folder.exists("ran"))
    #expect(allowed.said.contains("I run script/test. The tests failed: one test failed and 3 passed. That took"))
    #expect(allowed.kinds == ["execute"])
    #expect(allowed.updates("tool_call_update").last?["status"] == "failed")
  }

  @Test func anAllowanceForTheSessionIsRememberedAndTheDurationIsTold() async throws {
    let folder = try Scratch()
    try folder.write("script/test", "#!/bin/sh\nexit 0\n", executable: true)
    _ = try await GuideHarness.run { guide in
      let session = try await guide.openSession(folder)
      let first = try await guide.say("run the tests", in: session, permission: "allow_always")
      #expect(first.said.contains("The tests passed."))
      let second = try await guide.say("run the tests again", in: session)
      #expect(second.asked.isEmpty)
      #expect(second.said.contains("The tests passed."))
      let duration = try await guide.say("how long did the tests take", in: session)
      #expect(duration.said.contains("The last run of script/test took "))
      // What was allowed for the tests is not allowed for anything else.
      #expect(try await guide.say("take a note: hello", in: session).asked.count == 1)
    }
  }

  @Test func aTestCommandThatCannotBeStartedIsToldPlainly() async throws {
    let folder = try Scratch()
    try folder.write("script/test", "#!/no/such/interpreter\n", executable: true)
    let turn = try await GuideHarness.ask("run the tests", in: folder, permission: "allow_once")
    #expect(turn.said.contains("could not start script/test"))
    #expect(turn.stopReason == "end_turn")
  }

  @Test func aTestThatLeavesAProcessBehindStillEndsAndSoDoesTheProcess() async throws {
    let folder = try Scratch()
    try folder.write(
      "script/test", "#!/bin/sh\nexec 9>alive\necho ready >&9\ntail -f /dev/null &\nexit 0\n", executable: true)
    folder.makePipe("alive")
    async let opened = folder.openPipe("alive")
    let turn = try await GuideHarness.ask("run the tests", in: folder, permission: "allow_once")
    #expect(turn.said.contains("The tests passed."))
    var alive = MessageLines.lines(from: await opened).makeAsyncIterator()
    let ready = await alive.next()
    #expect(ready == .line(Array("ready".utf8)))
    let end = await alive.next()
    #expect(end == nil)
  }

  @Test func aNoteIsAppendedOnlyWithPermission() async throws {
    let folder = try Scratch()
    #expect(
      try await GuideHarness.ask("take a note: buy tea", in: folder).said == "All right, I do not write it down. ")
    #expect(!folder.exists("NOTES.md"))
    for text in ["take a note: buy tea", "note that Ann called"] {
      let turn = try await GuideHarness.ask(text, in: folder, permission: "allow_once")
      #expect(turn.said == "I wrote it to NOTES.md. ")
      #expect(turn.kinds == ["edit"])
    }
    #expect(try folder.read("NOTES.md") == "- buy tea\n- Ann called\n")
    var status = stat()
    stat(folder.path + "/NOTES.md", &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func aNoteIsNotWrittenThroughALink() async throws {
    let outside = try Scratch()
    try outside.write("target.md", "")
    let folder = try Scratch()
    symlink(outside.path + "/target.md", folder.path + "/NOTES.md")
    let turn = try await GuideHarness.ask("take a note: hello", in: folder, permission: "allow_once")
    #expect(turn.said.contains("could not write"))
    #expect(try outside.read("target.md") == "")
  }

  @Test func aBranchIsCreatedOnlyWithPermission() async throws {
    let folder = try await Scratch.repository()
    let wish = "create a new branch called feature dark mode"
    #expect(try await GuideHarness.ask(wish, in: folder).said == "All right, I do not create the branch. ")
    #expect(try await folder.run("git", "rev-parse", "--verify", "refs/heads/feature-dark-mode") == false)
    let turn = try await GuideHarness.ask(wish, in: folder, permission: "allow_once")
    #expect(turn.said.contains("I created the branch feature-dark-mode"))
    #expect(try await folder.run("git", "rev-parse", "--verify", "refs/heads/feature-dark-mode"))
    #expect(try await GuideHarness.ask(wish, in: folder).said.contains("already a branch"))
  }
}
