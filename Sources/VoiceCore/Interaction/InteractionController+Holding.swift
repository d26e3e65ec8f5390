import VoiceLanguage
package import VoiceVocabulary

/// What waits for a decision, and how the user learns of it.
extension InteractionController {
  /// Hold an item behind all others, show it, and say it if it is the only one.
  ///
  /// - Parameters:
  ///   - returned: why an instruction that was meant to be sent is held again.
  ///   - isDoubted: whether it may be nobody's words.
  mutating func hold(_ content: HeldItem.Content, returned: ReturnedInstruction? = nil, isDoubted: Bool = false) {
    let item = HeldItem(id: numbering.heldItem(), content: content, since: now)
    held.append(item, returned: returned, isDoubted: isDoubted)
    if case .instruction(let instruction) = content { note(.held(instruction: instruction.id)) }
    show(.held(item: item, position: held.count))
    armAnswerLimit(item)
    guard held.count > 1 else { return presentSoon(item) }
    act(.playEarcon(earcon: .waiting))
    if !isDoubted, isAnnounced(content) { say(.heldBehind(content), .readBack(item: item.id)) }
  }

  /// Whether an item that comes behind another is announced aloud: not in the middle of a sentence that goes on, and never in words that
  /// decide, since those do not count from a user who has just heard the program say them.
  private func isAnnounced(_ content: HeldItem.Content) -> Bool {
    guard case .instruction(let instruction) = content else { return true }
    return settings.readsBack && TextCompleteness(of: instruction.text) != .unfinished
      && !SpokenDecision.namesWhatIsHeld(instruction.text)
  }

  /// Hold what the agent asks; refuse it if too much waits already, or nobody can decide.
  mutating func holdRequest(_ content: HeldItem.Content) {
    switch held.asked(content) {
    case .anew: break
    case .stillHeld: return because("Still held: the agent waits for it in another run now.")
    case .answered: return because("Ignored: it was answered in the run before, and that answer is on its way.")
    }
    if deniesUnattended { return denyUnattended(content) }
    if held.hasRoom { return hold(content) }
    because("Refused: \(Limits.heldItems) items wait already.")
    deny(content)
    show(.warning(text: "Refused, because \(Limits.heldItems) items wait already: \(content.title)"))
  }

  /// No decision can come any more.
  mutating func commandsEnded() {
    input.commandsEnded()
    guard deniesUnattended else { return }
    for item in held where item.content.isRequest {
      remove(item)
      denyUnattended(item.content)
    }
  }

  private var deniesUnattended: Bool { settings.unattended == .refuses && !input.takesCommands }

  private mutating func denyUnattended(_ content: HeldItem.Content) {
    because("Refused: nobody can decide any more, and the agent is not to wait for that.")
    deny(content)
    show(.warning(text: "Nobody can decide this, so it is refused. \(content.title.asSentence)"))
  }

  /// Tell the agent no.
  private mutating func deny(_ content: HeldItem.Content) {
    held.answered(content)
    switch content {
    case .permission(let run, let request):
      act(.answerPermission(run: run, permission: request.id, choice: denial(of: request)))
      note(.denied(run: run, act: request.title))
    case .question(let run, let question): act(.answerQuestion(run: run, question: question.id, answer: .declined))
    case .instruction: preconditionFailure("an agent asks for no instruction")
    }
  }

  private func denial(of request: PermissionRequest) -> PermissionRequest.Choice {
    [.rejectOnce, .rejectAlways].first { request.choices.contains($0) } ?? .rejectOnce
  }

  /// A text of whoever it may be from, without what nobody can see: that is no part of what is decided about.
  func visible(_ text: String) -> String { text.withoutHiddenSigns }

  /// The reason why an instruction is held in review mode.
  static let heldForReview = "Held: in review mode nothing is sent without an approval."

  /// What an earlier session left over is held in any mode: nobody knows whether the agent has it already.
  mutating func recovered(_ text: String, _ origin: Instruction.Origin, isUnheard: Bool?, wasSpoken: Bool?) {
    var instruction = Instruction(
      id: numbering.instruction(), text: visible(text), heard: nil, source: .ledger, origin: origin)
    (instruction.isUnheard, instruction.wasSpoken) = (isUnheard, wasSpoken)
    note(.proposed(instruction: instruction))
    because("Held: session \(origin.session) ended before it was confirmed, and nothing is sent again by itself.")
    hold(.instruction(instruction: instruction))
  }

  /// Remove an item that is being decided now.
  mutating func remove(_ item: HeldItem) {
    held.remove(item.id, at: now)
    disarm(.answerWarning(item: item.id))
    disarm(.answerLimit(item: item.id))
    disarm(.lateReadBack(item: item.id))
    cut(.readBack(item: item.id))
  }

  /// Say aloud what waits for a decision. What the agent asks is always said; an instruction as the user likes it.
  mutating func present() {
    guard let item = held.current else { return }
    switch item.content {
    case .instruction: if settings.readsBack { sayCurrent() }
    case .permission, .question:
      act(.playEarcon(earcon: .waiting))
      sayCurrent()
    }
  }

  /// Another item became the current one: it is shown as that, since nothing is decided that was not, and said aloud.
  mutating func presentNext() {
    guard !held.isEmpty else { return }
    showCurrent()
    present()
  }

