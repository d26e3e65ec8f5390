import ArgumentParser
import CTerminal
import Dispatch
import VoiceConfiguration
import VoiceCore
import VoiceSystem
import VoiceVocabulary

/// How a session ended, as far as whoever started the program has to know.
struct SessionEnd {
  /// What its last step decided.
  let outcome: SessionOutcome
  /// Why not everything could be written, as sentences.
  let unwritten: String?
  /// Why something could not be shown, or an event not be printed.
  let unprinted: String?
  /// Whether a decision was not taken, because nobody reads what is shown any more.
  let hasIgnoredDecision: Bool
  /// What of the agent's work was not done, though the session has ended in order.
  let undone: (code: ExitCode, sentence: String)?

  /// Nothing was missing, or the exit code and the sentence that say what was.
  func check() throws {
    if let failure { throw Exit.failure(failure.code, failure.sentence) }
  }

  /// See that the program ends now, whatever still has to be closed: a sound server that was restarted may let nobody close what was
  /// open before.
  func exitSoon() {
    SystemThread.detach(for: "the end") {
      sleep(Self.closingSeconds)
      _exit(failure?.code.rawValue ?? 0)
    }
  }

  /// See that the program ends although a part of it never does, such as an agent whose end nobody tells: what it leaves open is offered
  /// again, as after a crash.
  /// - Parameters:
  ///   - isOver: whether every part has ended.
  ///   - keepSound: closes the files of what was heard and said.
  static func exitAnyway(
    after seconds: UInt32 = lastSeconds, unless isOver: @escaping @Sendable () -> Bool,
    keepSound: @escaping @Sendable () -> Void
  ) {
    SystemThread.detach(for: "a late end") {
      // While the program is stopped, no time passes.
      for _ in 0..<seconds {
        sleep(1)
        if isOver() { return }
      }
      // Their disk may be the part that does not end.
      let isKept = DispatchSemaphore(value: 0)
      SystemThread.detach(for: "the last sound") {
        keepSound()
        isKept.signal()
      }
      _ = isKept.wait(timeout: .now() + .seconds(Int(closingSeconds)))
      parley_terminal_leave()
      let text = "parley: The session is over, but a part of it does not end; the program ends without it.\n"
      _ = Descriptors.offer(Array(text.utf8), to: STDERR_FILENO)
      _exit(Exit.unavailable.rawValue)
    }
  }

  private static let (closingSeconds, lastSeconds): (UInt32, UInt32) = (4, 30)

  private var failure: (code: ExitCode, sentence: String)? {
    if let unprinted { return (Exit.inputOutput, "\(unprinted) Not all of the session was shown.") }
    switch outcome {
    case .failed(let reason):
      return (unwritten == nil ? undone?.code ?? Exit.unavailable : Exit.inputOutput, reason)
    case .completed, .terminated:
      if let unwritten { return (Exit.inputOutput, unwritten) }
      if let undone { return undone }
      guard hasIgnoredDecision else { return nil }
      return (
        Exit.unavailable,
        "Nobody reads any more what is shown here, so what was decided since then was not carried out."
      )
    }
  }
}

/// A recorder that notices what the agent was given and has not done when the session ends because nothing more can come: a person
/// sees it on the screen, a program that started this one has only its exit code. Called by the session's steps alone.
final class UndoneWork: RecorderPort {
  private let recorder: any RecorderPort
  private var takesCommands = true
  /// What to do about what nobody decided.
  private var advice = ""
  private var stopped: String?
  private var isCut = false
  private var isTerminated = false
  /// The signal that ended the session while the agent was at work.
  private var signal: String?
  private var isRefused = false
  /// What was still held or not finished when the session ended in order, and what became of it.
  private var undecided: (text: String, reason: String)?
  /// Runs that were told to stop: how such a one ends is what was asked for.
  private var cancelled: Set<RunID> = []
  /// Those of them that have not ended.
  private var unconfirmed: Set<RunID> = []
  private let approved: Locked<Set<InstructionID>>

