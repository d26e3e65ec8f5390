import VoiceLanguage
import VoiceVocabulary

/// The user's decisions on held items.
extension InteractionController {
  /// The user decided something, by key or by line.
  mutating func obey(_ command: UserCommand) {
    if command != .leave { quitting.commandGiven() }
    defer { if !command.isBeginning { held.endTyping() } }
    switch command {
    case .approve: approve()
    case .reject(let reason): if wasTypedAboutCurrent() { reject(because: reason) }
    case .choose(let numbers): choose(numbers)
    case .answer(let text): if wasTypedAboutCurrent() { answerQuestion(.text(text: text)) }
    case .steer: steer()
    case .beginEdit: beginEdit()
    case .beginTyping: held.beginTyping()
    // It was given up.
    case .endTyping: break
    case .amend(let text): amendTyped(text)
    case .extend: extend()
    case .done: endTurn()
    case .longThought: toggleLongThought()
    case .next: select(by: 1)
    case .previous: select(by: -1)
    case .again: sayAgain()
    case .explain: explain()
    case .say(let text): typed(text)
    case .mode(let mode):
      settings.mode = mode
      show(.mode(mode: mode))
    case .agentSetting(let setting, let name): agentSetting(setting, name)
    case .agentCommands: agentCommands()
    case .agentSession(let choice): agentSession(choice)
    case .agentApprovals(let number): agentApprovals(undo: number)
    case .listen(let isOn): listen(isOn)
    case .quiet:
      silence()
      show(.quieted)
    case .halt: haltOrEscalate()
    case .slower: changeRate(by: -1)
    case .faster: changeRate(by: 1)
    case .skip: skip()
    case .back: back()
    case .help: show(.help)
    case .quit:
      because("Ended: the user quit.")
      finish(.completed)
    case .leave: quitIfConfirmed()
    }
  }

  /// The current item, if it has been shown long enough to be decided; if not, or if nothing is held, the user is told.
  /// - Parameter isTyped: whether he decides by a line that he typed.
  private mutating func itemToDecide(else nothing: String = "Nothing is held.", isTyped: Bool = false) -> HeldItem? {
    guard let item = held.current else {
      show(.cannot(text: nothing))
      return nil
    }
    guard held.hasBeenShown(at: now, milliseconds: settings.shownMilliseconds(beforeCommand: isTyped)) else {
      because("Not decided: it had not been shown for \(settings.shownMilliseconds) ms when the user decided.")
      show(.cannot(text: Self.notShownYet))
      return nil
    }
    return item
  }

  /// Why what came up a moment ago is not decided.
  package static let notShownYet = "This has only just appeared. Read it, then decide again."

  /// Whether what the user typed is about the current item: if he began it about another one, he is told.
  private mutating func wasTypedAboutCurrent() -> Bool {
    guard let typedAbout = held.typedAbout, typedAbout != held.current?.id else { return true }
    because("Not decided: what was typed was about another item.")
    show(.cannot(text: "What you typed was about another item, which is no longer current."))
    return false
  }

  /// Approve the current item, if it was shown long enough and whole.
  mutating func approve() {
    guard let item = itemToDecide() else { return }
    switch item.content {
    case .instruction(let instruction):
      remove(item)
      let isLast = held.isEmpty
      because("Handed on: the user approved it, \(waited(since: item.since)) after it was held.")
      note(.approved(instruction: instruction.id))
      show(.approved(item: item.id, text: instruction.text))
      keep(words.approved(instruction))
      dispatch(instruction)
      // What is held now came up with that, and was shown and said as it did.
      if isLast { return }
    case .permission(let run, let request):
      guard mayAllow(request, item.id) else { return }
      if let reason = request.reasonNotToAllowOnce {
        because("Not allowed: to approve is to allow once, and the agent does not offer that.")
        return show(.cannot(text: reason))
      }
      remove(item)
      because("Allowed: the user approved it, \(waited(since: item.since)) after the agent asked.")
      answer(request, in: item.id, of: run, preferring: [.allowOnce])
    case .question(_, let question):
      let ways = question.options.isEmpty ? "Answer it in words" : "Choose an option by its number, or answer in words"
      return show(.cannot(text: "The agent asked a question. \(ways), or reject it."))
    }
    presentNext()
  }

  /// Whether all of what would be allowed was shown; if not, the user is told how to see it.
  private mutating func mayAllow(_ request: PermissionRequest, _ item: HeldItemID) -> Bool {
    guard let refusal = request.refusal(ofAllowing: held.wasShownWhole(item)) else { return true }
    because("Not allowed: not all of what would happen had been shown.")
    show(.cannot(text: refusal))
    return false
  }