  /// Show the current item, if there is one.
  mutating func showCurrent() {
    guard let item = held.current else { return }
    show(.selected(item: item, position: held.currentPosition, count: held.count, waited: waitedSeconds(item)))
  }

  /// Say the current item aloud, whatever it is.
  mutating func sayCurrent() {
    guard let item = held.current else { return }
    let isAgain = held.returned(item.id)?.doubt == .sent
    say(isAgain ? .heldAgain(item.content) : .held(item.content), .readBack(item: item.id))
  }

  /// Hear the held item again, or what was said last if nothing is held.
  mutating func sayAgain() {
    guard let item = held.current else { return repeatSpeech() }
    held.askedFor()
    cut(.readBack(item: item.id))
    sayCurrent()
  }

  /// Go to another held item.
  mutating func select(by step: Int) {
    guard let old = held.current else { return show(.cannot(text: "Nothing is held.")) }
    cut(.readBack(item: old.id))
    held.move(by: step, at: now)
    presentNext()
  }

  /// Everything about the held item: who asks, what exactly would happen, since when, and how it can be decided.
  mutating func explain() {
    guard let item = held.current else { return explainWork() }
    // Where no request is decided by voice, a key is nothing special.
    let mayBeSpoken = !item.content.isRequest || settings.spokenDecisions == .all
    let text = item.content.explanation(
      agent: agent?.name, keyboardOnly: mayBeSpoken ? keyboardOnlyReason(item) : nil,
      waitedSeconds: waitedSeconds(item))
    cut(.readBack(item: item.id))
    show(.explained(item: item.id, text: text))
    held.showWhole(at: now)
    held.askedFor()
    say(.explanation(text), .readBack(item: item.id))
  }

  /// Nothing is held: what the agent did in the newest run is shown, and summed up aloud.
  private mutating func explainWork() {
    guard !work.isEmpty else {
      return show(.cannot(text: "Nothing is held, and the agent has not reported any work yet."))
    }
    show(.work(summary: work.tally.sentences, lines: work.lines))
    say(.work(work.tally), .report)
  }

  private func waitedSeconds(_ item: HeldItem) -> Int {
    Int((now.microseconds - item.since.microseconds) / 1_000_000)
  }

  /// Why an item is not to be approved by voice; nil if it may be.
  func keyboardOnlyReason(_ item: HeldItem) -> String? {
    switch item.content {
    // What a repair made of it, or the live model, is not all that was said.
    case .instruction(let instruction) where instruction.isUnheard == true: "the microphone heard nobody say it"
    case .instruction(let instruction):
      [instruction.text, instruction.heard, instruction.repair?.raw].lazy.compactMap { $0 }
        .compactMap { settings.keyboardOnly.match([$0]) }.first
    case .permission(_, let request): settings.keyboardOnly.refusal(of: request)
    case .question: nil
    }
  }

  // MARK: Time

  /// Some agents wait for an answer only for a time. The user is warned, and what is not answered by then is denied.
  private mutating func armAnswerLimit(_ item: HeldItem) {
    guard settings.answerLimitMilliseconds > 0, item.content.isRequest else { return }
    arm(.answerLimit(item: item.id), milliseconds: settings.answerLimitMilliseconds)
    let warning = settings.answerLimitMilliseconds - Limits.answerWarningMilliseconds
    if warning > 0 { arm(.answerWarning(item: item.id), milliseconds: warning) }
  }

  /// The agent soon gives up waiting for an answer: say so.
  mutating func answerIsDue(_ id: HeldItemID) {
    guard let item = held.first(where: { $0.id == id }) else { return }
    let seconds = Limits.answerWarningMilliseconds / 1000
    because("Said: the agent soon gives up waiting.")
    act(.playEarcon(earcon: .waiting))
    show(.warning(text: "The agent gives up waiting in \(seconds) seconds: \(item.content.title)"))
    say(.answerIsDue(item.content, seconds: seconds), .readBack(item: id))
  }

  /// Time never approves: what nobody answered is denied, and said to have lapsed.
  mutating func answerLimitPassed(_ id: HeldItemID) {
    guard let item = held.first(where: { $0.id == id }) else { return }
    let wasCurrent = held.current?.id == id
    because("Denied: nobody answered before the agent gives up, and time never approves.")
    remove(item)
    deny(item.content)
    show(.lapsed(item: id, text: item.content.title, reason: "Nobody answered in time; it was denied."))
    say(.answerLapsed(item.content), .report)
    if wasCurrent { presentNext() }
  }

  /// Requests and questions of a run that cannot be answered any more.
  mutating func dropRequests(because reason: String, where matches: (RunID, HeldItem.Content) -> Bool) {
    let currentBefore = held.current?.id
    for item in held {
      guard let run = item.content.run, matches(run, item.content) else { continue }
      remove(item)
      show(.lapsed(item: item.id, text: item.content.title, reason: reason))
    }
    if held.current?.id != currentBefore { presentNext() }
  }
}

extension HeldItem.Content {
  /// The run that waits for this item; nil for an instruction.
  package var run: RunID? {
    switch self {
    case .instruction: nil
    case .permission(let run, _), .question(let run, _): run
    }
  }

  /// Whether an agent waits for it.
  package var isRequest: Bool { run != nil }
}
