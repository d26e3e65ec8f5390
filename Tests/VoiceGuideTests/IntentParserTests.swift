import Testing
import VoiceJSON
import VoiceReplay

@testable import VoiceGuide

/// What people say, with the variants that a speech recogniser makes of it, and what is to be understood.
struct IntentParserTests {
  struct Phrasing: CustomTestStringConvertible, Sendable {
    var said: String
    var meant: [Intent]
    var testDescription: String { said }

    init(_ said: String, _ meant: Intent...) {
      self.said = said
      self.meant = meant
    }
  }

  static let swift = Language(name: "Swift", suffixes: ["swift"])
  static let python = Language(name: "Python", suffixes: ["py"])

  static let files: [Phrasing] = [
    .init("list the files", .listFiles(folder: nil, language: nil)),
    .init("List files.", .listFiles(folder: nil, language: nil)),
    .init("please list all files in this folder", .listFiles(folder: nil, language: nil)),
    .init("What files are there?", .listFiles(folder: nil, language: nil)),
    .init("what's in this folder", .listFiles(folder: nil, language: nil)),
    .init("which files are in this project", .listFiles(folder: nil, language: nil)),
    .init("show me the files in the sources folder", .listFiles(folder: "sources", language: nil)),
    .init("list the files in sources slash app", .listFiles(folder: "sources/app", language: nil)),
    .init("What is in the tests folder?", .listFiles(folder: "tests", language: nil)),
    .init("list the sources folder", .listFiles(folder: "sources", language: nil)),
    .init("list all swift files", .listFiles(folder: nil, language: swift)),
    .init("list all dot swift files", .listFiles(folder: nil, language: swift)),
    .init("show me the python files", .listFiles(folder: nil, language: python)),
    .init("find a file called login", .findFiles(name: "login")),
    .init("find login dot swift", .findFiles(name: "login.swift")),
    .init("Where is the login.swift file?", .findFiles(name: "login.swift")),
    .init("is there a file named config dot jason", .findFiles(name: "config.json")),
    .init("Find all files named session", .findFiles(name: "session")),
    .init("do we have a file called read me", .findFiles(name: "readme")),
    .init("read the read me", .readFile(name: "readme", lines: nil)),
    .init("Read the readme.", .readFile(name: "readme", lines: nil)),
    .init("read me the readme", .readFile(name: "readme", lines: nil)),
    .init("read me", .readFile(name: "readme", lines: nil)),
    .init("Can you open the readme file for me?", .readFile(name: "readme", lines: nil)),
    .init("read package dot swift", .readFile(name: "package.swift", lines: nil)),
    .init("read me package dot swift", .readFile(name: "package.swift", lines: nil)),
    .init("Read read me dot m d", .readFile(name: "readme.md", lines: nil)),
    .init("show me login.swift", .readFile(name: "login.swift", lines: nil)),
    .init("what's in the file notes dot text", .readFile(name: "notes.txt", lines: nil)),
    .init("what does the readme say", .readFile(name: "readme", lines: nil)),
    .init("summarize the file login dot swift", .readFile(name: "login.swift", lines: nil)),
    .init("summarise the readme", .readFile(name: "readme", lines: nil)),
    .init("read the first ten lines of login dot swift", .readFile(name: "login.swift", lines: .from(1, through: 10))),
    .init("Read lines 5 to 7 of main.py", .readFile(name: "main.py", lines: .from(5, through: 7))),
    .init("read line twenty five of main dot pie", .readFile(name: "main.py", lines: .from(25, through: 25))),
    .init("read the last ten lines of login dot swift", .readFile(name: "login.swift", lines: .last(10))),
    .init("open config slash parley dot jason five", .readFile(name: "config/parley.json5", lines: nil)),
    .init("Find the file login dot swift and read it.", .readFile(name: "login.swift", lines: nil)),
    .init("show voice event", .readFile(name: "voice event", lines: nil)),
    .init("open the dot git ignore", .readFile(name: ".gitignore", lines: nil)),
    .init("how many files are there", .countFiles(folder: nil, language: nil)),
    .init("count the files in the tests folder", .countFiles(folder: "tests", language: nil)),
    .init("how many lines are in the sources folder", .countLines(place: "sources", language: nil)),
    .init("count the swift files", .countFiles(folder: nil, language: swift)),
    .init("How many dot py files do we have?", .countFiles(folder: nil, language: python)),
    .init("how many lines of code are there", .countLines(place: nil, language: nil)),
    .init("count the lines", .countLines(place: nil, language: nil)),
    .init("how many lines of swift do we have", .countLines(place: nil, language: swift)),
    .init("how many lines of code are in this project", .countLines(place: nil, language: nil)),
    .init("how many lines does login dot swift have", .countLines(place: "login.swift", language: nil)),
    .init("How many lines are in the readme?", .countLines(place: "readme", language: nil)),
    .init("which folder are you in", .workingFolder),
    .init("where are you", .workingFolder),
    .init("What is the working directory?", .workingFolder),
    .init("package dot swift", .readFile(name: "package.swift", lines: nil)),
  ]

