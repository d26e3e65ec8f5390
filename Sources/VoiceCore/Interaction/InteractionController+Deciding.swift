/// Held items and the user's decisions on them.
extension InteractionController {
  mutating func hold(_ content: HeldItem.Content) {
    let item = HeldItem(id: numbering.heldItem(), content: content, since: now)
    held.append(item)
    if case .instruction(let instruction) = content { note(.held(instruction: instruction.id)) }
    show(.held(item: item, position: held.count))
    if held.count == 1 { presentFirst() } else { act(.playEarcon(earcon: .waiting)) }
  }

  /// Say aloud what waits for a decision.
  private mutating func presentFirst() {
    guard let item = held.first else { return }
    switch item.content {
    case .instruction(let instruction):
      let question = instruction.source == .ledger ? "Left over from a session that broke off. Send" : "Send"
      if settings.readsBack { say("\(question): \(instruction.text)", .readBack(item.id)) }
    case .permission(_, let request):
      act(.playEarcon(earcon: .waiting))
      say("The agent asks. \(request.title). Allow it?", .readBack(item.id))
    case .question(_, let question):
      act(.playEarcon(earcon: .waiting))
      say("The agent asks. \(question.spoken)", .readBack(item.id))
    }
  }

  mutating func obey(_ command: UserCommand) {
    switch command {
    case .approve: approve()
    case .reject: rejectFirst()
    case .choose(let numbers): choose(numbers)
    case .answer(let text): answerFirst(.text(text: text))
    case .steer: steer()
    case .beginEdit: beginEdit()
    case .amend(let text): amend(text)
    case .say(let text): typed(text)
    case .mode(let mode):
      settings.mode = mode
      show(.mode(mode: mode))
    case .quiet:
      silence()
      show(.quieted)
    case .halt:
      if !run.canBeHalted {
        silence()
        show(.cannot(text: "Nothing is running."))
      } else {
        halt()
      }
    case .again:
      if held.isEmpty { show(.cannot(text: "Nothing is held.")) } else { presentFirst() }
    case .help: show(.help)
    case .quit:
      because("Ended: the user quit.")
      finish(.completed)
    }
  }

  private mutating func approve() {
    if case .question(_, let question) = held.first?.content {
      let ways = question.options.isEmpty ? "Answer it in words" : "Choose an option by its number, or answer in words"
      return show(.cannot(text: "The agent asked a question. \(ways), or reject it."))
    }
    guard let item = takeFirst() else { return }
    switch item.content {
    case .instruction(let instruction):
      because("Handed on: the user approved it, \(waited(since: item.since)) after it was held.")
      note(.approved(instruction: instruction.id))
      show(.approved(text: instruction.text))
      handOn(instruction)
    case .permission(let run, let request):
      because("Allowed: the user approved it, \(waited(since: item.since)) after the agent asked.")
      answer(request, of: run, preferring: [.allowOnce, .allowAlways])
    case .question: preconditionFailure("a question cannot be approved")
    }
    presentFirst()
  }

  /// Decide the oldest held item by numbers: options of a question, or one of a permission request's answers.
  private mutating func choose(_ numbers: [Int]) {
    switch held.first?.content {
    case .question: answerFirst(.options(indices: numbers.map { $0 - 1 }))
    case .permission(let run, let request):
      guard numbers.count == 1, let number = numbers.first, request.choices.indices.contains(number - 1) else {
        return show(.cannot(text: "This request has the answers 1 to \(request.choices.count)."))
      }
      _ = takeFirst()
      because("Answered as the user chose, by its number.")
      answer(request, of: run, preferring: [request.choices[number - 1]])
      presentFirst()
    case .instruction, nil: show(.cannot(text: "Nothing is held that has numbered answers."))
    }
  }

  private mutating func answerFirst(_ answer: AgentQuestion.Answer) {
    guard case .question(let run, let question) = held.first?.content else {
      return show(.cannot(text: "No question is held."))
    }
    if let objection = question.objection(to: answer) { return show(.cannot(text: objection)) }
    _ = takeFirst()
    because("Answered by the user.")
    act(.answerQuestion(run: run, question: question.id, answer: answer))
    show(.questionAnswered(question: question, answer: answer))
    presentFirst()
  }

  /// Approve the oldest held instruction into the work that runs.
  private mutating func steer() {
    guard case .instruction(let instruction) = held.first?.content else {
      return show(.cannot(text: "No instruction is held that could go into the running work."))
    }
    if let objection = steeringObjection { return show(.cannot(text: objection)) }
    _ = takeFirst()
    because("Handed into the running work: the user approved it for that.")
    note(.approved(instruction: instruction.id))
    handInto(instruction)
    presentFirst()
  }

