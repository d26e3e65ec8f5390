import Testing
import VoiceJSON

@testable import VoiceGuide

/// A repository whose own settings name a program wherever git would run one. Each program leaves its name behind.
private struct Traps {
  let folder: Scratch

  init() async throws {
    folder = try await Scratch.repository()
    try await folder.run("git", "init", "-q", "inner")
    try folder.write("inner/file", "one\n")
    try await folder.run("git", "-C", "inner", "add", "file")
    try await folder.run("git", "-C", "inner", "commit", "-q", "-m", "inner")
    try await folder.run("git", "add", "inner")
    try await folder.run("git", "commit", "-q", "-m", "Keep a repository within")
    // What is asked about has changed, so that git looks at its content.
    try folder.write("Sources/App/main.swift", "// Starts the shop anew.\n")
    try folder.write("inner/file", "two\n")
    try await set()
  }

  /// The path of a program that leaves this name behind, and then goes on so.
  private func trap(_ name: String, then next: String = "") throws -> String {
    try folder.write(
      ".git/traps/\(name)", "#!/bin/sh\ntouch '\(folder.path)/.git/sprung-\(name)'\n\(next)\n", executable: true)
  }

  private func set() async throws {
    try folder.write(".git/info/attributes", "*.swift filter=evil diff=evil\n*.md filter=a=b\n")
    for name in ["clean", "smudge"] {
      try configure("filter.evil.\(name)", try trap("filter-\(name)"))
      try configure("filter.a=b.\(name)", try trap("odd-\(name)"))
    }
    // A filter that is spoken to, and can do nothing: git itself dies of one that does not answer its greeting.
    let process = try trap(
      "included-process", then: #"printf '0016git-filter-server\n000eversion=2\n00000000'; exec cat >/dev/null"#)
    try folder.write(".git/more", "[filter \"evil\"]\n  process = \(process)\n")
    try configure("include.path", "more")
    for (name, key) in [
      ("monitor", "core.fsmonitor"), ("pager", "core.pager"), ("log-pager", "pager.log"), ("external", "diff.external"),
      ("textconv", "diff.evil.textconv"), ("command", "diff.evil.command"), ("gpg", "gpg.program"),
      ("ssh-sign", "gpg.ssh.program"), ("ssh", "core.sshCommand"), ("editor", "core.editor"),
      ("askpass", "core.askPass"), ("credential", "credential.helper"), ("alternates", "core.alternateRefsCommand"),
    ] { try configure(key, try trap(name)) }
    try configure("alias.status", "!" + (try trap("alias")))
    try configure("log.showSignature", "true")
    for hook in ["post-checkout", "post-index-change", "reference-transaction"] {
      try folder.write(".git/own-hooks/\(hook)", try hookText(hook), executable: true)
    }
    try configure("core.hooksPath", folder.path + "/.git/own-hooks")
    // The repository within has a trap of its own.
    #expect(try await folder.run("git", "-C", "inner", "config", "core.fsmonitor", try trap("inner-monitor")))
    // A clone that lacks an object asks for it.
    try configure("remote.origin.url", "ext::" + (try trap("transport")))
    try configure("remote.origin.promisor", "true")
    try configure("extensions.partialClone", "origin")
    try configure("protocol.ext.allow", "always")
    try configure("core.repositoryFormatVersion", "1")
    let blob = try await ToolProcess(
      words: ["git", "-c", "core.fsmonitor=false", "rev-parse", "HEAD:Sources/App/main.swift"], folder: folder.path
    ).run().text.trimmingPrefix("\n").prefix(40)
    #expect(try await folder.run("rm", "-f", ".git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"))
  }

  private func hookText(_ name: String) throws -> String { "#!/bin/sh\nexec \(try trap("hook-\(name)")) </dev/null\n" }

  /// A setting, as git writes it.
  private func configure(_ key: String, _ value: String) throws {
    let parts = key.split(separator: ".")
    let name = parts.dropFirst().dropLast().joined(separator: ".")
    let section = name.isEmpty ? "[\(parts[0])]" : "[\(parts[0]) \"\(name)\"]"
    try folder.write(
      ".git/config", try folder.read(".git/config") + "\(section)\n  \(parts[parts.count - 1]) = \"\(value)\"\n")
  }

  /// The programs that ran.
  var sprung: [String] {
    WorkingFolder(path: folder.path)?.names(in: ".git").filter { $0.hasPrefix("sprung-") } ?? ["the folder is gone"]
  }
}

/// Without the traps being real, that none is sprung would say nothing.
@Test(.timeLimit(.minutes(5))) func plainGitRunsWhatARepositoryNames() async throws {
  let traps = try await Traps()
  for words in [["status"], ["diff", "HEAD"], ["switch", "--create", "y"], ["show", "HEAD~1"]] {
    _ = try await ToolProcess(words: ["git"] + words, folder: traps.folder.path).run()
  }
  for name in [
    "monitor", "included-process", "hook-post-checkout", "hook-reference-transaction", "inner-monitor",
    "transport",
  ] { #expect(traps.sprung.contains("sprung-\(name)"), "\(traps.sprung)") }
}

@Test(.timeLimit(.minutes(5))) func nothingThatARepositoryNamesRuns() async throws {
  let traps = try await Traps()
  for text in [
    "git status", "show me the diff for the last commit", "show me the diff", "list the files", "what changed",
    "what was the last commit", "which branch am I on", "list the branches", "which files did you change",
    "search for visitor", "read login dot swift", "can you summarize what this repository does",
  ] {
    let turn = try await GuideHarness.ask(text, in: traps.folder)
    #expect(!turn.said.isEmpty)
    #expect(traps.sprung == [], "\(text)")
  }
  let turn = try await GuideHarness.ask("create a branch called x", in: traps.folder, permission: "allow_once")
  #expect(turn.said.contains("I created the branch x"), "\(turn.said)")
  #expect(traps.sprung == [])
}

@Test func theUsersOwnFiltersHoldAndTheRepositorysAreEmptied() {
  let listed = [
    "global\0filter.lfs.process\ngit-lfs filter-process\0", "local\0filter.a=b.clean\nevil\0",
    "local\0filter.a=b.required\ntrue\0", "worktree\0filter.x.y.smudge\nfilter.z.clean\0",
    "local\0filter.bare.process\0", "local\0user.name\nfilter.evil.clean\0",
  ].joined()
  let emptied = Git.emptied(Array(listed.utf8)).map { "\($0.key)=\($0.value)" }
  #expect(
    emptied == ["filter.a=b.clean=", "filter.a=b.required=false", "filter.x.y.smudge=", "filter.bare.process="])
}
