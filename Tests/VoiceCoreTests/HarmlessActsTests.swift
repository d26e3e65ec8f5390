import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

struct HarmlessActsTests {
  private let acts = KeyboardOnlyActs(workingFolder: ActTable.folder)

  @Test func noDangerousActIsApprovedByVoice() {
    #expect(ActTable.dangerous.count >= 184)
    for request in ActTable.dangerous where acts.refusal(of: request) == nil {
      Issue.record("\(request.title): \(request.subject.command?.debugDescription ?? "\(request.subject)")")
    }
  }

  @Test func ordinaryActsAreApprovedByVoice() {
    #expect(ActTable.harmless.count >= 60)
    let held = ActTable.harmless.compactMap { request in
      acts.refusal(of: request).map { "\(request.subject.command ?? request.title): \($0)" }
    }
    #expect(held.count * 10 <= ActTable.harmless.count, "\(held)")
    // What is held for nothing is a defect, too, if a small one.
    #expect(held.isEmpty, "\(held)")
  }

  @Test func everyRefusalSaysWhatItIsAbout() {
    #expect(acts.refusal(of: ActTable.run("make")) == "“make” is not known to be harmless")
    #expect(acts.refusal(of: ActTable.run("git push")) == "“git push” is not known to be harmless")
    #expect(acts.refusal(of: ActTable.run("ls > x")) == "it has a redirection")
    #expect(acts.refusal(of: ActTable.run("cat ../x")) == "it leaves the working folder")
    #expect(acts.refusal(of: ActTable.edit(["Makefile"]))?.hasPrefix("“Makefile” may be run") == true)
  }

