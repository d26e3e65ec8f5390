import Dispatch
import VoiceConfiguration
import VoiceConverse
import VoiceCore
import VoiceHistory
import VoiceJSON
import VoiceRecording
import VoiceSystem

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

/// One instruction in an agent's hands, from its start to its end, without a voice and without a record.
struct AskSession {
  /// How the answer is printed.
  enum Form { case text, json }

  /// How it ended.
  enum Outcome {
    case ended(AgentTurnEnd)
    /// The agent could not be started.
    case unavailable(reason: String)
  }

  private static let run = RunID(rawValue: 1)

  private let agent: any ConverseAgent
  private let inbox = EventInbox()
  private let form: Form
  private let shownMilliseconds: Int

  /// Nothing is started yet.
  init(_ plan: Plan, start: AgentSessionStart, form: Form) throws {
    agent = try makeAgent(plan, start: start) { [inbox] in inbox.post($0) }
    self.form = form
    shownMilliseconds = plan.shownMilliseconds
  }

  /// Hand the text to the agent and print what it says, until it is done.
  func run(_ text: String) async -> Outcome {
    Signals.watch { [inbox] in inbox.post($0) }
    Self.readCommands { [inbox] in inbox.post($0) }
    return await withTaskGroup(of: Void.self) { [agent] group in
      group.addTask { await agent.run() }
      agent.openAgent()
      let outcome = await follow(text)
      agent.shutDown()
      return outcome
    }
  }

  private func follow(_ text: String) async -> Outcome {
    var pending = PendingRequests(agent: agent, run: Self.run, shownMilliseconds: shownMilliseconds)
    var printer = AnswerPrinter(form: form)
    while let next = await inbox.next() {
      printer.print(next.event)
      // What is halted before it was handed on is not handed on.
      if pending.description == nil, next.event.isHalt { return .ended(.cancelled) }
      switch next.event {
      case .agentReady(let description):
        pending.description = description
        let instruction = Instruction(
          id: InstructionID(rawValue: 1), text: text, heard: nil, source: .keyboard)
        agent.startRun(Self.run, instruction)
      case .agentUnavailable(let reason): return .unavailable(reason: reason)
      case .agentReported(_, .turnEnded(let end)): return .ended(end)
      case .agentReported(_, let event): pending.take(event, at: next.time)
      case .commandGiven(let command): pending.obey(command, at: next.time)
      case .commandsEnded: pending.noMoreCommands(at: next.time)
      case .terminationRequested: pending.obey(.halt, at: next.time)
      default: break
      }
      for note in pending.takeNotes() { printer.note(note) }
    }
    return .unavailable(reason: "Nothing could happen any more.")
  }

  /// Lines of standard input, on a thread of their own that ends with the program.
  private static func readCommands(post: @escaping @Sendable (VoiceEvent) -> Void) {
    DispatchQueue(label: "parley.lines").async {
      while let line = readLine() {
        guard !line.trimmingWhitespace().isEmpty else { continue }
        if let command = UserCommand(line: line) {
          post(.commandGiven(command: command))
        } else {
          AnswerPrinter.note(
            "no", "“\(line)” is not a command. There are: approve, reject, choose NUMBER…, answer TEXT, explain, halt.")
        }
      }
      post(.commandsEnded)
    }
  }
}

extension VoiceEvent {
  fileprivate var isHalt: Bool {
    switch self {
    case .commandGiven(.halt), .commandGiven(.quit), .commandGiven(.leave), .terminationRequested: true
    default: false
    }
  }
}

/// What the agent asks, and the decisions on it: the oldest first. A line decides only about what was printed a while
/// before it came, as in a session; where that is set to nothing, a decision that comes before its question waits for it.
private struct PendingRequests {
  private enum Item {
    case permission(PermissionRequest)
    case question(AgentQuestion)

    func content(of run: RunID) -> HeldItem.Content {
      switch self {
      case .permission(let request): .permission(run: run, request: request)
      case .question(let question): .question(run: run, question: question)
      }
    }
  }

  private enum Commands { case open, over }

  let agent: any ConverseAgent
  let run: RunID
  var description: AgentDescription?
  private let shownMilliseconds: Int
  private var items: [Item] = []
  /// Whether all of the oldest item was printed, if that is more than is printed at once.
  private var wasShownWhole = false
  /// When the oldest item was printed as that.
  private var shownSince = SessionTime.zero
  private var waiting: [UserCommand] = []
  private var commands = Commands.open
  private var furtherCount = 1
  private var isHalted = false
  private var notes: [NoticeText] = []

  init(agent: any ConverseAgent, run: RunID, shownMilliseconds: Int) {
    self.agent = agent
    self.run = run
    self.shownMilliseconds = shownMilliseconds
  }

  mutating func takeNotes() -> [NoticeText] {
    defer { notes = [] }
    return notes
  }

  private mutating func refuse(_ reason: String) { notes.append(NoticeText("no", reason)) }

