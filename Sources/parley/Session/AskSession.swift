import Synchronization
import VoiceConfiguration
import VoiceConverse
import VoiceCore
import VoiceFoundation
import VoiceHistory
import VoiceJSON
import VoiceLoop
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// One instruction in an agent's hands, from its start to its end, without a voice and without a record: a session whose
/// ports are those of a person who types.
struct AskSession {
  /// How the answer is printed.
  enum Form { case text, json }

  /// How it ended.
  enum Outcome {
    case ended(AgentTurnEnd)
    /// The agent could not be started.
    case unavailable(reason: String)
    /// It is done, but for what it has left in the background, which is not waited for any longer.
    case leftBehind(reason: String)
    /// It is done, and what it said did not all go out.
    case unprinted(reason: Descriptors.Failure)
  }

  private let agent: any ConverseAgent
  private let inbox = EventInbox()
  private let output = OutputQueue()
  private let form: Form
  private let settings: InteractionSettings
  private let told: String?

  /// Nothing is started yet.
  /// - Parameter told: which session is gone on with.
  init(_ plan: Plan, start: AgentSessionStart, told: String? = nil, form: Form) throws {
    self.told = told
    agent = try makeAgent(plan, start: start, pace: inbox.pace) { [inbox] in inbox.post($0) }
    self.form = form
    settings = InteractionSettings {
      $0.mode = .direct
      $0.readsBack = false
      $0.playsModelVoice = false
      $0.spokenDecisions = .none
      $0.duringRun = .steer
      $0.tellsWhatWasHeard = false
      $0.hasMicrophone = false
      $0.shownMilliseconds = plan.shownMilliseconds
      $0.unattended = .refuses
      $0.backgroundMilliseconds = plan.backgroundSeconds * 1000
      $0.keepsUnsent = false
    }
  }

  /// Hand the text to the agent and print what it says, until it is done.
  func run(_ text: String) async -> Outcome {
    let post: @Sendable (VoiceEvent) -> Void = { [inbox] in inbox.post($0) }
    inbox.post(.sessionStarted(settings: settings))
    Signals.watch(post: post)
    if let told, form == .text { output.put(NoticeText("session", told)) }
    let lines = TypedLines()
    lines.read(post: post, output)
    return await withTaskGroup(of: Void.self) { [agent, inbox, output, form, settings] group in
      group.addTask { await agent.run() }
      let typed = TypedConversation(
        text, and: lines, inbox: inbox, printer: AnswerPrinter(output, form: form),
        decidesInAdvance: settings.shownMilliseconds == 0)
      let unheard = Unheard(post: post)
      var session = VoiceSession(
        ports: VoicePorts(
          audio: unheard, liveModel: unheard, readout: unheard, agent: agent,
          timers: RealTimers(now: { inbox.now }, post: post), console: typed, recorder: typed))
      let end = await session.run(typed)
      inbox.stopPacing()
      agent.shutDown()
      typed.finish()
      // Whoever ends the program does not wait for a reader that has stopped reading.
      output.finish(isUrgent: typed.isToldToEnd)
      if case .failed(let reason) = end, case .ended(.completed) = typed.outcome { return .leftBehind(reason: reason) }
      if typed.isRefused, case .ended(.completed) = typed.outcome {
        return .leftBehind(reason: VoiceStep.refusedUnattended)
      }
      if let reason = typed.unprinted, case .ended(.completed) = typed.outcome { return .unprinted(reason: reason) }
      return typed.outcome ?? .unavailable(reason: "Nothing could happen any more.")
    }
  }
}

/// Lines of standard input.
final class TypedLines: Sendable {
  private let isOver = Atomic(false)

  /// Read them on a thread of their own that ends with the program.
  func read(post: @escaping @Sendable (VoiceEvent) -> Void, _ output: OutputQueue) {
    SystemThread.detach(for: "standard input") { [self] in
      let refuse = { (text: String) in output.put(NoticeText("cannot", text)) }
      InputLines.read(
        obey: { line in
          if let command = UserCommand(line: line) {
            post(.commandGiven(command: command))
          } else {
            refuse(UserCommand.refusal(of: line, hasSound: false))
          }
        }, refuse: refuse)
      post(.commandsEnded)
      isOver.store(true, ordering: .releasing)
    }
  }

