import VoiceVocabulary

/// Which acts of an agent may be approved by voice: only those that are known to be harmless, by their kind and what exactly
/// they would do. What is heard wrongly, or said by somebody else in the room, must not change anything that counts.
///
/// | kind | harmless |
/// |---|---|
/// | execute | a plain command line of commands that only look, or that the user named |
/// | read, search | files inside the working folder, without secrets |
/// | edit | source text and prose inside the working folder, if the agent tells the whole change, and that takes away little |
/// | anything else | never |
struct HarmlessActs: Equatable, Sendable {
  private let paths: FolderPath
  private let commands: HarmlessCommands

  /// - Parameter named: command lines that the user holds for harmless.
  init(workingFolder: String, named: [String]) {
    paths = FolderPath(folder: workingFolder)
    commands = HarmlessCommands(paths: paths, named: named)
  }

  /// Why an act is not known to be harmless; nil if it is.
  func refusal(of request: PermissionRequest) -> String? {
    // What is allowed from now on is more than this act.
    guard request.choices.contains(.allowOnce) else { return "it would be allowed from now on" }
    guard request.unseenCharacters == nil else { return "the agent does not report all of it" }
    let subject = request.subject
    if subject.isGuessed == true { return "the agent does not say which act it asks for" }
    if Self.isDestructive(title: request.title) { return "its title says that something is lost" }
    switch subject.kind {
    case "execute": return refusal(ofRunning: subject)
    case "read", "search": return refusal(ofReading: subject)
    case "edit": return refusal(ofEditing: subject)
    default: return "an action of the kind “\(subject.kind)” is not known to be harmless"
    }
  }

  /// A title that begins with such a verb belies a harmless kind.
  private static func isDestructive(title: String) -> Bool {
    let first = title.lowercased().prefix(while: \.isLetter)
    return [
      "delete", "remove", "drop", "erase", "wipe", "destroy", "purge", "truncate", "overwrite", "reset", "revert",
      "discard", "uninstall", "deploy", "publish", "release", "push", "force", "move", "rename", "replace", "send",
      "post", "upload", "execute", "eval",
    ].contains(String(first))
  }

  // MARK: Commands

  private func refusal(ofRunning subject: PermissionSubject) -> String? {
    guard let command = subject.command else { return "the command is not told" }
    var isElsewhere = false
    for argument in subject.arguments ?? [] {
      switch argument.name {
      case "description", "timeout", "timeout_ms", "reason", "justification", "explanation", "call_id", "turn_id",
        "id", "parsed_cmd", "proposedExecpolicyAmendment":
        continue
      case "cwd", "workdir", "working_directory", "directory", "dir_path":
        guard paths.holds(argument.value), !paths.isSecret(argument.value) else {
          return "it runs outside the working folder"
        }
        if !inside(argument.value).isEmpty { isElsewhere = true }
      default: return "its argument “\(argument.name)” is not known to be harmless"
      }
    }
    return commands.refusal(of: command, isElsewhere: isElsewhere)
  }

  // MARK: Reading

  private func refusal(ofReading subject: PermissionSubject) -> String? {
    guard subject.command == nil, subject.change == nil else { return "it does more than read" }
    // A server's tool that is called "get" or "query" may do anything.
    if let tool = subject.tool, !Self.readers.contains(tool) { return "the tool “\(tool)” is not known to be harmless" }
    if subject.kind == "read", subject.paths.isEmpty { return "the file is not told" }
    for path in subject.paths {
      if let refusal = refusal(ofPath: path) { return refusal }
    }
    for argument in subject.arguments ?? [] {
      guard Self.readingArguments.contains(argument.name) else {
        return "its argument “\(argument.name)” is not known to be harmless"
      }
      let namesFiles = ["glob", "include"].contains(argument.name)
      guard paths.holds(everyPathIn: argument.value),
        !paths.mayBeSecret(argument.value, takesPatterns: namesFiles)
      else {
        return "its argument “\(argument.name)” may lead out of the working folder"
      }
    }
    return nil
  }

  private static let readers: Set<String> = [
    "Read", "NotebookRead", "Grep", "Glob", "LS", "read_file", "read_many_files", "list_directory",
    "search_file_content", "glob", "grep", "read", "ls", "view",
  ]

