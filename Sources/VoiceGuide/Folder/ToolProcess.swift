import Subprocess
import VoiceSystem

/// A program that the guide runs: never through a shell, in a process group of its own, with nothing on its input.
struct ToolProcess: Sendable {
  /// Which part of a long output is kept.
  enum Keep: Equatable, Sendable { case beginning(bytes: Int), end(bytes: Int) }

  /// Where it is among the output, a warning may stand in the middle of what is to be read by a program.
  enum Errors: Equatable, Sendable { case withOutput, dropped }

  /// How the process ended.
  enum Ending: Equatable, Sendable {
    case exited(code: Int)
    case killed(signal: Int)
    case timedOut
  }

  /// What it wrote, and how it ended.
  struct Result: Sendable {
    /// Standard output and standard error together, as far as it was kept.
    var output: [UInt8]
    var ending: Ending
    var duration: Duration

    /// Whether it ended by itself with the code 0.
    var succeeded: Bool { ending == .exited(code: 0) }
    /// The output as text; what is no UTF-8 is replaced.
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// The program and its arguments. A program with a slash is a path, any other is looked up in PATH.
  var words: [String]
  /// The folder that it runs in, absolute.
  var folder: String
  var environment: [String: String] = [:]
  /// The variables that it gets of this process; all of them if nil.
  var inheritedNames: [String]?
  /// What becomes of standard error.
  var errors: Errors = .withOutput
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

  private func environment(_ changes: [Environment.Key: String]) -> Environment {
    guard let inheritedNames else { return .inherit.updating(changes.mapValues { Optional($0) }) }
    var values = changes
    for name in inheritedNames {
      guard let value = getenv(name) else { continue }
      let key = Environment.Key(stringLiteral: name)
      if values[key] == nil { values[key] = String(cString: value) }
    }
    return .custom(values)
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
    let configuration = Configuration(
      executable: name.contains("/") ? .path(FilePath(name)) : .name(name),
      arguments: Arguments(Array(words.dropFirst())), environment: environment(changes),
      workingDirectory: FilePath(folder), platformOptions: options)
    func outcome(_ error: some ErrorOutputProtocol) async throws -> (status: TerminationStatus, output: [UInt8]) {
      let outcome = try await Subprocess.run(configuration, input: .none, output: .sequence, error: error) {
        execution -> [UInt8] in
        leader.withLock { $0 = execution.processIdentifier.value }
        return try await kept(execution.standardOutput)
      }
      return (outcome.terminationStatus, outcome.closureResult)
    }
    let (status, output) =
      switch errors {
      case .withOutput: try await outcome(.combinedWithOutput)
      case .dropped: try await outcome(.discarded)
      }
    let ending: Ending =
      switch status {
      case .exited(let code): .exited(code: Int(code))
      case .signaled(let signal): .killed(signal: Int(signal))
      }
    return Result(output: output, ending: ending, duration: start.duration(to: .now))
  }

  private func kept(_ output: SubprocessOutputSequence) async throws -> [UInt8] {
    var kept = KeptOutput(keep: keep)
    do {
      for try await piece in output { piece.withUnsafeBytes { kept.append($0) } }
    } catch {
      // The program ended, but something that it left running holds its output open: what came so far is the output.
      try Task.checkCancellation()
    }
    return kept.bytes
  }
}

/// The beginning or the end of an output, at most as many bytes as asked for.
struct KeptOutput {
  private let keep: ToolProcess.Keep
  private var stored: [UInt8] = []

  init(keep: ToolProcess.Keep) { self.keep = keep }

  /// What is kept.
  var bytes: [UInt8] {
    if case .end(let limit) = keep { Array(stored.suffix(limit)) } else { stored }
  }

  /// Take a piece of the output, and keep what is to be kept of it.
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