  /// - Parameters:
  ///   - recorder: keeps what is recorded.
  ///   - approved: gets what the user approves, before it is entered in the ledger.
  init(beside recorder: any RecorderPort, approved: Locked<Set<InstructionID>>) {
    self.recorder = recorder
    self.approved = approved
  }

  /// What was not done; nil if everything was, or somebody was there who knows.
  var reason: (code: ExitCode, sentence: String)? {
    if isCut {
      return (
        Exit.stopped, "The agent waited for a decision that nobody could give any more, and was stopped in its work."
      )
    }
    if let signal { return (Exit.stopped, "\(signal) ended the session, and the agent was stopped in its work.") }
    if takesCommands || isTerminated { return nil }
    if isRefused { return (Exit.stopped, VoiceStep.refusedUnattended) }
    if let stopped { return (Exit.unavailable, "The agent stopped. \(stopped)") }
    return undecided.map {
      (Exit.stopped, "“\($0.text)”: \($0.reason) \(advice)")
    }
  }

  func record(_ step: VoiceStep) {
    // A hundred a second, and none of them ends anything.
    if case .microphoneFrame = step.event { return recorder.record(step) }
    let stopsWork = step.actions.contains {
      if case .cancelRun(let run) = $0 { run.rawValue > 0 && !cancelled.contains(run) } else { false }
    }
    for action in step.actions {
      switch action {
      case .cancelRun(let run) where run.rawValue > 0:
        if cancelled.insert(run).inserted { unconfirmed.insert(run) }
      case .show(.lapsed(_, let text, let reason)) where step.actions.contains(.end(outcome: .completed)):
        undecided = undecided ?? (text, reason)
      default: break
      }
    }
    if step.event == .commandsEnded { takesCommands = false }
    if !takesCommands, step.refusesUnattended { isRefused = true }
    switch step.event {
    case .sessionStarted(let settings): (takesCommands, advice) = (settings.takesCommands, settings.adviceToDecide)
    case .agentReported(let run, .turnEnded(.stopped(let reason))) where run.rawValue > 0 && !cancelled.contains(run):
      stopped = stopped ?? reason
    case .timerFired(.endOfInput): isCut = stopsWork
    case .agentReported(let run, .turnEnded): unconfirmed.remove(run)
    case .terminationRequested(let name):
      isTerminated = true
      if stopsWork || !unconfirmed.isEmpty { signal = name }
    default: break
    }
    recorder.record(step)
  }

  func enterInLedger(_ instruction: Instruction, as run: RunID) { recorder.enterInLedger(instruction, as: run) }
  func noteInLedger(_ entry: LedgerEntry) {
    if case .approved(let instruction) = entry { approved.withLock { _ = $0.insert(instruction) } }
    recorder.noteInLedger(entry)
  }
}

extension InteractionSettings {
  /// How something that was said comes to be sent where nobody is there to decide, as a sentence.
  fileprivate var adviceToDecide: String {
    guard mode == .direct else { return "Decide on standard input, or run it with --mode direct." }
    if !endWord.isEmpty { return "Say “\(endWord)” at its end, or give done on standard input." }
    return longThought ? "Give done on standard input." : "Decide on standard input."
  }
}

extension VoiceStep {
  /// Whether the agent asks in this step, or nobody decides any more from it on, and is told no at once.
  var refusesUnattended: Bool {
    switch event {
    case .commandsEnded, .agentReported(_, .permissionRequested), .agentReported(_, .questionAsked):
      actions.contains {
        switch $0 {
        case .answerPermission(_, _, let choice, _): !choice.allows
        case .answerQuestion(_, _, .declined): true
        default: false
        }
      }
    default: false
    }
  }

  /// What that means, as sentences.
  static let refusedUnattended =
    "The agent asked for what nobody could decide any more, and was refused. Decide on standard input."
}
