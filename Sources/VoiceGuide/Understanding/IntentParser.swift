import VoiceLanguage

/// Turns what was said into what is meant, by the words alone: no clock, no file, no chance.
///
/// The rules are tried in order, and the first that recognises the words decides; what is dangerous to mistake
/// (a refusal to act, a change of code) comes first.
package enum IntentParser {
  /// One intent for each thing asked; "git status and then run the tests" asks two.
  package static func parse(_ text: String) -> [Intent] {
    let whole = intent(of: Utterance(text))
    // Free text may hold any word, and what was refused is refused whole: half a wish is not carried out.
    switch whole {
    case .writeNote, .nothing, .refused(.changing, _), .refused(.running, _): return [whole]
    default: break
    }
    for joint in [" and then ", " then ", " and "] {
      let parts = text.split(separator: joint, omittingEmptySubsequences: true).map(String.init)
      guard (2...3).contains(parts.count) else { continue }
      let intents = parts.map { intent(of: Utterance($0)) }
      if intents.allSatisfy(\.isComplete) { return intents }
    }
    return [whole]
  }

  private static let rules: [@Sendable (Utterance) -> Intent?] = [
    smallTalk, note, newBranch, change, tests, ownChanges, git, count, describe, search, files, help, question,
  ]

  private static func intent(of utterance: Utterance) -> Intent {
    for rule in rules { if let intent = rule(utterance) { return intent } }
    return .refused(.unknown, understood: utterance.said(from: 0))
  }

  // Small talk, and what must not be done.

  @Sendable private static func smallTalk(_ said: Utterance) -> Intent? {
    let words = said.words
    guard let first = words.first else { return .nothing }
    if ["don't", "dont", "never", "nevermind", "cancel", "stop", "forget", "abort", "no", "nope"].contains(first)
      || said.starts("do not", "leave it", "not now", "nothing")
    {
      return .nothing
    }
    if words.count <= 3, ["hello", "hi", "hey", "good morning"].contains(where: { said.starts($0) }) {
      return .greeting
    }
    if words.count <= 4, said.starts("thanks", "thank you", "great", "cool", "perfect", "nice", "bye", "goodbye") {
      return .thanks
    }
    return nil
  }

  @Sendable private static func help(_ said: Utterance) -> Intent? {
    let asks = said.has(
      "help", "what can you do", "what do you do", "what are you able", "who are you", "what are you", "your abilities",
      "how do i use you", "what can i say", "what can i ask", "what do you understand", "how can you help")
    return asks ? .help : nil
  }

  // Acts.

  @Sendable private static func note(_ said: Utterance) -> Intent? {
    if said.starts("remember that", "remember to", "note that", "note to self", "jot down") {
      return .writeNote(text: text(said.said(from: said.starts("note to self") ? 3 : 2)))
    }
    guard said.starts("write", "take", "make", "add", "leave", "create", "save", "put", "note", "append", "new"),
      let noun = said.index(of: "note", "notes"), noun <= 4
    else { return nil }
    // "add a note to the readme" asks for a change of another file.
    if said.starts(at: noun + 1, "to the readme", "in the readme") { return nil }
    var from = noun + 1
    for filler in [["to", "notes"], ["in", "the", "notes"], ["to", "the", "notes"], ["file"]]
    where said.words[from...].starts(with: filler) {
      from += filler.count
    }
    if said.starts(at: from, "saying that", "which says", "that says", "for myself") {
      from += 2
    } else if said.starts(at: from, "that", "saying", "to", "about", "says", "reading", "with", "down") {
      from += 1
    }
    return .writeNote(text: text(said.said(from: from)))
  }

  private static func text(_ said: String) -> String? { said.isEmpty ? nil : said }

  @Sendable private static func newBranch(_ said: Utterance) -> Intent? {
    guard let noun = said.index(of: "branch"),
      said.starts("create", "make", "start", "new", "open", "add", "begin", "git"),
      said.words[..<noun].contains(where: { ["create", "make", "start", "new", "add", "begin"].contains($0) })
    else { return nil }
    var rest = said.words[(noun + 1)...]
    while let first = rest.first,
      ["called", "named", "name", "for", "with", "the", "a", "cold", "call"].contains(first)
    {
      rest = rest.dropFirst()
    }
    let before = said.words[..<noun].filter {
      !["create", "make", "start", "new", "open", "add", "begin", "git", "a", "the", "another"].contains($0)
    }
    return .createBranch(name: branchName(rest.isEmpty ? before : Array(rest)))
  }

  /// A name that git takes: "feature dark mode" is "feature-dark-mode".
  static func branchName(_ words: [String]) -> String? {
    var name = ""
    for character in words.joined(separator: "-").lowercased() {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain || "._/".contains(character) { name.append(character) } else if name.last != "-" { name.append("-") }
    }
    while let first = name.first, "-./".contains(first) { name.removeFirst() }
    while let last = name.last, "-./".contains(last) { name.removeLast() }
    return name.isEmpty || name.contains("..") || name.contains("//") ? nil : String(name.prefix(100))
  }

  private static let changing: Set<String> = [
    "move", "revert", "undo", "update", "increase", "decrease", "raise", "lower", "remove", "delete", "fix", "refactor",
    "rename", "implement", "change", "rewrite", "generate", "replace", "extract", "install", "upgrade", "convert",
    "merge",
    "commit", "push", "pull", "deploy", "optimize", "improve", "correct", "edit", "modify", "insert", "clean", "format",
    "rebase", "reset", "checkout", "stash", "drop", "split", "port", "migrate", "bump", "downgrade", "disable",
    "enable",
    "build", "design", "apply", "reverse", "erase", "clear", "set", "turn", "discard", "wipe",
  ]
  /// These change something only with the right object: "add logging", but not "make test" or "write a note".
  private static let making: Set<String> = ["add", "make", "write", "create", "put", "use", "start", "append"]

  @Sendable private static func change(_ said: Utterance) -> Intent? {
    guard let first = said.words.first else { return nil }
    let understood = said.said(from: 0)
    if first == "switch" || first == "check", said.has("branch"), said.has("to", "check out") {
      return .refused(.changing, understood: understood)
    }
    if first == "commit" || first == "set", said.words.count == 1 { return .refused(.changing, understood: understood) }
    if changing.contains(first) {
      // A noun that sounds like a verb: "commit history", "build status".
      if said.starts("commit history", "commit log", "commit messages", "change log", "commit list") { return nil }
      return .refused(.changing, understood: understood)
    }
    if making.contains(first), !said.starts("make test", "make sure the tests", "start the test", "start test") {
      return .refused(.changing, understood: understood)
    }
    // "run the linter and fix any warnings": the change decides, so that nothing is half done.
    for index in said.words.indices.dropLast() where ["and", "then"].contains(said.words[index]) {
      let next = said.words[index + 1]
      if changing.contains(next) || (next == "try" && said.has("different", "again")) {
        if !said.starts("search", "grep", "find", "look") { return .refused(.changing, understood: understood) }
      }
    }
    return nil
  }

  @Sendable private static func tests(_ said: Utterance) -> Intent? {
    let named = said.has("test", "tests", "testing", "pytest", "specs", "unittests", "suite")
    guard named else {
      if said.starts("run", "execute", "launch") {
        return .refused(.running, understood: said.said(from: 0))
      }
      return nil
    }
    if said.has("how long", "how much time", "how fast", "duration") { return .testDuration }
    if said.starts(
      "run", "execute", "launch", "start", "do", "does", "are", "is", "make", "swift", "test", "check", "rerun",
      "see if", "pytest", "cargo", "npm", "did", "will", "repeat", "perform", "tests")
      || said.has("run the test", "run tests", "run all", "run test")
    {
      // "are there tests for login" is a question about files.
      if said.starts("is there", "are there", "do we have", "do you have", "does it have", "do i have") { return nil }
      // "why do the tests fail", "does the test cover this" ask for an explanation.
      if said.starts("do", "does", "did", "are", "is", "will"),
        !said.has(
          "pass", "passing", "green", "work", "working", "fail",
          "failing", "succeed", "ok", "okay", "run")
      {
        return nil
      }
      return .runTests
    }
    return nil
  }

  @Sendable private static func ownChanges(_ said: Utterance) -> Intent? {
    guard said.has("you"),
      said.has(
        "change", "changed", "touch", "touched", "edit", "edited", "modify", "modified", "do",
        "done", "did", "write", "written", "create", "created")
    else { return nil }
    let asks = said.has(
      "did you change", "did you edit", "did you touch", "did you modify", "have you changed",
      "have you done", "have you edited", "you changed", "you did", "did you do", "you have done", "you have changed",
      "did you write", "did you create", "have you modified", "you modified", "you edited")
    return asks ? .ownChanges : nil
  }

  // What git knows.

  @Sendable private static func git(_ said: Utterance) -> Intent? {
    if said.starts("why", "how do", "how does", "explain", "search", "grep", "look for", "find every", "find all") {
      return nil
    }
    let lastCommit = asksLastCommit(said)
    if said.has("diff", "difference", "differences") {
      return .difference(lastCommit || said.has("commit") ? .lastCommit : .workingTree)
    }
    if said.words.last == "changes", said.words.count <= 4, said.starts("show", "what are", "tell me", "read") {
      return .difference(.workingTree)
    }
    if said.has("uncommitted", "unstaged", "not committed", "my changes", "local changes", "working tree changes") {
      return said.has("show", "what") && said.has("changes") && !said.has("are there", "any", "do i have")
        ? .difference(.workingTree) : .status
    }
    if lastCommit, said.has("change", "changed", "changes", "files", "touched", "show", "in"), !said.has("when", "who")
    {
      if said.has("what changed in", "changes in", "changed in", "files", "touched", "lines", "change in") {
        return .difference(.lastCommit)
      }
    }
    if said.has(
      "git status", "status", "modified files", "changed files", "files changed", "files have changed", "dirty",
      "anything to commit", "nothing to commit", "is everything committed", "what have i changed", "did i change",
      "which files changed", "what files changed", "i have changed", "is it clean", "is the tree clean",
      "state of the repository", "tree clean", "repository clean")
    {
      return .status
    }
    if said.has("branches") { return .branches }
    if said.has("branch"),
      said.starts(
        "which", "what", "what's", "tell", "show", "current", "branch", "git", "name", "the", "am i",
        "are we", "on", "where")
    {
      return .currentBranch
    }
    let asksHistory = said.has(
      "git log", "log", "history", "commits", "last commit", "latest commit", "what changed", "what has changed",
      "what's changed", "what happened", "recent changes", "recent commits", "latest changes", "last change",
      "changes lately",
      "most recent commit", "newest commit", "previous commit", "what's new", "recent commit", "changed recently",
      "commit history",
      "who committed", "commit messages", "recent work", "last comment")
    guard asksHistory, !said.has("login", "log in", "logging") || said.has("commit", "commits", "git") else {
      return nil
    }
    if said.starts("where", "which file", "read", "find", "list files") { return nil }
    for index in said.words.indices {
      if let number = NumberWords.parse(said.words[index...]), (1...50).contains(number.value),
        said.starts(at: index + number.words, "commits", "commit", "changes", "entries", "last", "things", "log", "")
      {
        return .history(commits: number.value)
      }
    }
    let isOne = lastCommit && !said.has("commits", "changes")
    return .history(commits: isOne ? 1 : 3)
  }

  /// "last comment" is what is often heard.
  private static func asksLastCommit(_ said: Utterance) -> Bool {
    said.has(
      "last commit", "latest commit", "last change", "latest change", "previous commit", "most recent commit",
      "last comment", "newest commit", "head commit", "recent commit")
  }

  // Questions that need understanding.

  @Sendable private static func question(_ said: Utterance) -> Intent? {
    let asks = said.starts(
      "why", "how", "is", "are", "does", "do", "explain", "what", "what's", "who", "when", "which", "should", "can",
      "could", "would",
      "summarize", "describe", "review", "analyze", "debug", "investigate", "check", "where", "tell me why",
      "tell me how", "compare",
      "suggest", "think", "has", "was", "find out", "find the bug", "find bugs", "find a bug")
    return asks ? .refused(.explaining, understood: said.said(from: 0)) : nil
  }
}

extension Intent {
  /// Whether it says everything that is needed to act: parts of a sentence are taken apart only if each does.
  fileprivate var isComplete: Bool {
    switch self {
    case .refused, .nothing, .writeNote, .createBranch(nil), .greeting, .thanks: false
    default: true
    }
  }
}
