import VoiceLanguage
import VoiceSystem
import VoiceVocabulary

// What the guide says about the repository's past and present, as git tells it.

extension GuideTurn {
  /// Tell what is not committed.
  func status() async throws {
    let output = try await withTool("read", "Git status") { report in
      let output = try await git.answer(
        "status", "--porcelain=v1", "-z", "--branch", "--no-renames", "--untracked-files=all",
        "--ignore-submodules=dirty", "--", ".")
      report.text = output.replacing("\0", with: "\n")
      return output
    }
    let entries = output.split(separator: "\0").map(String.init)
    let changes = entries.filter { !$0.hasPrefix("##") }
    let branch = Speakable.line(try await git.answer("branch", "--show-current"))
    if !branch.isEmpty { say("You are on the branch \(branch).") }
    if changes.isEmpty {
      say("Everything is committed.")
      return
    }
    let new = changes.filter { $0.hasPrefix("??") }
    let deleted = changes.filter { !$0.hasPrefix("??") && $0.prefix(2).contains("D") }
    let changed = changes.filter { !$0.hasPrefix("??") && !$0.prefix(2).contains("D") }
    for (kind, list) in [("changed", changed), ("deleted", deleted), ("new and not added yet", new)] where !list.isEmpty
    {
      let names = list.map { fileName(String($0.dropFirst(3))) }
      let files = Counted(list.count, "file")
      say("\(files.spoken.capitalised) \(files.verb("is", "are")) \(kind): \(Speakable.list(names)).")
    }
  }

  /// Tell the latest commits.
  func history(_ commits: Int) async throws {
    let found = try await withTool("read", "Git log, \(Counted(commits, "commit").digits)") {
      report in
      let found = try await self.commits(commits)
      report.text = found.map { "\($0.hash) \($0.subject) (\($0.author), \($0.age))" }.joined(separator: "\n")
      return found
    }
    guard let last = found.first else { return say("There are no commits yet.") }
    if found.count == 1 {
      say("The last commit is: \(last.subject), by \(last.author), \(last.age).")
      return
    }
    say("The last \(found.count) commits are:")
    for commit in found { say("\(commit.subject.capitalised), \(commit.age).") }
  }

  /// Tell what the last commit or the working tree changes.
  func difference(_ scope: DifferenceScope) async throws {
    guard let last = try await commits(1).first else { return say("There are no commits yet.") }
    let format = [
      "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--relative",
    ]
    let title = scope == .lastCommit ? "Diff of the last commit" : "Diff of what is not committed"
    let changes = try await withTool("read", title) { report in
      let words = scope == .lastCommit ? ["show", "--format=", "--first-parent", "-m"] : ["diff"]
      let changes = FileChange.parse(try await git.output(of: words + format + ["HEAD", "--", "."]))
      report.locations = changes.map { .init(path: $0.path, line: nil) }
      report.text = changes.map(\.line).joined(separator: "\n")
      return changes
    }
    let total =
      "\(Speakable.count(changes.map(\.added).reduce(0, +), "line")) added and "
      + "\(Speakable.count(changes.map(\.removed).reduce(0, +), "line")) removed"
    switch (scope, changes.isEmpty) {
    case (.lastCommit, true): say("The last commit, \(last.subject), changed nothing in this folder.")
    case (.lastCommit, false):
      say("The last commit, \(last.subject), changed \(Speakable.count(changes.count, "file")), with \(total).")
    case (.workingTree, true): say("No tracked file differs from the last commit.")
    case (.workingTree, false):
      let files = Counted(changes.count, "file")
      say("\(files.spoken.capitalised) \(files.verb("differs", "differ")) from the last commit, with \(total).")
    }
    // Of one file the total has said everything but the name.
    if changes.count == 1 { say("The file is \(spokenPath(changes[0].path)).") }
    if changes.count > 1 {
      for change in changes.prefix(GuideLimits.spokenItems) { say("\(fileName(change.path)): \(change.spoken).") }
    }
    if changes.count > GuideLimits.spokenItems {
      say("And \(Speakable.count(changes.count - GuideLimits.spokenItems, "more file", "more files")).")
    }
  }