  /// Reject the current item, or what was said so far of one; the reason goes to the agent that asked.
  mutating func reject(because reason: String? = nil) {
    if held.isEmpty, draft.instruction != nil {
      guard mayDropDraft(isTyped: reason != nil) else {
        because("Not dropped: another item was there a moment ago, or more was said since; that may be what is meant.")
        return show(.cannot(text: Self.notShownYet))
      }
      _ = dropDraft()
      return
    }
    guard let item = itemToDecide(isTyped: reason != nil) else { return }
    remove(item)
    switch item.content {
    case .instruction(let instruction):
      because("Dropped: the user rejected it, \(waited(since: item.since)) after it was held.")
      note(.rejected(instruction: instruction.id))
      show(.rejected(item: item.id, text: instruction.text))
    case .permission(let run, let request):
      because("Denied: the user rejected it, \(waited(since: item.since)) after the agent asked.")
      answer(request, in: item.id, of: run, preferring: [.rejectOnce, .rejectAlways], because: reason)
    case .question(let run, let question):
      because("Declined: the user did not want to answer.")
      held.answered(item.content)
      act(.answerQuestion(run: run, question: question.id, answer: .declined))
      show(.questionAnswered(item: item.id, question: question, answer: .declined))
      if let reason { tellReason(reason, of: question.text) }
    }
    presentNext()
  }

  /// Decide by numbers: options of a question, or one of a permission request's answers.
  mutating func choose(_ numbers: [Int]) {
    guard let item = itemToDecide(else: "The current item has no numbered answers.") else { return }
    switch item.content {
    case .question: answerQuestion(.options(indices: numbers.map { $0 - 1 }))
    case .permission(let run, let request):
      guard numbers.count == 1, let number = numbers.first, number > 0, number <= request.choices.count else {
        return show(.cannot(text: "This request has the answers 1 to \(request.choices.count)."))
      }
      guard !request.choices[number - 1].allows || mayAllow(request, item.id) else { return }
      remove(item)
      because("Answered as the user chose, by its number.")
      answer(request, in: item.id, of: run, preferring: [request.choices[number - 1]])
      presentNext()
    case .instruction: show(.cannot(text: "The current item has no numbered answers."))
    }
  }

  private mutating func answerQuestion(_ answer: AgentQuestion.Answer) {
    let isTyped = if case .text = answer { true } else { false }
    guard let item = itemToDecide(else: "No question is held.", isTyped: isTyped) else { return }
    guard case .question(let run, let question) = item.content else {
      return show(.cannot(text: "No question is held."))
    }
    if let refusal = question.refusal(of: answer) { return show(.cannot(text: refusal)) }
    remove(item)
    because("Answered by the user.")
    held.answered(item.content)
    act(.answerQuestion(run: run, question: question.id, answer: answer))
    show(.questionAnswered(item: item.id, question: question, answer: answer))
    presentNext()
  }

  /// Approve the held instruction into the work that runs.
  private mutating func steer() {
    let none = "No held instruction can be sent to the running agent."
    guard let item = itemToDecide(else: none) else { return }
    guard case .instruction(let instruction) = item.content else { return show(.cannot(text: none)) }
    if let reason = reasonNotToSteer { return show(.cannot(text: reason)) }
    remove(item)
    because("Handed into the running work: the user approved it for that.")
    note(.approved(instruction: instruction.id))
    show(.approved(item: item.id, text: instruction.text))
    steer(instruction)
    presentNext()
  }

  /// For reasons: how long something has waited.
  private func waited(since start: SessionTime) -> String {
    "\((now.microseconds - start.microseconds) / 1000) ms"
  }

  /// Answer what the agent asked with the first of these choices that it offers, and with a reason if the agent hears
  /// reasons; else the reason goes with the next instruction.
  mutating func answer(
    _ request: PermissionRequest, in item: HeldItemID, of run: RunID, preferring choices: [PermissionRequest.Choice],
    because reason: String? = nil
  ) {
    guard let first = choices.first else { preconditionFailure("an answer needs a preference") }
    // If nothing that is offered means this, the first preference is sent, and the back end answers as it can.
    let choice = choices.first { request.choices.contains($0) } ?? first
    let heard = hearsReasons ? reason.map(Self.shortened) : nil
    held.answered(.permission(run: run, request: request))
    act(.answerPermission(run: run, permission: request.id, choice: choice, reason: heard))
    if !choice.allows { note(.denied(run: run, act: request.title)) }
    show(.permissionAnswered(item: item, title: request.title, choice: choice))
    if choice == .allowAlways {
      approvals.given(request)
      show(.warning(text: "Allowed from now on, without being asked: \(request.alwaysWords)."))
    }
    if let reason, heard == nil { tellReason(reason, of: request.title) }
  }

  // MARK: Changing an instruction

  /// The current item, if it is an instruction.
  private var heldInstruction: (id: HeldItemID, instruction: Instruction)? {
    guard let item = held.current, case .instruction(let instruction) = item.content else { return nil }
    return (item.id, instruction)
  }

  private mutating func beginEdit() {
    guard let (id, instruction) = heldInstruction else {
      return show(.cannot(text: "There is no held instruction to edit."))
    }
    held.beginTyping()
    cut(.readBack(item: id))
    let alternatives = words.alternatives(to: instruction)
    show(.editing(text: instruction.text, alternatives: alternatives.isEmpty ? nil : alternatives))
  }

  /// The user typed a new text for a held instruction: for the one that he began to edit, or, as a line, for the current one.
  private mutating func amendTyped(_ text: String) {
    if held.typedAbout != nil {
      guard wasTypedAboutCurrent() else { return }
    } else if held.current != nil, itemToDecide(isTyped: true) == nil {
      return
    }
    amend(text, isTyped: true)
  }

