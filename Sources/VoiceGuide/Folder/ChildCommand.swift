import Subprocess
import VoiceCore

#if canImport(System)
  import System
#else
  import SystemPackage
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that the guide runs: never through a shell, in a process group of its own, with nothing on its input.
struct ChildCommand: Sendable {
  /// Which part of a long output is kept.
  enum Keep: Equatable, Sendable { case beginning(bytes: Int), end(bytes: Int) }

  enum Ending: Equatable, Sendable {
    case exited(code: Int)
    case killed(signal: Int)
    case timedOut
  }

  struct Result: Sendable {
    /// Standard output and standard error together, as far as it was kept.
    var output: [UInt8]
    var ending: Ending
    var duration: Duration

    var succeeded: Bool { ending == .exited(code: 0) }
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// The program and its arguments. A program with a slash is a path, any other is looked up in PATH.
  var words: [String]
  /// The folder that it runs in, absolute.
  var folder: String
  var environment: [String: String] = [:]
  var keep: Keep = .end(bytes: GuideLimits.outputBytes)
  var seconds: Int = GuideLimits.questionSeconds

  /// Run it to its end. When the task is cancelled, or the time is up, the whole group is told to end, then killed.
  ///
  /// - Throws: `CancellationError` if the task was cancelled; otherwise the program could not be started.
  func run() async throws -> Result {
    let leader = Locked<pid_t?>(nil)
    // What the program left running must not outlive it, however it ended.
    defer { if let leader = leader.withLock({ $0 }) { kill(-leader, SIGKILL) } }
    let start = ContinuousClock.now
    let result = try await withThrowingTaskGroup(of: Result?.self) { race in
      race.addTask { try await finish(leader: leader, since: start) }
      race.addTask {
        // A deadline, not a pause: the race is over as soon as the program is.
        try await Task.sleep(for: .seconds(seconds))
        return nil
      }
      defer { race.cancelAll() }
      return try await race.next() ?? nil
    }
    try Task.checkCancellation()
    return result ?? Result(output: [], ending: .timedOut, duration: start.duration(to: .now))
  }

  private func finish(leader: Locked<pid_t?>, since start: ContinuousClock.Instant) async throws -> Result {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(GuideLimits.graceMilliseconds))
    ]
    let name = words.first ?? ""
    var changes: [Environment.Key: String] = ["GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "NO_COLOR": "1"]
    for (name, value) in environment { changes[Environment.Key(stringLiteral: name)] = value }
    let outcome = try await Subprocess.run(
      name.contains("/") ? .path(FilePath(name)) : .name(name), arguments: Arguments(Array(words.dropFirst())),
      environment: .inherit.updating(changes.mapValues { Optional($0) }), workingDirectory: FilePath(folder),
      platformOptions: options, input: .none, output: .sequence, error: .combinedWithOutput
    ) { execution -> [UInt8] in
      leader.withLock { $0 = execution.processIdentifier.value }
      var kept = KeptOutput(keep: keep)
      do {
        for try await piece in execution.standardOutput { piece.withUnsafeBytes { kept.append($0) } }
      } catch {
        // The program ended, but something that it left running holds its output open: what came so far is the output.
        try Task.checkCancellation()
      }
      return kept.bytes
    }
    let ending: Ending =
      switch outcome.terminationStatus {
      case .exited(let code): .exited(code: Int(code))
      case .signaled(let signal): .killed(signal: Int(signal))
      }
    return Result(output: outcome.closureResult, ending: ending, duration: start.duration(to: .now))
  }
}

/// The beginning or the end of an output, at most as many bytes as asked for.
struct KeptOutput {
  private let keep: ChildCommand.Keep
  private var stored: [UInt8] = []

  init(keep: ChildCommand.Keep) { self.keep = keep }

  var bytes: [UInt8] {
    if case .end(let limit) = keep { Array(stored.suffix(limit)) } else { stored }
  }

  mutating func append(_ piece: UnsafeRawBufferPointer) {
    switch keep {
    case .beginning(let limit): stored.append(contentsOf: piece.prefix(max(0, limit - stored.count)))
    case .end(let limit):
      stored.append(contentsOf: piece)
      // Shift seldom, so that each byte is moved about once.
      if stored.count > 2 * limit { stored.removeFirst(stored.count - limit) }
    }
  }
}
