import Dispatch
import VoiceTesting

@testable import VoiceGuide

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of its own for one test, gone with it.
final class Scratch: Sendable {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  func write(_ name: String, _ text: String, executable: Bool = false) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    if executable { chmod(file, 0o755) }
    return file
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path + "/" + name)), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { access(path + "/" + name, F_OK) == 0 }

  /// Make a named pipe.
  func makePipe(_ name: String) { mkfifo(path + "/" + name, 0o600) }

  /// Open a named pipe for reading as soon as somebody opens it for writing. It ends when every process that holds it
  /// open is dead.
  func openPipe(_ name: String) async -> Int32 {
    let file = path + "/" + name
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "parley.test.pipe").async {
        continuation.resume(returning: open(file, O_RDONLY | O_CLOEXEC))
      }
    }
  }

  /// Run a program in the folder to its end; whether it succeeded.
  @discardableResult
  func run(_ words: String...) async throws -> Bool {
    let settings = [
      "HOME": path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org",
      "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.org",
    ]
    return try await ToolProcess(words: words, folder: path, environment: settings).run().succeeded
  }

  /// A repository with two commits: the first adds a readme, two Swift files and an ignored folder, the second changes
  /// the file that is read first.
  static func repository() async throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(
      "README.md", "[![badge](x)](y)\n# Shop\n\nA **small** shop, with a [cart](cart.md).\nIt sells tea.\n\nMore.\n")
    try scratch.write(
      "Sources/App/login.swift", "/// Lets people in.\nfunc login(_ name: String) -> Bool {\n  true\n}\n")
    try scratch.write("Sources/App/main.swift", "// Starts the shop.\nif login(\"ann\") { print(\"in\") }\n")
    try scratch.write(".gitignore", "out/\n")
    try scratch.write("out/ignored.swift", "login(\"ignored\")\n")
    try await scratch.run("git", "init", "-q", "-b", "main")
    try await scratch.run("git", "add", ".")
    try await scratch.run("git", "commit", "-q", "-m", "Open the shop")
    try scratch.write(
      "Sources/App/login.swift",
      "/// Lets people in.\nfunc login(_ name: String) -> Bool {\n  name != \"\"\n}\nstruct Visitor {}\n")
    try await scratch.run("git", "commit", "-q", "-a", "-m", "Ask for a name")
    return scratch
  }
}

struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
