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
    }
  }

  mutating func obey(_ command: UserCommand) {
    switch command {
    case .approve: approve()
    case .reject: rejectFirst()
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
      if run.running == nil {
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
    }
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
    held.removeFirst()
    cut(.readBack(item.id))
    return item
  }

  /// Permission requests that cannot be answered any more.
  mutating func dropPermissions(because reason: String, where matches: (RunID, PermissionRequest) -> Bool) {
    let firstBefore = held.first?.id
    for item in held {
      guard case .permission(let run, let request) = item.content, matches(run, request) else { continue }
      held.removeAll { $0.id == item.id }
      cut(.readBack(item.id))
      show(.lapsed(text: request.title, reason: reason))
    }
    if let first = held.first?.id, first != firstBefore { presentFirst() }
  }
}
