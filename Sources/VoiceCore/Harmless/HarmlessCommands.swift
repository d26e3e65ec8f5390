import VoiceVocabulary

/// Which commands only look: what is not in these tables is not harmless, and neither is an option that is not.
///
/// Running the project's own code – its tests, its build – is not harmless by itself: the agent may have written it a minute
/// ago. A user who trusts it names it in `interaction.voiceCommands`.
struct HarmlessCommands: Equatable, Sendable {
  /// A word of a command line.
  typealias Word = PlainCommandLine.Word
  /// Why a command line is not known to be harmless.
  typealias ValidationError = PlainCommandLine.ValidationError

  let paths: FolderPath
  /// What the user named besides, as command lines; a last word `*` stands for any plain words, none of them an
  /// option.
  let named: [String]

  /// Why a line is not known to be harmless; nil if it is.
  ///
  /// - Parameter isElsewhere: whether it is run in another folder than the working folder.
  func refusal(of line: String, isElsewhere: Bool = false) -> String? {
    do throws(ValidationError) {
      var commands = try PlainCommandLine(line).commands
      // An agent runs what it runs in a shell of its own, one deep.
      if let inner = Self.innerLine(commands) { commands = try PlainCommandLine(inner).commands }
      // Another folder may be a repository whose settings name programs.
      let names = commands.map { Self.name($0[0].text) }
      let moves = commands.contains { Self.name($0[0].text) == "cd" && ![".", paths.folder].contains($0.last?.text) }
      if names.contains("git"), moves || isElsewhere { throw ValidationError("git would work in another folder") }
      for command in commands { try judge(command) }
      return nil
    } catch {
      return error.reason
    }
  }

  /// The line that a shell is given: `bash -lc 'git status'`.
  private static func innerLine(_ commands: [[Word]]) -> String? {
    guard commands.count == 1, commands[0].count == 3, !commands[0].contains(where: \.isPattern) else { return nil }
    let words = commands[0].map(\.text)
    let isShell = ["sh", "bash", "zsh"].contains(name(words[0]))
    return isShell && ["-c", "-lc"].contains(words[1]) ? words[2] : nil
  }

  /// A program by its own name or by its place in the system.
  private static func name(_ word: String) -> String {
    for folder in ["/bin/", "/usr/bin/"] where word.hasPrefix(folder) { return String(word.dropFirst(folder.count)) }
    return word
  }

  private func judge(_ command: [Word]) throws(ValidationError) {
    if isNamed(command) { return }
    let program = Self.name(command[0].text)
    let words = Array(command.dropFirst())
    guard !command[0].isPattern else { throw ValidationError("its program is a pattern") }
    if words.count == 1, Self.versioned.contains(program), ["--version", "-version", "-V"].contains(words[0].text) {
      return
    }
    switch program {
    case "git": return try judgeGit(words)
    case "find": return try judgeFind(words)
    case "sed": return try judgeSed(words)
    case "cd": return try judgeChange(words)
    case "date":
      guard words.allSatisfy({ $0.text.hasPrefix("+") || $0.text == "-u" }) else { throw unknown("date", words) }
    case "command":
      guard words.count == 2, words[0].text == "-v" else { throw unknown("command", words) }
    case "jq":
      // What a filter can reach besides its files: the environment, and files of its own.
      for word in words where ["env", "import", "include"].contains(where: { word.text.lowercased().contains($0) }) {
        throw unknown("jq", words)
      }
      try Self.filter.judge(words, "jq", paths)
    default:
      guard let rule = Self.rules[program] else { throw ValidationError("“\(program)” is not known to be harmless") }
      try rule.judge(words, program, paths)
    }
  }

  private func unknown(_ program: String, _ words: [Word]) -> ValidationError {
    ValidationError("“\(([program] + words.map(\.text)).joined(separator: " "))” is not known to be harmless")
  }

  // MARK: What the user named

  private func isNamed(_ command: [Word]) -> Bool {
    guard !command.contains(where: \.isPattern) else { return false }
    let words = command.map(\.text)
    return named.contains { line in
      var wanted = line.split(separator: " ").map(String.init)
      guard wanted.last == "*" else { return !wanted.isEmpty && wanted == words }
      wanted.removeLast()
      guard !wanted.isEmpty, words.starts(with: wanted) else { return false }
      return words.dropFirst(wanted.count).allSatisfy { Self.isPlain($0) && paths.holds(everyPathIn: $0) }
    }
  }

  /// Whether a word is no option, sets nothing (`SHELL=./evil`), names no file of arguments (`@args`), and is all letters, digits and
  /// the signs of a path.
  private static func isPlain(_ word: String) -> Bool {
    let isPart = { (byte: UInt8) in byte.isASCIILetterOrDigit || "._/:,@-".utf8.contains(byte) }
    guard let first = word.utf8.first, !"-@:,".utf8.contains(first) else { return false }
    return word.utf8.allSatisfy(isPart)
  }

  // MARK: Programs with rules of their own

  private func judgeChange(_ words: [Word]) throws(ValidationError) {
    guard words.count == 1, let folder = words.first, !folder.isPattern, !folder.text.hasPrefix("-"),
      paths.holds(everyPathIn: folder.text), !paths.isSecret(folder.text)
    else { throw ValidationError("it leaves the working folder, or goes where secrets are") }
  }

  /// Only lines by their numbers are printed: `sed -n '1,80p' file`.
  private func judgeSed(_ words: [Word]) throws(ValidationError) {
    guard words.count >= 2, words[0].text == "-n", Self.isPrint(words[1].text) else { throw unknown("sed", words) }
    for word in words.dropFirst(2) {
      if word.text.hasPrefix("-") || word.isPattern { throw unknown("sed", words) }
      try HarmlessRule.checkPath(word, paths)
    }
  }

