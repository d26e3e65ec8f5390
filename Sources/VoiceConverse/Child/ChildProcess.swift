import Subprocess
import VoiceJSON
package import VoiceSystem

/// A command that talks in lines over standard input and output.
package struct ChildCommand: Equatable, Sendable {
  /// A path, or a name to be found on `PATH`.
  package var executable: String
  package var arguments: [String] = []
  /// Absolute.
  package var workingFolder: String
  package var environment = ChildEnvironment.named([])
  /// How long the child may take to end by itself once nobody talks with it any more; then it is told to.
  package var flushMilliseconds = ConverseLimits.flushMilliseconds
  /// This program, which sees as `AgentHost` that nothing of the child outlives it; nil where only its group is ended.
  package var host: String?
  /// How the host asks it to end.
  package var endSignal = AgentHost.EndSignal.terminate

  /// The executable by its path, as the search path has it; nil if there is none.
  fileprivate var resolvedExecutable: String? {
    executable.contains("/") ? executable : SearchPath().executable(executable)
  }
}

/// A child process in its own process group, with a clean environment and bounded buffers.
///
/// The process must ignore SIGPIPE: writing to a child that died is an ordinary event here.
package struct ChildProcess: Sendable {
  /// What the child did.
  package enum Event: Sendable {
    case started
    case output(LineSplitter.Piece)
    /// Standard output is over; the child is ended now.
    case outputEnded
  }

  let command: ChildCommand

  package init(_ command: ChildCommand) { self.command = command }

  /// Run the child until it is gone, with all that it started: no process of its group is left and none is a zombie; with a host,
  /// none of another group either.
  ///
  /// It ends by itself, when `outbox` is finished, or when the task is cancelled. Standard input is closed first, then
  /// it is told to terminate, then it is killed. Events come in order, from any thread; a slow receiver slows
  /// the child.
  /// - Parameter pace: waited for before more of its output is read.
  package func run(
    outbox: Outbox, pace: @escaping @Sendable () async -> Void = {}, receive: @escaping @Sendable (Event) -> Void
  ) async -> ChildEnd {
    let errorTail = Locked(ErrorTail())
    guard command.host == nil || command.resolvedExecutable != nil else {
      return .notFound(command: command.executable)
    }
    do {
      let result = try await Subprocess.run(
        configuration, input: .inputWriter, output: .sequence, error: .sequence
      ) { execution in
        receive(.started)
        await withTaskGroup(of: Stream.self) { group in
          group.addTask {
            await Self.read(execution.standardOutput, pace, receive)
            receive(.outputEnded)
            return .output
          }
          group.addTask {
            await Self.keep(execution.standardError, in: errorTail)
            return .error
          }
          group.addTask {
            await Self.write(outbox, to: execution.standardInputWriter)
            return .input
          }
          group.addTask {
            await outbox.untilFinished()
            return .input
          }
          // Whatever is over first: a child that closed one of the two cannot be talked with. The writer may be stuck
          // in a child that does not read; it is then freed by the child's end.
          while let stream = await group.next(), stream == .error {}
          outbox.finish()
          await execution.teardown(using: teardownSteps(isUrgent: outbox.isUrgent))
          // What the child started may outlive it. The child is not reaped yet, so its number still means this group.
          _ = kill(-execution.processIdentifier.value, SIGKILL)
          await group.waitForAll()
        }
      }
      let tail = errorTail.withLock { $0.text }
      switch result.terminationStatus {
      case .exited(AgentHost.couldNotStart) where command.host != nil:
        return .notStarted(command: command.executable, reason: tail)
      case .exited(AgentHost.leftRunning) where command.host != nil: return .leftRunning(errorTail: tail)
      case .exited(let code) where command.host != nil && code > AgentHost.signalled:
        return .killed(signal: code - AgentHost.signalled, errorTail: tail)
      // The host itself was killed: it exits normally, whatever became of the agent. Told to end at once, it has started none.
      case .signaled(let signal) where command.host != nil && !AgentHost.awaited.contains(signal):
        return .leftRunning(errorTail: tail)
      case .exited(let code): return .exited(code: code, errorTail: tail)
      case .signaled(let signal): return .killed(signal: signal, errorTail: tail)
      }
    } catch {
      return notStarted(error)
    }
  }

  private enum Stream { case input, output, error }

  /// After standard input is closed. To continue a process that is not stopped does nothing, so the first step only
  /// waits; a stopped one gets to see the end of its input.
  private func teardownSteps(isUrgent: Bool = false) -> [TeardownStep] {
    let flush = TeardownStep.send(
      signal: .resume, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(command.flushMilliseconds))
    let milliseconds = command.host == nil ? ConverseLimits.terminationMilliseconds : ConverseLimits.hostMilliseconds
    let end = TeardownStep.send(
      signal: .terminate, toProcessGroup: command.host == nil, allowedDurationToNextStep: .milliseconds(milliseconds))
    return isUrgent ? [end] : [flush, end]
  }

  private var configuration: Configuration {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = teardownSteps()
    var environment: [Environment.Key: String] = [:]
    for (name, value) in command.environment.variables {
      if let key = Environment.Key(rawValue: name) { environment[key] = value }
    }
    var executable = command.executable
    var arguments = command.arguments
    if let host = command.host, let path = command.resolvedExecutable {
      arguments = AgentHost.arguments(command.endSignal, executable: path, arguments)
      executable = host
    }
    return Configuration(
      executable: executable.contains("/") ? .path(FilePath(executable)) : .name(executable),
      arguments: Arguments(arguments), environment: .custom(environment),
      workingDirectory: FilePath(command.workingFolder), platformOptions: options)
  }

  private static func read(
    _ output: SubprocessOutputSequence, _ pace: () async -> Void, _ receive: (Event) -> Void
  ) async {
    var splitter = LineSplitter(limit: ConverseLimits.lineBytes)
    do {
      for try await buffer in output {
        await pace()
        for piece in splitter.append(buffer.withUnsafeBytes { Array($0) }) { receive(.output(piece)) }
      }
      // Who ends may leave out the last line feed; what was cut off is no message.
      if case .line(let line)? = splitter.finish(), JSON(parsing: line) != nil { receive(.output(.line(line))) }
    } catch {
      // A pipe that cannot be read is over, like one that was closed.
      return
    }
  }

  private static func keep(_ output: SubprocessOutputSequence, in tail: Locked<ErrorTail>) async {
    do {
      for try await buffer in output {
        let bytes = buffer.withUnsafeBytes { Array($0) }
        tail.withLock { $0.append(bytes) }
      }
    } catch {
      return
    }
  }

  /// Writes until the outbox is closed, then closes standard input, and waits until it is finished.
  private static func write(_ outbox: Outbox, to writer: StandardInputWriter) async {
    do {
      while let bytes = await outbox.next() {
        guard try await writer.write(bytes) == bytes.count else { return }
      }
      try await writer.finish()
      await outbox.untilFinished()
    } catch {
      // The child does not read any more: it is ending.
      return
    }
  }

  private func notStarted(_ error: any Error) -> ChildEnd {
    guard let error = error as? SubprocessError else {
      return .notStarted(command: command.executable, reason: "\(error)")
    }
    if error.code == .executableNotFound { return .notFound(command: command.executable) }
    if error.code == .failedToChangeWorkingDirectory {
      return .notStarted(
        command: command.executable, reason: "the working folder \(command.workingFolder) cannot be entered")
    }
    let reason = error.underlyingError.map { "\($0)" } ?? "\(error)"
    return .notStarted(command: command.executable, reason: reason)
  }
}

/// The end of what a child wrote to standard error.
private struct ErrorTail {
  private var bytes: [UInt8] = []

  mutating func append(_ more: [UInt8]) {
    bytes += more.suffix(Self.limit)
    if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
  }

  /// One line of at most `errorTailCharacters` characters.
  var text: String {
    let line = String(decoding: bytes.suffix(Self.limit), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return String(line.suffix(ConverseLimits.errorTailCharacters))
  }

  /// Four bytes a character, and as much again for the spaces that are joined.
  private static let limit = ConverseLimits.errorTailCharacters * 8
}
