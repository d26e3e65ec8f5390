import ArgumentParser
import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import parley

/// What a piped session that has ended in order has left undone.
struct UndoneWorkTests {
  private let run = RunID(rawValue: 1)

  /// The exit code after these steps, each an event and what followed from it.
  private func code(_ steps: [(VoiceEvent, [VoiceAction])], takesCommands: Bool = false) -> Int32? {
    reason(steps, .init { $0.takesCommands = takesCommands })?.code.rawValue
  }

  private func reason(
    _ steps: [(VoiceEvent, [VoiceAction])], _ settings: InteractionSettings
  ) -> (code: ExitCode, sentence: String)? {
    let undone = UndoneWork(beside: Unrecorded(), approved: Locked([]))
    let start = VoiceEvent.sessionStarted(settings: settings)
    for (number, step) in ([(start, [])] + steps).enumerated() {
      undone.record(VoiceStep(sequence: number, time: .zero, event: step.0, actions: step.1))
    }
    return undone.reason
  }

  private var stopped: VoiceEvent {
    .agentReported(run: run, event: .turnEnded(end: .stopped(reason: "No more turns.")))
  }

  @Test func anAgentThatStoppedByItselfHasNotDoneIt() {
    #expect(code([(stopped, [])]) == 69)
    #expect(code([(stopped, [])], takesCommands: true) == nil, "a person sees it")
    #expect(code([(stopped, []), (.commandsEnded, [])], takesCommands: true) == 69)
  }

  @Test func anAgentThatWasToldToStopHasDoneThat() {
    let halt = (VoiceEvent.commandGiven(command: .halt), [VoiceAction.cancelRun(run: run)])
    #expect(code([halt, (stopped, [])]) == nil)
  }

  @Test func whatNobodyCouldDecideIsCutAtTheEndOfTheInput() {
    let end = VoiceEvent.timerFired(timer: .endOfInput)
    #expect(code([(end, [.cancelRun(run: run)]), (stopped, [])]) == 75)
    #expect(code([(end, [])]) == nil)
  }

  @Test func whatASignalCutsIsNotDone() {
    let end = (VoiceEvent.terminationRequested(signal: "SIGTERM"), [VoiceAction.cancelRun(run: run)])
    #expect(code([end], takesCommands: true) == 75)
    #expect(code([(end.0, [])], takesCommands: true) == nil, "nothing was being done")
    let halt = (VoiceEvent.commandGiven(command: .halt), [VoiceAction.cancelRun(run: run)])
    #expect(code([halt, end]) == 75, "that the agent had stopped nobody has confirmed")
    #expect(code([halt, (stopped, []), end]) == nil, "who ended it had stopped the work before")
  }

  @Test func whatNobodyApprovedIsUndone() {
    let lapsed = VoiceAction.show(
      notice: .lapsed(item: nil, text: "run the tests", reason: "Nobody approved it; it was not sent."))
    let end = (VoiceEvent.timerFired(timer: .endOfInput), [lapsed, VoiceAction.end(outcome: .completed)])
    #expect(code([end]) == 75)
    #expect(code([end], takesCommands: true) == nil, "who quits was asked")
    #expect(code([(.commandGiven(command: .halt), [lapsed])]) == nil, "halted before it was sent, and told so")
  }

  /// To be told what one does already helps nobody.
  @Test func theAdviceIsAboutWhatWasNotDone() {
    let lapsed = VoiceAction.show(notice: .lapsed(item: nil, text: "run the tests", reason: "It was not sent."))
    let end = (VoiceEvent.timerFired(timer: .endOfInput), [lapsed, VoiceAction.end(outcome: .completed)])
    func advice(_ change: (inout InteractionSettings) -> Void) -> String? {
      let sentence = reason([end], .init(change))?.sentence
      return sentence.map { String($0.dropFirst("“run the tests”: It was not sent. ".count)) }
    }
    let (review, held) = ("Decide on standard input, or run it with --mode direct.", "Decide on standard input.")
    #expect(advice { $0.takesCommands = false } == review)
    #expect(advice { ($0.takesCommands, $0.mode) = (false, .direct) } == held)
    #expect(
      advice { ($0.takesCommands, $0.mode, $0.endWord) = (false, .direct, "over") }
        == "Say “over” at its end, or give done on standard input.")
    #expect(
      advice { ($0.takesCommands, $0.mode, $0.longThought) = (false, .direct, true) } == "Give done on standard input.")
  }
}

/// A recorder that keeps nothing.
private struct Unrecorded: RecorderPort {
  func record(_ step: VoiceStep) {}
  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}
