/// Git, which only looks with some of its commands, and not with all of their options.
extension HarmlessCommands {
  /// Throws why a call of git is not known to be harmless; `words` is what follows `git`.
  func judgeGit(_ words: [Word]) throws(ValidationError) {
    // Settings (`-c`), other folders (`-C`, `--git-dir`) and the like may name programs that are run.
    let rest = words.drop { ["--no-pager", "-P"].contains($0.text) }
    guard let command = rest.first, !command.isPattern else { throw ValidationError("“git” needs a command") }
    let arguments = Array(rest.dropFirst())
    let texts = arguments.map(\.text)
    let refusal = ValidationError(
      "“git \(([command.text] + texts).joined(separator: " "))” is not known to be harmless")
    switch command.text {
    case "status", "log", "diff", "show", "blame", "shortlog", "describe", "rev-parse", "rev-list", "ls-files",
      "ls-tree", "merge-base", "name-rev", "count-objects", "check-ignore", "show-ref", "for-each-ref", "whatchanged",
      "range-diff", "diff-tree", "show-branch", "cherry", "version":
      break
    case "grep": return try judgeGitGrep(arguments)
    case "branch":
      // With one of these, a name is looked for, and not made.
      let looks = ["--list", "--merged", "--no-merged", "--contains"].contains(texts.first)
      guard texts.allSatisfy({ Self.listsBranches($0) || (looks && !$0.hasPrefix("-")) }) else { throw refusal }
    case "tag":
      guard texts.isEmpty || ["-l", "--list", "-n"].contains(texts[0]),
        texts.dropFirst().allSatisfy({ !$0.hasPrefix("-") })
      else { throw refusal }
    case "remote":
      // Its address may hold a token.
      guard texts.isEmpty else { throw refusal }
    case "stash": guard ["list", "show"].contains(texts.first) else { throw refusal }
    case "worktree": guard texts == ["list"] else { throw refusal }
    case "reflog": guard texts.isEmpty || texts[0] == "show" || Self.isCount(texts[0]) else { throw refusal }
    case "cat-file": guard texts.count == 2, ["-p", "-t", "-s", "-e"].contains(texts[0]) else { throw refusal }
    default: throw refusal
    }
    try checkGit(arguments, command.text)
  }

  private func judgeGitGrep(_ words: [Word]) throws(ValidationError) {
    try checkOptions(words, "grep")
    let rule = HarmlessRule(operands: .pattern(unless: "ef", or: ["--regexp"]), takesPatterns: true)
    try rule.judge(words, "git grep", paths)
    for word in words { try Self.checkPathspec(word.text) }
  }

  /// Signs before a name may hide it.
  private static func checkPathspec(_ word: String) throws(ValidationError) {
    if word.hasPrefix(":(") { throw ValidationError("it may read a secret") }
  }

  private func checkGit(_ words: [Word], _ command: String) throws(ValidationError) {
    try checkOptions(words, command)
    for word in words {
      let namesFiles = !Self.naming.contains(command) && !word.text.hasPrefix("-")
      try HarmlessRule.checkPath(word, paths, takesPatterns: namesFiles)
      try Self.checkPathspec(word.text)
      // Signatures are looked at by another program.
      if word.text.contains("%G") || word.text.contains("signature") {
        throw ValidationError("“git \(command) \(word.text)” is not known to be harmless")
      }
    }
  }

  /// What writes a file or runs a program: options of the commands that are let through. Their names may be abbreviated.
  private func checkOptions(_ words: [Word], _ command: String) throws(ValidationError) {
    // Dashes may be the value of an option; no file that is named behind them begins with one.
    if let dashes = words.firstIndex(where: { $0.text == "--" }),
      words[dashes...].dropFirst().contains(where: { $0.text.hasPrefix("-") })
    {
      throw ValidationError("an option may stand behind “--”")
    }
    let options = words.prefix { $0.text != "--" }
    for word in options where word.isPattern && "-*?[".contains(word.text.first ?? "-") {
      throw ValidationError("a file's name may act as an option")
    }
    for word in options where word.text.hasPrefix("-") {
      let name = word.text.prefix { $0 != "=" }
      let isBad =
        word.text.hasPrefix("--")
        ? name.count > 2 && Self.acting.contains { $0.hasPrefix(name) } : word.text.contains("O")
      if isBad { throw ValidationError("“git \(command) \(name)” is not known to be harmless") }
    }
  }

  /// Those that show names alone.
  private static let naming = ["branch", "for-each-ref", "ls-files", "ls-tree", "show-ref", "tag"]

  private static let acting = [
    "--output", "--ext-diff", "--textconv", "--filters", "--open-files-in-pager", "--ext-grep", "--exec",
    "--upload-pack", "--edit-description", "--parseopt", "--sq-quote", "--gpg-sign", "--show-signature",
    "--exec-path", "--no-index", "--stdin", "--no-exclude-standard",
  ]

  private static func listsBranches(_ word: String) -> Bool {
    if word.hasPrefix("--sort=") || word.hasPrefix("--format=") { return true }
    return [
      "-a", "-r", "-v", "-vv", "-av", "-avv", "-rv", "--all", "--list", "--remotes", "--show-current", "--verbose",
      "--merged", "--no-merged", "--contains", "--no-color", "--column",
    ].contains(word)
  }

  private static func isCount(_ word: String) -> Bool {
    word.hasPrefix("-") && word.count > 1 && word.dropFirst().allSatisfy { ("0"..."9").contains($0) }
  }
}
