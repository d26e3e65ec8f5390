/// Questions to git about the working folder, so asked that nothing in the repository's settings runs a program.
struct Git: Sendable {
  let folder: WorkingFolder

  /// Hooks, file-system monitors and pagers are programs that a repository's settings can name.
  private static let safely = [
    "git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "color.ui=false",
    "-c", "core.quotePath=false",
  ]

  /// Run a subcommand; nil if there is no git on this machine.
  ///
  /// - Throws: `CancellationError` alone.
  func ask(_ words: [String], keeping bytes: Int = 1 << 20) async throws -> ChildCommand.Result? {
    let command = ChildCommand(
      words: Self.safely + words, folder: folder.path, environment: ["LC_ALL": "C"], keep: .beginning(bytes: bytes))
    do { return try await command.run() } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  /// What a subcommand prints; nil if it failed, also because the folder is not in a repository.
  func answer(_ words: String...) async throws -> String? {
    guard let result = try await ask(words), result.succeeded else { return nil }
    return result.text
  }

  /// Whether the folder lies in a repository.
  func isRepository() async throws -> Bool { try await answer("rev-parse", "--is-inside-work-tree") == "true\n" }
}