  private mutating func append(_ item: Item, at now: SessionTime) {
    if items.isEmpty { (shownSince, wasShownWhole) = (now, false) }
    items.append(item)
  }

  mutating func take(_ event: AgentEvent, at now: SessionTime) {
    let oldest = items.first?.content(of: run)
    switch event {
    case .permissionRequested(let request): append(.permission(request), at: now)
    case .questionAsked(let question): append(.question(question), at: now)
    case .permissionWithdrawn(let id):
      items.removeAll { if case .permission(let request) = $0 { request.id == id } else { false } }
    case .questionWithdrawn(let id):
      items.removeAll { if case .question(let question) = $0 { question.id == id } else { false } }
    default: return
    }
    if oldest != nil, items.first?.content(of: run) != oldest { printOldest(at: now) }
    decide(at: now)
  }

  /// Another item became the oldest.
  private mutating func printOldest(at now: SessionTime) {
    (shownSince, wasShownWhole) = (now, false)
    guard let item = items.first else { return }
    let held = HeldItem(id: HeldItemID(rawValue: 1), content: item.content(of: run), since: now)
    if let note = NoticeText(.held(item: held, position: 1)) { notes.append(note) }
  }

  mutating func obey(_ command: UserCommand, at now: SessionTime) {
    switch command {
    case .halt, .quit, .leave:
      // Who asks again while that is not confirmed wants it ended at any price.
      if isHalted { agent.abandonRun(run) } else { agent.cancelRun(run) }
      isHalted = true
    case .explain where shownMilliseconds > 0: explain(at: now)
    case .approve, .reject, .choose, .answer, .explain:
      if shownMilliseconds > 0 {
        guard !items.isEmpty else { return refuse("Nothing is asked yet, so this decides nothing.") }
        guard now >= shownSince.advanced(byMilliseconds: shownMilliseconds) else {
          return refuse(InteractionController.notShownYet)
        }
      }
      waiting.append(command)
      decide(at: now)
    case .say(let text):
      guard description?.capabilities.contains(.steer) == true else {
        return refuse("This agent takes nothing into running work.")
      }
      furtherCount += 1
      agent.steerRun(
        run, Instruction(id: InstructionID(rawValue: furtherCount), text: text, heard: nil, source: .keyboard))
    default:
      refuse("Nothing is spoken or held here. There are: approve, reject, choose, answer, explain, say, halt.")
    }
  }

  /// All of what is asked.
  private mutating func explain(at now: SessionTime) {
    guard case .permission(let request) = items.first else {
      return refuse("Nothing is asked that is not shown whole.")
    }
    if let note = NoticeText(.explained(item: HeldItemID(rawValue: 1), text: request.wholeText)) { notes.append(note) }
    if !request.isShownAtOnce, !wasShownWhole { (shownSince, wasShownWhole) = (now, true) }
  }

  /// Nobody can decide any more: whatever is asked is refused.
  mutating func noMoreCommands(at now: SessionTime) {
    commands = .over
    decide(at: now)
  }

  private mutating func decide(at now: SessionTime) {
    while let item = items.first {
      let command: UserCommand
      if !waiting.isEmpty {
        command = waiting.removeFirst()
      } else if commands == .over {
        refuse("Nobody can decide this, so it is refused.")
        command = .reject(reason: nil)
      } else {
        return
      }
      if command == .explain {
        explain(at: now)
      } else if apply(command, to: item) {
        items.removeFirst()
        printOldest(at: now)
      }
    }
  }

  /// Whether the command decides the item.
  private mutating func apply(_ command: UserCommand, to item: Item) -> Bool {
    switch (item, command) {
    case (.permission(let request), .approve):
      guard mayAllow(request) else { return false }
      answer(request, [.allowOnce, .allowAlways])
    case (.permission(let request), .reject(let reason)):
      answer(request, [.rejectOnce, .rejectAlways], because: reason)
    case (.permission(let request), .choose(let numbers)):
      guard numbers.count == 1, let number = numbers.first, request.choices.indices.contains(number - 1) else {
        refuse("This request has the answers 1 to \(request.choices.count).")
        return false
      }
      guard !request.choices[number - 1].allows || mayAllow(request) else { return false }
      answer(request, [request.choices[number - 1]])
    case (.question(let question), .choose(let numbers)):
      return answer(question, .options(indices: numbers.map { $0 - 1 }))
    case (.question(let question), .answer(let text)): return answer(question, .text(text: text))
    case (.question(let question), .reject(let reason)):
      let isTaken = answer(question, .declined)
      if let reason { tellReason(reason, of: question.text) }
      return isTaken
    default:
      refuse("That does not answer what is asked.")
      return false
    }
    return true
  }

  /// Whether all of what would be allowed was printed; if not, the user is told how to see it.
  private mutating func mayAllow(_ request: PermissionRequest) -> Bool {
    guard let objection = request.objection(toAllowing: wasShownWhole) else { return true }
    refuse(objection)
    return false
  }

