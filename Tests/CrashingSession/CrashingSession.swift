import Dispatch
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the session of a fixture in the simulated world, but with the real recorder, and kills itself with SIGKILL right
/// after a step was written to the log. What reached the agent until then stands in a file of its own.
///
///     CrashingSession FIXTURE SESSION WITNESS (kill SEQUENCE | limit BYTES)
///
/// With `limit`, no file may grow beyond so many bytes, as on a full disk, and the session runs to its end.
@main struct CrashingSession {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let number = Int(arguments[5]) else {
      preconditionFailure("usage: CrashingSession FIXTURE SESSION WITNESS (kill SEQUENCE | limit BYTES)")
    }
    let world = try FixtureFolder(arguments[1]) { try WaveFile.samples($0) }.makeWorld()
    let folder = try SessionFolder(creating: arguments[2])
    let witness = try AppendFile(arguments[3])
    let isLimited = arguments[4] == "limit"
    if isLimited {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: rlim_t(number))
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, "no limit could be set")
    }
    let recorder = try MortalRecorder(folder, world.ports.recorder, lastStep: isLimited ? nil : number)
    var ports = world.ports
    ports.recorder = recorder
    ports.agent = WitnessedAgent(agent: world.ports.agent, witness: witness)
    var session = VoiceSession(ports: ports)
    recorder.finish(await session.run(world))
  }
}

/// The real recorder, which kills its process after the last step that is wanted.
private final class MortalRecorder: RecorderPort {
  private let real: SessionRecorder
  private let simulated: any RecorderPort
  private let lastStep: Int?
  private let answers = Locked<[VoiceEvent]>([])
  private let answered = DispatchSemaphore(value: 0)

  init(_ folder: SessionFolder, _ simulated: any RecorderPort, lastStep: Int?) throws {
    self.simulated = simulated
    self.lastStep = lastStep
    real = try SessionRecorder(folder) { [answers, answered] event in
      if case .recordingFailed = event { return }
      answers.withLock { $0.append(event) }
      answered.signal()
    }
  }

  func record(_ step: VoiceStep) {
    real.record(step)
    if step.sequence == lastStep { kill(getpid(), SIGKILL) }
  }

  /// The world answers in its own time, once the disk has.
  func enterInLedger(_ instruction: Instruction, as run: RunID) {
    real.enterInLedger(instruction, as: run)
    answered.wait()
    if case .ledgerEntered = answers.withLock({ $0.removeFirst() }) { simulated.enterInLedger(instruction, as: run) }
  }

  func noteInLedger(_ entry: LedgerEntry) { real.noteInLedger(entry) }

  func finish(_ outcome: SessionOutcome) { real.finish(outcome) }
}

/// Writes down what reaches the agent, before it does.
private struct WitnessedAgent: CodingAgentPort {
  let agent: any CodingAgentPort
  let witness: AppendFile

  func openAgent() { agent.openAgent() }

  func startRun(_ run: RunID, _ instruction: Instruction) {
    note(instruction)
    agent.startRun(run, instruction)
  }

  func steerRun(_ run: RunID, _ instruction: Instruction) {
    note(instruction)
    agent.steerRun(run, instruction)
  }

  func cancelRun(_ run: RunID) { agent.cancelRun(run) }
  func abandonRun(_ run: RunID) { agent.abandonRun(run) }

  func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) {
    agent.answerPermission(permission, of: run, with: choice, because: reason)
  }

  func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {
    agent.answerQuestion(question, of: run, with: answer)
  }

  private func note(_ instruction: Instruction) {
    do {
      try witness.append("\(instruction.id.rawValue)\n".utf8)
    } catch {
      // Under a limit the witness cannot write either; it is asked about nothing then.
      return
    }
  }
}