  static let text: [Phrasing] = [
    .init("search for login", .search(SearchQuery(words: ["login"]))),
    .init("Search for the word timeout.", .search(SearchQuery(words: ["timeout"]))),
    .init("search the code for session manager", .search(SearchQuery(words: ["session", "manager"]))),
    .init("grep for todo", .search(SearchQuery(words: ["todo"]))),
    .init("grip for retry", .search(SearchQuery(words: ["retry"]))),
    .init("look for parse header in the sources", .search(SearchQuery(words: ["parse", "header"]))),
    .init("find every place that mentions dark mode", .search(SearchQuery(words: ["dark", "mode"]))),
    .init("find all places that call login", .search(SearchQuery(words: ["login"], focus: .calls))),
    .init("who calls the login function", .search(SearchQuery(words: ["login"], focus: .calls))),
    .init("Which files use the cache?", .search(SearchQuery(words: ["cache"]))),
    .init("where is login defined", .search(SearchQuery(words: ["login"], focus: .declarations))),
    .init("where is the session class declared", .search(SearchQuery(words: ["session"], focus: .declarations))),
    .init("Where is parseHeader used?", .search(SearchQuery(words: ["parseheader"]))),
    .init("show me all calls to open session", .search(SearchQuery(words: ["open", "session"], focus: .calls))),
    .init("find all references to max length", .search(SearchQuery(words: ["max", "length"]))),
    .init("how many times is login called", .search(SearchQuery(words: ["login"], focus: .calls))),
    .init("are there any files with the word secret", .search(SearchQuery(words: ["secret"]))),
    .init("is there a function called perform", .search(SearchQuery(words: ["perform"], focus: .declarations))),
    .init("search for read underscore file", .search(SearchQuery(words: ["read_file"]))),
    .init("search for salt and pepper", .search(SearchQuery(words: ["salt", "and", "pepper"]))),
  ]

  static let history: [Phrasing] = [
    .init("git status", .status),
    .init("get status", .status),
    .init("What's the status?", .status),
    .init("are there any uncommitted changes", .status),
    .init("What have I changed?", .status),
    .init("is the working tree clean", .status),
    .init("which files have changed", .status),
    .init("what changed", .history(commits: 3)),
    .init("What changed recently?", .history(commits: 3)),
    .init("show me the git log", .history(commits: 3)),
    .init("get log", .history(commits: 3)),
    .init("show the last five commits", .history(commits: 5)),
    .init("show the last 5 commits", .history(commits: 5)),
    .init("tell me the last twenty one commits", .history(commits: 21)),
    .init("what was the last commit", .history(commits: 1)),
    .init("What was the last comet?", .history(commits: 1)),
    .init("who made the last commit", .history(commits: 1)),
    .init("show me the diff", .difference(.workingTree)),
    .init("show me the dif", .difference(.workingTree)),
    .init("show me the changes", .difference(.workingTree)),
    .init("git diff", .difference(.workingTree)),
    .init("Show me the def for the last commit.", .difference(.lastCommit)),
    .init("Show me the diff for the last comet.", .difference(.lastCommit)),
    .init("what changed in the last commit", .difference(.lastCommit)),
    .init("which files did the last commit change", .difference(.lastCommit)),
    .init("show me the uncommitted changes", .difference(.workingTree)),
    .init("which branch am I on", .currentBranch),
    .init("What brunch are we on?", .currentBranch),
    .init("what's the current branch", .currentBranch),
    .init("list the branches", .branches),
    .init("which branches are there", .branches),
    .init("what did you change", .ownChanges),
    .init("Which files have you changed?", .ownChanges),
    .init("what does this project do", .describeRepository),
    .init("What is this repository about?", .describeRepository),
    .init("summarise the project", .describeRepository),
    .init("give me an overview of this repo", .describeRepository),
    .init("Explain this project.", .describeRepository),
  ]