  /// Tell the branch that is checked out.
  func currentBranch() async throws {
    let output = try await withTool("read", "Git branch") { _ in try await git.answer("branch", "--show-current") }
    let name = Speakable.line(output)
    say(name.isEmpty ? "No branch is checked out." : "You are on the branch \(name).")
  }

  /// Tell all branches.
  func branches() async throws {
    let output = try await withTool("read", "Git branches") { _ in
      try await git.answer("for-each-ref", "--format=%(refname:short)", "--sort=-committerdate", "refs/heads")
    }
    let names = output.lines.filter { !$0.isEmpty }.map { Speakable.line($0) }
    if names.isEmpty { return say("There are no branches yet.") }
    say("\(Counted.there([Counted(names.count, "branch", "branches")])): \(Speakable.list(names)).")
  }

  /// Tell what this session has changed.
  func ownChanges() async throws {
    let changes = session.memory.withLock { $0.changes }
    if changes.isEmpty {
      say("I changed no files in this session.")
    } else {
      for change in changes.suffix(GuideLimits.spokenItems) { say("I \(change).") }
    }
    if try await git.isRepository(), try await git.has("HEAD") { try await difference(.lastCommit) }
  }

  // Shared.

  private struct Commit: Sendable {
    var hash: String
    var author: String
    var age: String
    var subject: String
  }

  /// The newest commits; none before the first.
  private func commits(_ count: Int) async throws -> [Commit] {
    guard try await git.has("HEAD") else { return [] }
    let output = try await git.answer("log", "-n", "\(count)", "--format=%h%x1f%an%x1f%ar%x1f%s%x1e")
    return output.split(separator: "\u{1e}").compactMap { record -> Commit? in
      let fields = record.split(separator: "\u{1f}", omittingEmptySubsequences: false).map {
        Speakable.line($0, limit: 120)
      }
      return fields.count == 4 ? Commit(hash: fields[0], author: fields[1], age: fields[2], subject: fields[3]) : nil
    }
  }

  /// Why git does not answer.
  func sentence(_ failure: Git.Failure) -> String {
    switch failure {
    case .notStarted: "I could not start git. Is it installed?"
    case .tookTooLong:
      "Git took longer than \(Counted(GuideLimits.questionSeconds, "second").spoken), so I stopped it."
    case .unreadableSettings: "Git cannot read the settings of this repository, or there are too many of them."
    case .noRepository: "The folder \(folder.name) is not in a git repository."
    case .refused(let words): "Git does not answer. It says: \(Speakable.line(words).asSentence)"
    }
  }
}

/// How much one file changed, from `git --numstat -z`.
struct FileChange: Equatable, Sendable {
  var path: String
  var added: Int
  var removed: Int
  var isBinary: Bool

  /// Records end in a zero byte: "added, tab, removed, tab, path", with "-" for both counts of a binary file.
  static func parse(_ output: [UInt8]) -> [FileChange] {
    output.split(separator: 0).compactMap { record in
      let text = String(decoding: record.drop { $0 == 0x0A }, as: UTF8.self)
      let fields = text.split(separator: "\t", maxSplits: 2).map(String.init)
      guard fields.count == 3 else { return nil }
      return FileChange(
        path: fields[2], added: Int(fields[0]) ?? 0, removed: Int(fields[1]) ?? 0, isBinary: fields[0] == "-")
    }
  }

  /// For the screen.
  var line: String { isBinary ? "binary  \(path)" : "+\(added) -\(removed)  \(path)" }

  /// "3 lines added, one removed".
  var spoken: String {
    if isBinary { return "not text" }
    if removed == 0 { return "\(Speakable.count(added, "line")) added" }
    if added == 0 { return "\(Speakable.count(removed, "line")) removed" }
    return "\(Speakable.count(added, "line")) added, \(Counted(removed, "line").alone) removed"
  }
}