  private static let readingArguments: Set<String> = [
    "pattern", "regex", "glob", "include", "exclude", "offset", "limit", "line", "start_line", "end_line", "head_limit",
    "output_mode", "type", "multiline", "case_sensitive", "recursive", "-A", "-B", "-C", "-n", "-i", "description",
  ]

  private func refusal(ofPath path: String) -> String? {
    guard path.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "a file's name is no plain ASCII" }
    guard paths.holds(path) else { return "“\(path)” is outside the working folder" }
    return paths.mayBeSecret(path, takesPatterns: true) ? "“\(path)” may hold a secret" : nil
  }

  // MARK: Editing

  private func refusal(ofEditing subject: PermissionSubject) -> String? {
    guard subject.command == nil, let change = subject.change, !subject.paths.isEmpty else {
      return "the change is not told"
    }
    if subject.overwrites == true { return "the agent does not say what it would overwrite" }
    let isPlain = { (argument: PermissionArgument) in
      argument.name == "description" || (argument.name == "replace_all" && argument.value == "false")
    }
    if let argument = subject.arguments?.first(where: { !isPlain($0) }) {
      return "its argument “\(argument.name)” is not known to be harmless"
    }
    // An agent may name one file by two paths.
    guard change.files == Set(subject.paths.map(inside)).count else {
      return "it is not told which files it would change"
    }
    if change.linesRemoved > change.linesAdded + Limits.harmlessRemovedLines { return "it removes too much" }
    for path in subject.paths {
      if let refusal = refusal(ofPath: path) { return refusal }
      if !ordinary(path) { return "“\(path)” may be run, or configures what is run" }
    }
    return nil
  }

  /// A path within the working folder, without that.
  private func inside(_ path: String) -> String {
    let inside = path.hasPrefix("/") ? path.dropFirst(paths.folder.count) : path[...]
    return inside.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Whether a file is source text or prose, and neither run by itself nor read by a tool or an agent to know what to do.
  private func ordinary(_ path: String) -> Bool {
    let steps = inside(path).lowercased().split(separator: "/").map(String.init)
    guard let name = steps.last, !steps.contains(where: { $0.hasPrefix(".") || $0.hasPrefix("-") }) else {
      return false
    }
    let folders = [
      "bin", "sbin", "script", "scripts", "hooks", "ci", "config", "node_modules", "vendor", "site-packages",
      "launchagents",
    ]
    if steps.dropLast().contains(where: { folders.contains($0) || $0.hasSuffix(".xcodeproj") }) { return false }
    guard let dot = name.lastIndex(of: ".") else {
      // What has no ending is a program, or instructions for one.
      return ["readme", "license", "changelog", "notice", "authors", "todo"].contains(name)
    }
    let ending = String(name[dot...].dropFirst())
    guard ending != "sh", FolderPath.sourceExtensions.contains(ending) else { return false }
    let stem = String(name.prefix { $0 != "." && $0 != "@" })
    // "karma.conf.js", "wp-config.php", "local_settings.py", "review.prompt.md"
    let words = name.split { ".-_@".contains($0) }
    return !Self.toolStems.contains(stem) && Self.toolWords.isDisjoint(with: words.map(String.init))
  }

  /// What begins so instructs an agent or a tool, however it ends.
  private static let toolStems: Set<String> = [
    "agent", "agents", "amazonq", "build", "claude", "codebuddy", "codex", "conftest", "conventions", "crush",
    "dangerfile", "dodo", "extconf", "fabfile", "gemini", "goose", "gruntfile", "guidelines", "gulpfile", "iflow",
    "init", "jest", "karma", "magefile", "manage", "mix", "noxfile", "package", "premake5", "project", "qwen",
    "replit", "serverless", "sitecustomize", "skill", "taskfile", "tasks", "usercustomize", "vercel", "vitest", "warp",
    "webpack", "workspace", "xmake",
  ]

  /// What has such a word in its name configures something.
  private static let toolWords: Set<String> = [
    "conf", "config", "configure", "instructions", "prompt", "rules", "settings", "setup",
  ]
}