  /// With another word, or one fewer, the same command acts.
  @Test(
    arguments: [
      (
        ["git cat-file -p HEAD", "git cat-file -e HEAD"],
        ["git cat-file HEAD", "git cat-file -p HEAD x", "git cat-file --filters a"]
      ),
      ([], ["git config user.name", "git config --get user.name", "git config --unset a"]),
      (
        ["git remote"], ["git remote -v", "git remote get-url origin", "git remote add a b", "git remote prune a"]
      ),
      (["git stash list", "git stash show"], ["git stash", "git stash pop"]),
      (["git worktree list"], ["git worktree", "git worktree add x", "git worktree list x"]),
      (["git reflog", "git reflog show", "git reflog -5"], ["git reflog expire", "git reflog -"]),
      (["git tag", "git tag -l v1", "git tag --list"], ["git tag v1", "git tag -d v1", "git tag -l -d"]),
      (
        ["git branch", "git branch -vv", "git branch --list x", "git branch --sort=x -v"],
        ["git branch x", "git branch -D x", "git branch x --list"]
      ),
      (
        ["git log -3", "git log -- src/a.c", "git --no-pager log"],
        ["git log -Ox", "git log --output=x", "git log --out=x", "git"]
      ),
      (
        ["date", "date -u +%F", "command -v git"],
        ["date -s x", "command git", "command -v a b", "go", "go build"]
      ),
      (
        ["sed -n 1,80p a", "sed -n '$p' a", "sed -n 5p"],
        ["sed -n 1,80w a", "sed -n 1,2,3p a", "sed -n p", "sed -n", "sed 5p"]
      ),
      (["uniq a", "swift --version", "diff -U 3 a b"], ["uniq a b", "swift build", "diff --to-file a b"]),
      (
        ["/usr/bin/git status", "bash -lc 'git status'"],
        ["./git status", "bash -lc", "bash -lc 'git status' x", "bash -x 'git status'"]
      ),
    ] as [([String], [String])])
  func whatOnlyLooksIsToldFromWhatActs(_ harmless: [String], _ acting: [String]) {
    for command in harmless { #expect(acts.refusal(of: ActTable.run(command)) == nil, "\(command)") }
    for command in acting { #expect(acts.refusal(of: ActTable.run(command)) != nil, "\(command)") }
  }

  @Test func theUserNamesCommandsThatHeTrusts() {
    let own = KeyboardOnlyActs(
      workingFolder: ActTable.folder, voiceCommands: ["swift test", "npm run lint *", "*", "", "make *"])
    for command in ["swift test", "swift test && git status", "npm run lint", "npm run lint src", "make test"] {
      #expect(own.refusal(of: ActTable.run(command)) == nil, "\(command)")
    }
    for command in [
      "swift test --filter X", "swift", "swift test > x", "npm run lint ../x", "npm run lint $(x)", "npm run",
      "cargo test",
      "npm run lint; rm x", "X=1 swift test", "make SHELL=/tmp/x", "make -f/tmp/x", "make *",
    ] {
      #expect(own.refusal(of: ActTable.run(command)) != nil, "\(command)")
    }
  }

  /// What an option, a setting or a list of arguments would run, nobody named.
  @Test func aStarStandsForPlainWordsOnly() {
    let own = KeyboardOnlyActs(
      workingFolder: ActTable.folder,
      voiceCommands: ["make test *", "cargo test *", "git log *", "make -j4 A=1 *", "npm run *", "tool *"])
    for command in [
      "make test", "make test unit/parser", "cargo test parser::tests", "make -j4 A=1 all", "npm run test:unit",
      "npm run lint src/a_b.ts", "cargo test v1.2-x", "tool a@b a,b ./a",
    ] {
      #expect(own.refusal(of: ActTable.run(command)) == nil, "\(command)")
    }
    for command in [
      "make test --eval=x", "make test -f x", "make test SHELL=./evil.sh", "make test A=1", "cargo test --config x",
      "git log --output=main.c", "git log -Omain.c", "make -j4 A=1 B=2", "make -j8 A=1 all", "npm run lint +x",
      "npm run 'a b'", "npm run 'a;b'", "npm run 'a|b'", "npm run \"a'b\"", "npm run ''", "npm run 'a*'",
      "tool @args", "tool ../x", "tool a:/etc/passwd", "tool /etc/passwd", "tool a/../../b", "tool :x", "tool 'a#b'",
      "tool -", "tool --",
    ] {
      #expect(own.refusal(of: ActTable.run(command)) != nil, "\(command)")
    }
  }

  @Test func thePatternsOfTheUserHoldBesides() {
    let own = KeyboardOnlyActs(
      patterns: KeyboardOnlyActs.defaults + ["git log", "Payroll*"], workingFolder: ActTable.folder)
    #expect(own.refusal(of: ActTable.run("git log -3")) == "it matches “git log”")
    #expect(own.refusal(of: ActTable.run("git status")) == nil)
    #expect(KeyboardOnlyActs(patterns: ["payroll*"]).refusal(of: ActTable.read("src/payroll.c")) != nil)
    // The usual words are about instructions.
    #expect(own.refusal(of: ActTable.run("grep -rn remove src")) == nil)
  }

  @Test func withoutAWorkingFolderNoAbsolutePathIsInside() {
    for folder in ["", "/"] {
      let unknown = KeyboardOnlyActs(workingFolder: folder)
      #expect(unknown.refusal(of: ActTable.run("cat /home/me/project/a")) != nil)
      #expect(unknown.refusal(of: ActTable.run("cat a")) == nil)
    }
  }

  /// What is hidden in it is told from what it lies in.
  @Test func aWorkingFolderMayBeCalledAnything() {
    let acts = KeyboardOnlyActs(workingFolder: "/home/me/.trees/keys")
    for path in ["/home/me/.trees/keys/src/main.c", "/home/me/.trees/keys"] {
      #expect(acts.refusal(of: ActTable.run("ls \(path)")) == nil)
      #expect(acts.refusal(of: ActTable.read(path)) == nil)
    }
    #expect(acts.refusal(of: ActTable.read("/home/me/.trees/keys/.trees/a.c")) != nil)
    #expect(acts.refusal(of: ActTable.run("grep -f/home/me/.trees/keys/server.key a")) != nil)
  }

  @Test func aLongLineIsNotJudged() {
    #expect(
      acts.refusal(of: ActTable.run("ls " + String(repeating: "a ", count: 2_000))) == "it is too long to be judged")
  }

  @Test func anyLineIsJudgedWithoutATrap() {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "ls", "git", " ", "  ", "'", "\"", "\\", "|", "&", ";", ">", "<", "2", "/dev/null", "*", "[", "-", "--", "=", "~",
      "$", "(", ")", "{", "}", "#", "!", "log", "rm", "sed -n", "p", ",", ":", "..", "/", "é",
    ]
    for _ in 0..<20_000 {
      let line = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      if acts.refusal(of: ActTable.run(line)) == nil {
        #expect(!line.contains("$") || line.contains("'") || line.contains("\\"), "\(line)")
        #expect(
          !line.contains(">") || line.contains("/dev/null") || line.contains("'") || line.contains("\""), "\(line)")
      }
    }
  }
}