  /// - Parameter isTyped: whether the user typed the text himself, and so has seen it.
  mutating func amend(_ text: String, isTyped: Bool) {
    let text = visible(text).trimmingWhitespace()
    guard let (id, instruction) = heldInstruction else {
      return show(.cannot(text: "There is no held instruction to edit."))
    }
    guard !text.isEmpty else { return show(.cannot(text: "An instruction cannot be empty; reject it to drop it.")) }
    guard text.utf8.count <= Limits.instructionCharacters else { return show(Self.tooLong(text)) }
    cut(.readBack(item: id))
    // A change by voice is a change of mind more often than a correction of what was misheard.
    if isTyped { keep(words.edited(instruction, to: text)) }
    held.amend(id, to: text, isTyped: isTyped, at: now)
    note(.amended(instruction: instruction.id, text: text))
    show(.amended(item: id, text: text))
  }

  /// What the user says next is added to the held instruction.
  private mutating func extend() {
    guard let (id, instruction) = heldInstruction else {
      return show(.cannot(text: "There is no held instruction to extend."))
    }
    cut(.readBack(item: id))
    held.extend(id)
    show(.extending(text: instruction.text))
  }

  /// Add an utterance to the held instruction that is being extended. Returns whether there is one.
  mutating func extendHeld(by text: String, from utterance: HeardUtterance) -> Bool {
    guard let id = held.extended, let item = held.first(where: { $0.id == id }),
      case .instruction(var instruction) = item.content
    else { return false }
    let ending = settings.turnEnding
    // A user who ends his turns himself may speak on beyond the next pause.
    if ending.isEnd(text, heard: "") { held.endExtension() }
    let said = ending.withoutWord(text) ?? text
    guard (instruction.text + " " + said).utf8.count <= Limits.instructionCharacters else { return false }
    extend(&instruction, by: said, from: utterance, ending)
    if let doubt = utterance.linkDoubt ?? soundDoubt(of: utterance) { show(.warning(text: doubt)) }
    held.join(id, as: instruction, at: now)
    because("Added to what is held: the user wanted to speak on.")
    note(.amended(instruction: instruction.id, text: instruction.text))
    show(.amended(item: id, text: instruction.text))
    if held.current?.id == id, held.extended == nil { present() }
    return true
  }

  /// Add what was said to an instruction, worded as an instruction of its own would be; the text before it, which the user has seen,
  /// stays as it is.
  private mutating func extend(
    _ instruction: inout Instruction, by said: String, from utterance: HeardUtterance, _ ending: TurnEnding
  ) {
    let heard = ending.withoutWord(utterance.heard) ?? utterance.heard
    guard !said.isEmpty || !heard.isEmpty else { return }
    let hearing = utterance.hearing.trimmed(to: heard, ending)
    let meant = MeantText(said: said)
    if meant.text != said { show(.selfCorrected(said: said, meant: meant.text)) }
    let piece = words.repaired(meant, heard: heard, hearing)
    instruction.heard = instruction.heard(with: said, heard: heard)
    words.remember(heard, hearing, as: instruction.id)
    let before = instruction.text.split(separator: " ", omittingEmptySubsequences: false).count
    let notes = (instruction.repair?.notes ?? []) + piece.notes.map { $0.behind(words: before) }
    if !notes.isEmpty {
      let raw = (instruction.repair?.raw ?? instruction.text) + " " + said
      instruction.repair = InstructionRepair(raw: raw, notes: notes)
    }
    if !piece.text.isEmpty { instruction.text += " " + piece.text }
  }

  private static func tooLong(_ text: String) -> Notice {
    .cannot(text: "An instruction of \(text.utf8.count) bytes is too long; it was not taken.")
  }

  /// A typed instruction goes the same way as a spoken one.
  private mutating func typed(_ text: String) {
    let text = visible(text).trimmingWhitespace()
    guard !text.isEmpty else { return show(.cannot(text: "There is nothing to send.")) }
    guard text.utf8.count <= Limits.instructionCharacters else { return show(Self.tooLong(text)) }
    guard held.hasRoom else {
      return show(.cannot(text: "\(Limits.heldItems) items wait already; decide some of them first. It was not taken."))
    }
    let instruction = Instruction(id: numbering.instruction(), text: text, heard: nil, source: .keyboard)
    note(.proposed(instruction: instruction))
    switch settings.mode {
    case .review:
      because(Self.heldForReview)
      hold(.instruction(instruction: instruction))
    case .direct:
      because("Handed on: in direct mode what is typed is sent at once.")
      dispatch(instruction)
    }
  }

  /// Tell the user what was learned, and keep it.
  private mutating func keep(_ corrections: [Correction]) {
    guard !corrections.isEmpty else { return }
    for correction in corrections { show(.learned(correction: correction)) }
    act(.keepCorrections(corrections: corrections))
  }
}

extension UserCommand {
  /// Whether it only begins what the next command completes.
  fileprivate var isBeginning: Bool { self == .beginEdit || self == .beginTyping }
}