  /// What was typed before this is called is posted before it returns, on a machine so busy that it was not read yet as well.
  func settle() async {
    for _ in 0..<Limits.typedLineLooks where !isOver.load(ordering: .acquiring) {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) == 1 else { return }
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    }
  }
}

/// The person at the other end of an `ask`, who types and reads: says the one instruction once the agent is ready, and
/// leaves when nothing is at work any more. Used by the session's task alone.
final class TypedConversation: EventSource, ConsolePort, RecorderPort {
  /// Whether more may be typed.
  private enum Input { case open, over, endRequested }

  private let lines: TypedLines
  private let inbox: EventInbox
  private var printer: AnswerPrinter
  /// Whether a decision that comes before its question waits for it, as a script's does.
  private let decidesInAdvance: Bool
  /// The instruction, and behind it what was typed before the agent was ready; nil once it was.
  private var unsaid: [String]?
  private var status = SessionStatus()
  /// Decisions that came before their questions, and at their end that no more come.
  private var waiting: [VoiceEvent] = []
  /// The one of them whose question has come up, until it is its turn.
  private var offered: VoiceEvent?
  private var input = Input.open
  /// What was said, and how much of that the agent was given.
  private var said: [String] = []
  /// How many of those that waited for the agent are still on their way to the controller.
  private var unheardCount = 0
  private var givenCount = 0
  /// How it ended: as the first run that did not end well, if there is one.
  private(set) var outcome: AskSession.Outcome?
  /// Whether the agent was told no because nobody could decide any more.
  private(set) var isRefused = false
  /// Why not all of the answer was printed.
  var unprinted: Descriptors.Failure? { printer.failure }

  /// - Parameters:
  ///   - text: the instruction.
  ///   - lines: what is typed beside it; read already.
  ///   - decidesInAdvance: whether a decision that comes before its question waits for it.
  init(_ text: String, and lines: TypedLines, inbox: EventInbox, printer: AnswerPrinter, decidesInAdvance: Bool) {
    unsaid = [text]
    self.lines = lines
    self.inbox = inbox
    self.printer = printer
    self.decidesInAdvance = decidesInAdvance
  }

  // MARK: What happens

  func next() async -> StampedEvent? {
    if outcome == nil { outcome = outcomeOfNothing }
    if isOver {
      if input == .open { await lines.settle() }
      // What was typed meanwhile is said first.
      if !inbox.hasUrgent { inbox.post(.commandGiven(command: .quit)) }
    } else if status.held > 0, offered == nil, !waiting.isEmpty {
      printer.settle()
      let decision = waiting.removeFirst()
      offered = decision
      inbox.post(decision)
    }
    while var next = await inbox.next() {
      let isOffered = next.event == offered
      if isOffered { offered = nil }
      if next.event.asksForTheEnd, !isOver {
        // The agent is stopped before the program goes, and what it answers to that is printed.
        input = .endRequested
        outcome = outcome ?? outcomeOfNothing
        next.event = .commandGiven(command: outcome == nil ? .halt : .quit)
      }
      switch next.event {
      case .agentReady:
        unheardCount = unsaid?.count ?? 0
        for text in unsaid.take() ?? [] { inbox.post(.commandGiven(command: .say(text: text))) }
      case .commandGiven(.say(let text)) where unsaid != nil:
        unsaid?.append(text)
        continue
      case .commandGiven(.halt) where unsaid != nil:
        // What is halted before it was sent is not sent.
        outcome = .ended(.cancelled)
        next.event = .commandGiven(command: .quit)
      // Nobody decides about what could not be shown.
      case .commandGiven(let command) where command.needsHeldItem && printer.isUnseen: continue
      case .commandGiven(let command) where decidesInAdvance && command.needsHeldItem && status.held == 0:
        // Its question went away meanwhile; the next one is not for what was typed behind it.
        waiting.insert(next.event, at: isOffered ? 0 : waiting.endIndex)
        continue
      case .commandsEnded:
        if input == .open { input = .over }
        if !isOffered, offered != nil || !waiting.isEmpty {
          waiting.append(next.event)
          continue
        }
      default: break
      }
      return next
    }
    return nil
  }