struct PlainCommandLineTests {
  @Test(arguments: [(0, true), (1, false)]) func aLineIsJudgedUpToTheLimit(_ more: Int, _ isJudged: Bool) {
    let line = "ls " + String(repeating: "a", count: Limits.judgedCommandBytes - 3 + more)
    #expect((words(line) != nil) == isJudged)
  }

  private func words(_ line: String) -> [[String]]? {
    do { return try PlainCommandLine(line).commands.map { $0.map(\.text) } } catch { return nil }
  }

  @Test func wordsAreThoseThatAShellWouldMake() {
    #expect(words("a b  c") == [["a", "b", "c"]])
    #expect(words("a 'b c' \"d e\"f''") == [["a", "b c", "d ef"]])
    #expect(words("a ''") == [["a", ""]])
    #expect(words("a|b && c || d; e;") == [["a"], ["b"], ["c"], ["d"], ["e"]])
    #expect(words("a 'x|y' \"x;y\"") == [["a", "x|y", "x;y"]])
    #expect(words("a 2>/dev/null b") == [["a", "b"]])
    #expect(words("a >/dev/null 2>&1") == [["a"]])
    #expect(words("a x#y x~y x=y") == [["a", "x#y", "x~y", "x=y"]])
    #expect(words("a \\( \\;") == [["a", "(", ";"]])
    #expect(words("a \"x\\.y\"") == [["a", "x\\.y"]])
  }

  @Test func aPatternIsKnownAsOne() throws {
    let words = try PlainCommandLine("ls *.c '*.c' \\*").commands[0]
    #expect(words.map(\.isPattern) == [false, true, false, false])
  }
}

/// Instructions are prose: words in them decide.
struct InstructionWordsTests {
  private let acts = KeyboardOnlyActs(workingFolder: ActTable.folder)

  @Test(arguments: [
    "Remove the build folder.", "revert everything", "Deploy it.", "please remove all tests", "removing the old branch",
    "Revert the last three commits", "undo everything", "discard my changes", "reset the branch", "roll it back",
    "deploys",
    "Publish a new version", "release it", "push it to main", "push the branch", "force it through", "Drop the schema",
    "clean the working tree", "Uninstall node", "overwrite the file", "rebase onto main", "throw away what you did",
    "get rid of the cache", "wipe the database", "purge the queue", "kill the server", "shut down the machine",
    "terminate the instance", "tear down the stack", "restore the old version", "delete it", "deleting all of it",
    "erasing the disk", "Ship it!", "roll back the migration", "go live", "redeploy production",
  ])
  func areForTheKeyboardOnly(_ text: String) { #expect(acts.match([text]) != nil) }

  @Test(arguments: [
    "Run the unit tests.", "Explain the parser.", "Fix the warning in Cache.swift.", "Add a dropdown to the form.",
    "Rename the class.", "Show me the diff.", "Write a test for the enforced limit.", "Add a skeleton.",
    "Make the pushdown automaton faster.", "What does this shipment class do?", "Check for an empty list.",
    "Refactor the login form.", "Why does the build fail?", "Add a comment to each function.",
  ])
  func mayBeApprovedByVoice(_ text: String) { #expect(acts.match([text]) == nil) }
}