  private mutating func rejectFirst() {
    guard let item = takeFirst() else { return }
    switch item.content {
    case .instruction(let instruction):
      because("Dropped: the user rejected it, \(waited(since: item.since)) after it was held.")
      note(.rejected(instruction: instruction.id))
      show(.rejected(text: instruction.text))
    case .permission(let run, let request):
      because("Denied: the user rejected it, \(waited(since: item.since)) after the agent asked.")
      answer(request, of: run, preferring: [.rejectOnce, .rejectAlways])
    case .question(let run, let question):
      because("Declined: the user did not want to answer.")
      act(.answerQuestion(run: run, question: question.id, answer: .declined))
      show(.questionAnswered(question: question, answer: .declined))
    }
    presentFirst()
  }

  /// For reasons: how long something has waited.
  private func waited(since start: SessionTime) -> String {
    "\((now.microseconds - start.microseconds) / 1000) ms"
  }

  private mutating func answer(
    _ request: PermissionRequest, of run: RunID, preferring choices: [PermissionRequest.Choice]
  ) {
    guard let first = choices.first else { preconditionFailure("an answer needs a preference") }
    // Nothing offered that means this: the first preference is sent, and the back end answers as it can.
    let choice = choices.first { request.choices.contains($0) } ?? first
    act(.answerPermission(run: run, permission: request.id, choice: choice))
    show(.permissionAnswered(title: request.title, choice: choice))
  }

  private mutating func beginEdit() {
    guard let item = held.first, case .instruction(let instruction) = item.content else {
      return show(.cannot(text: "No instruction is held that could be edited."))
    }
    cut(.readBack(item.id))
    show(.editing(text: instruction.text))
  }

  private mutating func amend(_ text: String) {
    let text = text.trimmingWhitespace()
    guard let item = held.first, case .instruction(var instruction) = item.content else {
      return show(.cannot(text: "No instruction is held that could be edited."))
    }
    guard !text.isEmpty, text.utf8.count <= Limits.instructionCharacters else {
      return show(.cannot(text: "An instruction needs a text; reject it to drop it."))
    }
    cut(.readBack(item.id))
    instruction.text = text
    note(.amended(instruction: instruction.id, text: text))
    held[0].content = .instruction(instruction: instruction)
    show(.amended(text: text))
  }

  /// A typed instruction takes the same way as a spoken one.
  private mutating func typed(_ text: String) {
    let text = text.trimmingWhitespace()
    guard !text.isEmpty, text.utf8.count <= Limits.instructionCharacters else {
      return show(.cannot(text: "There is nothing to send."))
    }
    let instruction = Instruction(id: numbering.instruction(), text: text, heard: nil, source: .keyboard)
    note(.proposed(instruction: instruction))
    switch settings.mode {
    case .review:
      because(Self.heldForReview)
      hold(.instruction(instruction: instruction))
    case .direct:
      because("Handed on: in direct mode what is typed is sent at once.")
      handOn(instruction)
    }
  }

  static let heldForReview = "Held: in review mode nothing is sent without an approval."

  /// What an earlier session left over is held in any mode: nobody knows whether the agent has it already.
  mutating func recovered(_ text: String, _ origin: Instruction.Origin) {
    let instruction = Instruction(
      id: numbering.instruction(), text: text, heard: nil, source: .ledger, origin: origin)
    note(.proposed(instruction: instruction))
    because("Held: session \(origin.session) broke off before it was confirmed, and nothing is sent again by itself.")
    hold(.instruction(instruction: instruction))
  }

  /// Remove the oldest held item, to be decided now.
  private mutating func takeFirst() -> HeldItem? {
    guard let item = held.first else {
      show(.cannot(text: "Nothing is held."))
      return nil
    }
    if let lastLapse, now < lastLapse.advanced(byMilliseconds: Limits.decisionReactionMilliseconds) {
      because("Not decided: what was asked had just changed, and the decision was meant for what is gone.")
      show(.cannot(text: "What is asked has just changed: look again, and decide."))
      return nil
    }
    held.removeFirst()
    cut(.readBack(item.id))
    return item
  }

  /// Requests and questions of a run that cannot be answered any more.
  mutating func dropRequests(because reason: String, where matches: (RunID, HeldItem.Content) -> Bool) {
    let firstBefore = held.first?.id
    for item in held {
      guard let (run, title) = item.content.request, matches(run, item.content) else { continue }
      held.removeAll { $0.id == item.id }
      cut(.readBack(item.id))
      show(.lapsed(text: title, reason: reason))
    }
    if held.first?.id != firstBefore {
      lastLapse = now
      presentFirst()
    }
  }
}

extension HeldItem.Content {
  /// The run that waits for this item, and one line of what it asks; nil for an instruction.
  fileprivate var request: (run: RunID, title: String)? {
    switch self {
    case .instruction: nil
    case .permission(let run, let request): (run, request.title)
    case .question(let run, let question): (run, question.text)
    }
  }
}