  private mutating func answer(
    _ request: PermissionRequest, _ preferred: [PermissionRequest.Choice], because reason: String? = nil
  ) {
    // Nothing offered that means this: the first is sent, and the back end answers as it can.
    guard let choice = preferred.first(where: request.choices.contains) ?? preferred.first else { return }
    let hearsReasons = description?.capabilities.contains(.hearReason) == true
    agent.answerPermission(request.id, of: run, with: choice, because: hearsReasons ? reason : nil)
    if let reason, !hearsReasons { tellReason(reason, of: request.title) }
  }

  /// The agent was told no, and has no place for the reason beside that.
  private mutating func tellReason(_ reason: String, of title: String) {
    guard description?.capabilities.contains(.steer) == true else {
      return refuse("This agent takes no reason with a denial; it was not told “\(reason)”.")
    }
    furtherCount += 1
    var instruction = Instruction(
      id: InstructionID(rawValue: furtherCount), text: reason, heard: nil, source: .keyboard)
    instruction.remark = "This is why the user did not allow: “\(title)”."
    agent.steerRun(run, instruction)
  }

  private mutating func answer(_ question: AgentQuestion, _ answer: AgentQuestion.Answer) -> Bool {
    if let objection = question.objection(to: answer) {
      refuse(objection)
      return false
    }
    agent.answerQuestion(question.id, of: run, with: answer)
    return true
  }
}

/// What is printed: the answer on standard output, everything else on standard error; or every event as JSON.
private struct AnswerPrinter {
  let form: AskSession.Form
  private var atLineStart = true
  /// How the answer stands in a terminal; nil where it goes elsewhere, as it is.
  private var rows: AnswerRows?

  init(form: AskSession.Form) {
    self.form = form
    rows = TerminalRows.columns(of: STDOUT_FILENO).map { _ in AnswerRows() }
  }

  mutating func print(_ event: VoiceEvent) {
    if form == .json { return printJSON(event) }
    switch event {
    case .agentReported(_, .text(let delta)): say(delta)
    case .agentReported(_, .paragraphEnded): endLine()
    case .agentReported(_, .turnEnded): endLine()
    default: if let line = Self.line(event) { note(line) }
    }
  }

  private func printJSON(_ event: VoiceEvent) {
    switch event {
    case .agentReady, .agentUnavailable, .agentDelayed, .agentReported, .agentClosed: break
    default: return
    }
    Descriptors.offer(JSON(encoding: event).line, to: STDOUT_FILENO)
  }

  private static func line(_ event: VoiceEvent) -> NoticeText? {
    switch event {
    case .agentReady(let agent): return NoticeText(.agentReady(agent: agent))
    case .agentDelayed(let reason), .agentClosed(let reason): return NoticeText("warning", reason)
    case .agentReported(let run, let event):
      switch event {
      case .status(let text): return NoticeText("status", text)
      case .toolStarted(let tool): return NoticeText(.toolStarted(tool: tool))
      case .plan(let entries): return NoticeText(.plan(entries: entries))
      case .permissionRequested(let request):
        return held(.permission(run: run, request: request))
      case .questionAsked(let question): return held(.question(run: run, question: question))
      case .permissionWithdrawn, .questionWithdrawn:
        return NoticeText("lapsed", "The agent does not wait for an answer any more.")
      case .sessionReady(let session): return NoticeText("session", session.rawValue)
      case .steered: return NoticeText("steered", "The agent took it into the running work.")
      case .steeringRefused(_, let reason): return NoticeText("no", reason)
      default: return nil
      }
    default: return nil
    }
  }

  private static func held(_ content: HeldItem.Content) -> NoticeText? {
    let item = HeldItem(id: HeldItemID(rawValue: 1), content: content, since: .zero)
    return NoticeText(.held(item: item, position: 1))
  }

  private mutating func say(_ delta: String) {
    // Line ends belong to an answer; nothing else of it may drive a terminal.
    let text = delta.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).sanitized(limit: .max) }
      .joined(separator: "\n")
    let columns = TerminalRows.columns(of: STDOUT_FILENO) ?? .max
    Descriptors.offer(Array((rows?.append(text, columns: columns) ?? text).utf8), to: STDOUT_FILENO)
    if let last = text.last { atLineStart = last == "\n" }
  }

  private mutating func endLine() {
    if !atLineStart { Descriptors.offer([0x0A], to: STDOUT_FILENO) }
    atLineStart = true
    rows?.startLine()
  }

  mutating func note(_ note: NoticeText) {
    if isatty(STDOUT_FILENO) == 1, form == .text { endLine() }
    Self.write(note)
  }

  static func note(_ label: String, _ text: String) { write(NoticeText(label, text)) }

  private static func write(_ note: NoticeText) {
    let rows = TerminalRows.columns(of: STDERR_FILENO).map { note.rows(columns: $0) } ?? [note.line]
    Descriptors.offer(Array((rows.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
  }
}
