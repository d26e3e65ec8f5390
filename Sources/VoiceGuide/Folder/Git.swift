import VoiceVocabulary

/// Questions to git about the working folder, so asked that nothing which the repository names is run.
///
/// A repository's own settings come with it, wherever it came from, and many of them are programs. What can be switched off
/// by a setting, a flag or a variable is; the programs of filters have names of their own choosing, so they are looked up
/// and emptied. The user's own settings hold, as do the system's.
struct Git: Sendable {
  /// Why there is no answer.
  enum Failure: Error, Equatable {
    /// Git could not be started.
    case notStarted
    /// It was stopped, because it took too long.
    case tookTooLong
    /// The settings, which name programs, could not be told, so nothing else was asked.
    case unreadableSettings
    case noRepository
    /// What git says of it.
    case refused(words: String)
  }

  let folder: WorkingFolder
  /// A question is stopped after this.
  var seconds = GuideLimits.questionSeconds

  /// Over everything that the repository says.
  private static let settings: [(key: String, value: String)] = [
    // Programs that a question would run.
    ("core.fsmonitor", "false"), ("core.hooksPath", "/dev/null"), ("core.editor", "true"), ("sequence.editor", "true"),
    ("core.askPass", "true"), ("core.sshCommand", "false"), ("core.gitProxy", ""),
    ("core.alternateRefsCommand", "true"),
    ("gpg.program", "false"), ("gpg.openpgp.program", "false"), ("gpg.x509.program", "false"),
    ("gpg.ssh.program", "false"), ("gpg.ssh.defaultKeyCommand", "false"), ("log.showSignature", "false"),
    ("credential.helper", ""), ("interactive.diffFilter", ""), ("protocol.allow", "never"), ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    // Repositories within, which have settings of their own.
    ("submodule.recurse", "false"), ("status.submoduleSummary", "false"), ("diff.ignoreSubmodules", "dirty"),
    ("fetch.recurseSubmodules", "false"),
    // What is printed.
    ("color.ui", "false"), ("core.quotePath", "false"),
  ]

  /// A question never fetches: objects that a partial clone lacks would be asked of a program that it names.
  private static let variables = ["LC_ALL": "C", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"]

  /// The environment that git gets: no variable of its own, which might mean another repository, and no secret.
  private static let inherited = [
    "PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR", "GIT_CONFIG_NOSYSTEM",
  ]

  /// Run a subcommand to its end, whatever that is.
  ///
  /// - Throws: `Failure` if it did not come to one, or `CancellationError`.
  func ask(_ words: [String], keeping bytes: Int = 1 << 20) async throws -> ToolProcess.Result {
    try await run(words, Self.settings + filters(), keeping: bytes)
  }

  /// What a subcommand prints.
  ///
  /// - Throws: `Failure`, also if it failed, or `CancellationError`.
  func output(of words: [String], keeping bytes: Int = 1 << 20) async throws -> [UInt8] {
    let result = try await ask(words, keeping: bytes)
    guard result.succeeded else { throw Self.failure(result) }
    return result.output
  }

  /// The same as text; what is no UTF-8 is replaced.
  func answer(_ words: String...) async throws -> String {
    String(decoding: try await output(of: words), as: UTF8.self)
  }

  /// Whether the folder lies in the working tree of a repository.
  func isRepository() async throws -> Bool {
    do { return try await answer("rev-parse", "--is-inside-work-tree") == "true\n" } catch Failure.noRepository {
      return false
    }
  }

  /// Whether there is something of that name, such as HEAD, which there is from the first commit on.
  func has(_ name: String) async throws -> Bool {
    let result = try await ask(["rev-parse", "--verify", "--quiet", name])
    switch result.ending {
    case .exited(0): return true
    case .exited(1): return false
    default: throw Self.failure(result)
    }
  }

  private static func failure(_ result: ToolProcess.Result) -> Failure {
    let words = result.text.lines.first { !$0.isEmpty }.map(String.init) ?? ""
    // Not translated: the messages are asked for in the C locale.
    if words.contains("not a git repository") { return .noRepository }
    return .refused(words: words.replacing("fatal: ", with: "", maxReplacements: 1))
  }

  private func run(
    _ words: [String], _ settings: [(key: String, value: String)], errors: ToolProcess.Errors = .withOutput,
    keeping bytes: Int
  ) async throws -> ToolProcess.Result {
    var environment = Self.variables
    // Settings in variables have the last word, and any name can be written in them.
    environment["GIT_CONFIG_COUNT"] = String(settings.count)
    for (index, setting) in settings.enumerated() {
      environment["GIT_CONFIG_KEY_\(index)"] = setting.key
      environment["GIT_CONFIG_VALUE_\(index)"] = setting.value
    }
    let command = ToolProcess(
      words: ["git", "--no-pager"] + words, folder: folder.path, environment: environment,
      inheritedNames: Self.inherited, errors: errors, keep: .beginning(bytes: bytes),
      seconds: seconds)
    let result: ToolProcess.Result
    do { result = try await command.run() } catch {
      try Task.checkCancellation()
      throw Failure.notStarted
    }
    if result.ending == .timedOut { throw Failure.tookTooLong }
    return result
  }

  /// The filters of the repository, emptied: what comes of a file is its content. To list settings runs nothing.
  private func filters() async throws -> [(key: String, value: String)] {
    let words = ["config", "--list", "--null", "--show-scope", "--includes"]
    let limit = GuideLimits.settingsBytes
    let result = try await run(words, Self.settings, errors: .dropped, keeping: limit)
    // Settings that are damaged, or too many, are no reason to run what they name.
    guard result.succeeded, result.output.count < limit else { throw Failure.unreadableSettings }
    return Self.emptied(result.output)
  }

  /// - Parameter listed: scope and setting by turns, each with a zero byte behind it; in a setting the key, and behind a line
  ///   feed its value.
  static func emptied(_ listed: [UInt8]) -> [(key: String, value: String)] {
    let parts = listed.split(separator: 0, omittingEmptySubsequences: false)
    var emptied: [(key: String, value: String)] = []
    for (scope, setting) in zip(parts, parts.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 }).map(\.element)
    where ["local", "worktree"].contains(String(decoding: scope, as: UTF8.self)) {
      let key = String(decoding: setting.prefix { $0 != 0x0A }, as: UTF8.self)
      guard key.hasPrefix("filter."), let dot = key.lastIndex(of: ".") else { continue }
      switch key[dot...] {
      case ".clean", ".smudge", ".process": emptied.append((key, ""))
      case ".required": emptied.append((key, "false"))
      default: continue
      }
    }
    return emptied
  }
}