  static let acts: [Phrasing] = [
    .init("run the tests", .runTests),
    .init("Run the test.", .runTests),
    .init("please run all the tests again", .runTests),
    .init("could you run the unit tests for me", .runTests),
    .init("do the tests pass", .runTests),
    .init("Are the tests green?", .runTests),
    .init("run pie test", .runTests),
    .init("swift test", .runTests),
    .init("start the test suite", .runTests),
    .init("how long did the tests take", .testDuration),
    .init("take a note: the login is broken", .writeNote(text: "the login is broken")),
    .init("Write a note that says Call Ann tomorrow.", .writeNote(text: "Call Ann tomorrow")),
    .init("make a note to fix the README", .writeNote(text: "fix the README")),
    .init("Remember to update the docs", .writeNote(text: "update the docs")),
    .init(
      "note that the build takes 5 minutes and run is slow",
      .writeNote(text: "the build takes 5 minutes and run is slow")),
    .init("take a note", .writeNote(text: nil)),
    .init("create a branch called fix login", .createBranch(name: "fix-login")),
    .init("Make a new branch named feature slash dark mode.", .createBranch(name: "feature/dark-mode")),
    .init("create a login fix branch", .createBranch(name: "login-fix")),
    .init("start a new brunch called try two", .createBranch(name: "try-two")),
    .init("create a new branch", .createBranch(name: nil)),
    .init("git status and then run the tests", .status, .runTests),
    .init("which branch am I on and what changed", .currentBranch, .history(commits: 3)),
    .init("help", .help),
    .init("What can you do?", .help),
    .init("hello", .greeting),
    .init("thank you", .thanks),
    .init("don't run the tests", .nothing),
    .init("Do not create a branch", .nothing),
    .init("never mind", .nothing),
    .init("", .nothing),
  ]

  static let refusals: [Phrasing] = [
    .init("run the tests and fix the failures", .refused(.changing, understood: "run the tests and fix the failures")),
    .init("delete all files", .refused(.changing, understood: "delete all files")),
    .init("Commit everything.", .refused(.changing, understood: "Commit everything")),
    .init("please push to main", .refused(.changing, understood: "push to main")),
    .init("run the linter", .refused(.running, understood: "run the linter")),
    .init("run rm minus r f", .refused(.running, understood: "run rm minus r f")),
    .init("why do the tests fail", .refused(.explaining, understood: "why do the tests fail")),
    .init("how does the cache work", .refused(.explaining, understood: "how does the cache work")),
    .init("purple elephants", .refused(.unknown, understood: "purple elephants")),
  ]

  @Test(arguments: files + text + history + acts + refusals)
  func aPhraseIsUnderstood(_ phrasing: Phrasing) { #expect(IntentParser.parse(phrasing.said) == phrasing.meant) }

  /// The sentences of the speech fixtures, as written and as the recogniser heard them.
  static let fixtures: [Phrasing] = {
    func refused(_ why: Refusal, _ said: String) -> Phrasing { .init(said, .refused(why, understood: said)) }
    return [
      .init("show me the diff for the last commit", .difference(.lastCommit)),
      refused(.explaining, "why is the build failing on the main branch"),
      refused(.changing, "move the validation code into its own module"),
      refused(.changing, "revert the last change and try a different approach"),
      .init(
        "find every place that calls the deprecated login method",
        .search(SearchQuery(words: ["deprecated", "login"], focus: .calls))),
      refused(.changing, "update the readme with the new install steps"),
      refused(.changing, "increase the timeout from five seconds to thirty seconds"),
      .init(
        "Increase the timeout from 5 seconds to 30 seconds.",
        .refused(.changing, understood: "Increase the timeout from 5 seconds to 30 seconds")),
      refused(.changing, "run the linter and fix any warnings"),
      .init("create a new branch called feature dark mode", .createBranch(name: "feature-dark-mode")),
      .init("which files did you change in the last step", .ownChanges),
      refused(.changing, "write a regular expression that matches an email address"),
      refused(.changing, "add logging to the database connection pool"),
      refused(.explaining, "is there a memory leak in the image cache"),
      .init("how long did the integration tests take", .testDuration),
      .init("can you summarize what this repository does", .describeRepository),
      .init("Can you summarize what this repository does?", .describeRepository),
      refused(.unknown, "Show me the discord the last minute"),
      .init(
        "Find every place that falls to the vicadas of Winnethu.",
        .search(SearchQuery(words: ["vicadas", "of", "winnethu"]))),
      .init("\"Create a new branch called \"\"Feature NART Mode\"\".\"", .createBranch(name: "feature-nart-mode")),
    ]
  }()

  @Test(arguments: fixtures)
  func aSentenceOfTheSpeechFixturesIsUnderstoodOrRefusedHonestly(_ phrasing: Phrasing) {
    #expect(IntentParser.parse(phrasing.said) == phrasing.meant)
  }

  /// Whatever a recogniser makes up, the parser answers, and never with an act.
  @Test func nonsenseNeverLeadsToAnAct() {
    let words = [
      "the", "dot", "slash", "read", "me", "no", "seven", "of", "login", "and", "then", "…", "—", "🙂", "C++", "is",
    ]
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let said = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
        words[Int.random(in: words.indices, using: &generator)]
      }
      for intent in IntentParser.parse(said.joined(separator: " ")) {
        switch intent {
        case .runTests, .writeNote, .createBranch: Issue.record("\(said) was taken for \(intent)")
        default: break
        }
      }
    }
  }
}