  /// Whether a run did not end well, or there is no agent.
  private var hasFailed: Bool {
    switch outcome {
    case .none, .ended(.completed): false
    default: true
    }
  }

  /// Whether the program was told to end before it was done.
  var isToldToEnd: Bool { input == .endRequested }

  /// Whether nothing is at work any more, and nothing can be decided that would be.
  private var isOver: Bool {
    guard outcome != nil else { return false }
    return hasFailed || (!isAtWork && (status.held == 0 || input != .open))
  }

  private var isAtWork: Bool { status.isWorking || status.owesWork || status.queued > 0 }

  /// How it ends where nothing is at work, and nothing was; nil while anything may still be.
  private var outcomeOfNothing: AskSession.Outcome? {
    guard unsaid == nil, !isAtWork else { return nil }
    switch input {
    case .open: return nil
    case .endRequested: return .ended(.cancelled)
    case .over where unheardCount > 0 || offered != nil || !waiting.isEmpty: return nil
    case .over where status.held > 0:
      return .leftBehind(reason: "It was held, and nobody could approve it: it was not sent.")
    // What was halted before it left has no end of its own.
    case .over: return .ended(.cancelled)
    }
  }

  // MARK: What is told

  func show(_ status: SessionStatus) { self.status = status }

  func show(_ notice: Notice) {
    // What becomes of an instruction that failed is the business of whoever asks again.
    if !hasFailed { printer.print(notice) }
  }

  func record(_ step: VoiceStep) {
    printer.print(step.event)
    if input != .open, step.refusesUnattended { isRefused = true }
    switch step.event {
    case .commandGiven(.say(let text)):
      said.append(text)
      unheardCount = max(0, unheardCount - 1)
    case .agentReported(let run, .turnStarted) where run.rawValue > 0: givenCount += 1
    case .agentReported(_, .steered): givenCount += 1
    case .agentUnavailable(let reason): outcome = .unavailable(reason: reason)
    case .agentReported(_, .turnEnded(let end)):
      if !hasFailed { outcome = .ended(end) }
    default: break
    }
  }

  /// Print what is left of the answer, and tell what waited behind a run that did not end well. What became of the first is the
  /// outcome.
  func finish() {
    printer.endLine()
    for text in said.dropFirst(max(1, givenCount)) {
      printer.note(NoticeText("unsent", "“\(text)” was not sent."))
    }
  }

  // Nothing is recorded.
  func enterInLedger(_ instruction: Instruction, as run: RunID) {
    inbox.post(.ledgerEntered(instruction: instruction.id))
  }
  func noteInLedger(_ entry: LedgerEntry) {}
}

extension VoiceEvent {
  /// Whether the program is asked to end.
  fileprivate var asksForTheEnd: Bool {
    switch self {
    case .terminationRequested, .commandGiven(.quit), .commandGiven(.leave): true
    default: false
    }
  }
}

/// Nobody listens and nobody is heard: what is to be said is said at once.
private struct Unheard: SilentSound {
  let post: @Sendable (VoiceEvent) -> Void

  func finishPlaying(_ speech: SpeechID) { post(.playbackEnded(speech: speech)) }
  func clearPlayback() { post(.playbackCleared(speech: nil, heardMilliseconds: 0)) }
  func openLink(_ connection: ConnectionID, resuming: Bool) { post(.linkReady(connection: connection, resumed: false)) }
  func speak(_ text: String, as speech: SpeechID) { post(.speechEnded(speech: speech)) }
}