  private static func isPrint(_ script: String) -> Bool {
    guard script.hasSuffix("p") else { return false }
    let ends = script.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    return (1...2).contains(ends.count)
      && ends.allSatisfy { $0 == "$" || (!$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) }) }
  }

  private func judgeFind(_ words: [Word]) throws(ValidationError) {
    for word in words {
      if word.isPattern, "-*?[".contains(word.text.first ?? "-") {
        throw ValidationError("a file's name may act as an option")
      }
      if word.text.hasPrefix("-"), !Self.findTests.contains(word.text) {
        throw ValidationError("“find \(word.text)” is not known to be harmless")
      }
      try HarmlessRule.checkPath(word, paths)
    }
  }

  private static let findTests: Set<String> = [
    "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-regextype", "-type", "-maxdepth",
    "-mindepth", "-size", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-newer", "-not", "-a", "-o",
    "-and", "-or", "-print", "-print0", "-prune", "-empty", "-user", "-group", "-perm", "-depth", "-xdev", "-mount",
    "-links", "-ls", "-quit", "-true", "-false", "-H", "-P", "-E",
  ]

  /// Programs that say which version they are, and do nothing else. Those of Rust, and yarn, first run what the project names.
  private static let versioned: Set<String> = [
    "bash", "clang", "cmake", "docker", "gcc", "git", "java", "make", "node", "npm", "pip", "pip3", "python", "python3",
    "ruby", "swift", "swiftc",
  ]

  // MARK: Programs that only read

  private static let filter = HarmlessRule(
    short: "acejMnrsS", long: ["compact-output", "raw-output", "slurp", "sort-keys"],
    operands: .pattern(unless: "", or: []))

  private static let rules: [String: HarmlessRule] = {
    var rules: [String: HarmlessRule] = [:]
    for program in [
      "ls", "cat", "head", "tail", "nl", "tac", "rev", "cut", "comm", "cmp", "basename", "dirname", "stat", "df",
      "realpath", "readlink", "od", "fold",
      "fmt", "expand", "paste", "join", "column", "pwd", "true", "false", "which", "type", "uname",
      "whoami", "id", "groups", "seq", "nproc", "uptime", "tsort",
    ] {
      rules[program] = HarmlessRule()
    }
    // Not with a list of names to read, or of sums to compare.
    rules["wc"] = HarmlessRule(short: "clmwL", long: ["bytes", "chars", "lines", "max-line-length", "words"])
    rules["du"] = HarmlessRule(
      short: "abcDhHkLlmPsSx0", valued: "dt",
      long: ["all", "apparent-size", "human-readable", "max-depth", "summarize"])
    for program in ["cksum", "md5sum", "sha1sum", "sha256sum", "sha512sum"] {
      rules[program] = HarmlessRule(short: "bt")
    }
    rules["shasum"] = HarmlessRule(short: "bt", valued: "a")
    for program in ["grep", "egrep", "fgrep"] {
      rules[program] = HarmlessRule(operands: .pattern(unless: "ef", or: ["--regexp", "--file"]))
    }
    for program in ["echo", "tr"] { rules[program] = HarmlessRule(operands: .text) }
    // No more: `test -v` names a variable, and in its subscript a shell runs commands. So does `printf`, in zsh for `%d` as well.
    rules["test"] = HarmlessRule(short: "defrswx")
    rules["file"] = HarmlessRule(short: "bihk", long: ["brief", "mime", "mime-type"])
    rules["diff"] = HarmlessRule(
      short: "abBcdeEiInNpqrstTuwyZ", valued: "UC",
      long: ["brief", "color", "ignore-all-space", "ignore-case", "recursive", "side-by-side", "unified"])
    rules["sort"] = HarmlessRule(
      short: "bcCdfghiMnrRsuVz", valued: "kt",
      long: [
        "check", "field-separator", "human-numeric-sort", "ignore-case", "key", "numeric-sort", "reverse", "stable",
        "unique", "version-sort",
      ])
    rules["uniq"] = HarmlessRule(
      short: "cdDiuz", long: ["count", "ignore-case", "repeated", "unique"], operands: .paths(atMost: 1))
    rules["tree"] = HarmlessRule(
      short: "adfFilpsuhDCq", valued: "LPI", long: ["dirsfirst", "gitignore", "noreport", "prune"])
    rules["rg"] = HarmlessRule(
      short: "FHIilNnPSsUvwxcoapu0.", valued: "ABCegtTmMdrj",
      long: [
        "after-context", "before-context", "color", "column", "context", "count", "count-matches", "files",
        "files-with-matches", "files-without-match", "fixed-strings", "glob", "heading", "hidden", "iglob",
        "ignore-case", "invert-match", "json", "line-number", "max-count", "max-depth", "multiline", "no-filename",
        "no-heading", "no-ignore", "no-line-number", "no-messages", "null", "only-matching", "passthru", "pcre2",
        "regexp", "replace", "smart-case", "sort", "stats", "trim", "type", "type-list", "type-not", "vimgrep",
        "with-filename", "word-regexp",
      ], operands: .pattern(unless: "e", or: ["--regexp", "--files", "--type-list"]))
    rules["fd"] = HarmlessRule(
      short: "HIsigpa0", valued: "detEc",
      long: [
        "absolute-path", "case-sensitive", "exclude", "extension", "full-path", "hidden", "ignore-case", "max-depth",
        "no-ignore", "type",
      ], operands: .pattern(unless: "", or: []))
    return rules
  }()
}
