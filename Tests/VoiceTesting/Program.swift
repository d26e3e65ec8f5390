package import Subprocess
import VoiceCore
import VoiceVocabulary

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a program gave that ran to its end.
package struct Finished: Sendable {
  package let code: Int
  package let output: String
  package let errors: String
}

/// The program under test, as a user starts it.
package enum Program {
  /// `parley` beside the test bundle.
  package static let path: String = {
    let own = CommandLine.arguments[0]
    guard let slash = own.lastIndex(of: "/") else { return "parley" }
    return own[...slash] + "parley"
  }()

  /// Whether a program is installed, for tests that need one.
  package static func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// Whether a command can be run here, for tests that need what it does.
  package static func succeeds(_ command: [String]) async -> Bool {
    let result = try? await Subprocess.run(
      .name(command[0]), arguments: Arguments(Array(command.dropFirst())), output: .discarded, error: .discarded)
    return result?.terminationStatus.isSuccess ?? false
  }

  /// Run `parley` to its end. Its environment holds no key, and its home is the given folder.
  ///
  /// - Parameter shell: a script of `sh` that prepares something and ends with `exec "$0" "$@"`; nil if nothing is needed.
  package static func run(
    _ arguments: [String], home: TemporaryFolder, environment: [String: String] = [:], input: String = "",
    shell: String? = nil
  ) async throws -> Finished {
    let result = try await Subprocess.run(
      shell == nil ? .path(FilePath(path)) : .name("sh"),
      arguments: Arguments((shell.map { ["-c", $0, path] } ?? []) + arguments),
      environment: self.environment(home, environment),
      input: .inputWriter, output: .string(limit: 1 << 20), error: .string(limit: 1 << 20)
    ) { await $0.standardInputWriter.give(Array(input.utf8)) }
    return Finished(
      code: code(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
  }

  /// The exit code as a shell has it.
  private static func code(_ status: TerminationStatus) -> Int {
    switch status {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }

  /// Run `parley` to its end, and tell it to halt once it has written this to its output, or anything.
  package static func haltInTheMiddle(
    _ arguments: [String], home: TemporaryFolder, environment: [String: String] = [:], once mark: String = ""
  ) async throws -> Finished {
    let output = Journal<String>()
    let result = try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments), environment: self.environment(home, environment),
      input: .inputWriter, output: .sequence, error: .string(limit: 1 << 20)
    ) { execution in
      var isTold = false
      for try await part in execution.standardOutput {
        // Not by lines: what is said in the middle of one counts.
        output.append(part.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        guard !isTold, mark.isEmpty || output.all.last?.contains(mark) == true else { continue }
        isTold = true
        _ = try await execution.standardInputWriter.write(Array("halt\n".utf8))
      }
      try await execution.standardInputWriter.finish()
    }
    return Finished(
      code: code(result.terminationStatus), output: output.all.joined(), errors: result.standardError)
  }

  /// Run `parley` until it and the body have ended. What it says goes into a file, what it answers nowhere, or there.
  package static func run(
    _ arguments: [String], home: TemporaryFolder, environment: [String: String], errors: String,
    output: String = "/dev/null",
    _ body: (Execution<CustomWriteInput, DiscardedOutput, DiscardedOutput>) async throws -> Void
  ) async throws {
    let script = "exec \"$0\" \"$@\" >'\(output)' 2>'\(errors)'"
    _ = try await Subprocess.run(
      .name("sh"), arguments: Arguments(["-c", script, path] + arguments),
      environment: self.environment(home, environment), input: .inputWriter, output: .discarded, error: .discarded
    ) { try await body($0) }
  }

  /// Run `parley` to its end, and write a line to it each time when a line of its errors contains one of these.
  package static func converse(
    _ arguments: [String], home: TemporaryFolder, environment more: [String: String] = [:], say line: String,
    whenever marks: [String]
  ) async throws -> Finished {
    let (errors, output) = (Journal<String>(), Journal<String>())
    let result = try await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments), environment: environment(home, more),
      input: .inputWriter, output: .sequence, error: .sequence
    ) { execution in
      for try await text in execution.standardError.strings() {
        errors.append(text)
        if marks.contains(where: text.contains) {
          _ = try await execution.standardInputWriter.write(Array("\(line)\n".utf8))
        }
      }
      try await execution.standardInputWriter.finish()
      // It is little, and waits in its pipe.
      for try await text in execution.standardOutput.strings() { output.append(text) }
    }
    return Finished(
      code: code(result.terminationStatus), output: output.all.joined(), errors: errors.all.joined())
  }

  /// Where a program started by a test lives: its own home, and no key from outside.
  private static func environment(_ home: TemporaryFolder, _ more: [String: String]) -> Environment {
    var values = ["HOME": home.path, "XDG_STATE_HOME": home.path, "XDG_CONFIG_HOME": home.path]
    let outer = ProcessInfo.processInfo.environment
    for name in ["PATH", "LANG"] { values[name] = outer[name] }
    // The speech models stay where they were installed.
    let data = outer["XDG_DATA_HOME"] ?? (outer["HOME"] ?? "") + "/.local/share"
    values["PARLEY_SPEECH_HOME"] = outer["PARLEY_SPEECH_HOME"] ?? data + "/parley/speech"
    values["SWIFT_BACKTRACE"] = "enable=no"
    var pairs: [Environment.Key: String] = [:]
    for (name, value) in values.merging(more, uniquingKeysWith: { $1 }) {
      if let key = Environment.Key(rawValue: name) { pairs[key] = value }
    }
    return .custom(pairs)
  }
}

extension StandardInputWriter {
  /// Write all of it and close the input. Who has ended, or does not read, does not get it; with an input that is a string the
  /// library ends the whole process then, for the descriptor that it leaves open.
  package func give(_ bytes: [UInt8]) async {
    _ = try? await write(bytes)
    try? await finish()
  }
}

/// The small Gemini Live server that shares no code with the program.
package struct IndependentServer: Sendable {
  package let port: Int
  /// What it saw, a JSON object a line.
  package let journal: Journal<String>

  package var url: String { "ws://127.0.0.1:\(port)/" }

  /// Run the server while the body runs.
  package static func run<Result: Sendable>(
    _ arguments: [String], _ body: @Sendable @escaping (IndependentServer) async throws -> Result
  ) async throws -> Result {
    let script = Repository.path + "/Tests/servers/gemini_live_server.py"
    let journal = Journal<String>()
    return try await Subprocess.run(
      .name("python3"), arguments: Arguments([script, "--time-limit", "120"] + arguments), input: .none,
      output: .sequence, error: .discarded
    ) { execution in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for try await line in execution.standardOutput.strings() { journal.append(line.trimmingWhitespace()) }
        }
        let outcome: Swift.Result<Result, any Error>
        do {
          let port = try await journal.next { Int($0) }
          outcome = .success(try await body(IndependentServer(port: port, journal: journal)))
        } catch {
          outcome = .failure(error)
        }
        // However the body ended, the server does not outlive it.
        try execution.send(signal: .terminate)
        try await group.waitForAll()
        return try outcome.get()
      }
    }.closureResult
  }
}
