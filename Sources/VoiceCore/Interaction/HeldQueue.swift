import VoiceLanguage
package import VoiceVocabulary

/// What waits for the user's decision, in the order in which it came. One item is the current one, which decisions are
/// about; it stays the current one whatever comes behind it.
package struct HeldQueue: Equatable, Sendable, RandomAccessCollection {
  private var items: [HeldItem] = []
  private var place = 0
  /// Since when the current item has been shown as it is now: it came into an empty queue, took another one's place, or its
  /// text changed other than by the user's own typing. A decision that was made before is about something else.
  package private(set) var shownSince = SessionTime.zero
  /// When the queue last became empty; nil if it never did. It follows from the steps before.
  private(set) var emptiedAt: SessionTime?
  /// The item that the user edits, or types an answer or a reason about.
  private(set) var typedAbout: HeldItemID?
  /// Since when nothing can be seen, because another program has the terminal; nil if everything is shown.
  private var hiddenSince: SessionTime?
  /// The item that was put before the user once more, because he may have meant another.
  private var shownAgain: HeldItemID?
  /// Long items that were shown in full.
  private var shownWhole: Set<HeldItemID> = []
  /// The held instruction that the user's next utterance is added to.
  package private(set) var extended: HeldItemID?
  /// Requests that were answered in runs that go on, the newest last.
  private var answers: [Answered] = []
  /// Of instructions that were meant to be sent: why they are held again.
  private var returned: [HeldItemID: ReturnedInstruction] = [:]
  /// Of instructions that have grown by what the user went on to say: when they last did.
  private var grownAt: [HeldItemID: SessionTime] = [:]

  /// Of the oldest item.
  package var startIndex: Int { 0 }
  /// Behind the newest item.
  package var endIndex: Int { items.count }
  /// The item at a place, counted from 0 in the order in which they came.
  package subscript(position: Int) -> HeldItem { items[position] }

  /// The item that decisions are about; nil only if nothing is held.
  package var current: HeldItem? { items.isEmpty ? nil : items[place] }

  /// The current item's place, counted from 1.
  package var currentPosition: Int { place + 1 }

  /// Whether one more item is taken from outside.
  package var hasRoom: Bool { items.count < Limits.heldItems }

  /// Put an item behind all others; it becomes the current one only if nothing else is held.
  ///
  /// - Parameters:
  ///   - returned: why it is held again; nil for what waits for its first decision.
  ///   - isDoubted: whether it may be nobody's words: nobody means it then.
  package mutating func append(_ item: HeldItem, returned: ReturnedInstruction? = nil, isDoubted: Bool = false) {
    if items.isEmpty { shownSince = item.since }
    if !isDoubted { shownAgain = nil }
    items.append(item)
    self.returned[item.id] = returned
  }

  /// Why an instruction that was meant to be sent is held again; nil for anything else.
  package func returned(_ id: HeldItemID) -> ReturnedInstruction? { returned[id] }

  /// When the last that was said of an item was taken.
  func lastPieceTime(of item: HeldItem) -> SessionTime { grownAt[item.id] ?? item.since }

  /// Take an item out. If it was the current one, the one behind it becomes that, or else the last one.
  package mutating func remove(_ id: HeldItemID, at now: SessionTime) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { preconditionFailure("\(id) is not held") }
    items.remove(at: index)
    shownWhole.remove(id)
    returned[id] = nil
    grownAt[id] = nil
    if extended == id { extended = nil }
    if index == place { shownSince = now }
    if items.isEmpty { emptiedAt = now }
    if index < place { place -= 1 }
    place = Swift.max(0, Swift.min(place, items.count - 1))
  }

  /// Make the next item the current one, or with -1 the one before; from either end it goes on at the other.
  package mutating func move(by step: Int, at now: SessionTime) {
    guard !items.isEmpty else { return }
    place = (place + step + items.count) % items.count
    shownSince = now
  }

  /// Whether the current item can have been read at this moment: whole, and for so long.
  package func hasBeenShown(at moment: SessionTime, milliseconds: Int) -> Bool {
    if let hiddenSince, !wasSeen(before: hiddenSince, milliseconds: milliseconds) { return false }
    return milliseconds <= 0 || moment >= shownSince.advanced(byMilliseconds: milliseconds)
  }

  /// Whether anything was held behind the current item since that was shown: a user who decides by voice may mean what came last. He
  /// is asked once, until something else comes up that is certainly his: beside a loudspeaker, the reading back itself may come up.
  package func hasComeUpSince(_ current: HeldItem) -> Bool {
    shownAgain != current.id
      && items.contains { $0.id.rawValue > current.id.rawValue && $0.since >= shownSince }
  }

  /// The current item is put before the user once more.
  mutating func showAgain(at now: SessionTime) { (shownAgain, shownSince) = (current?.id, now) }

  /// The user asked for the current item himself, and knows which one it is, whatever came up behind it.
  mutating func askedFor() {
    if let current, hasComeUpSince(current) { shownAgain = current.id }
  }

  /// Whether a long item was shown in full.
  package func wasShownWhole(_ id: HeldItemID) -> Bool { shownWhole.contains(id) }

  /// What the user says next is added to this one.
  mutating func extend(_ id: HeldItemID) { extended = id }

  /// Nothing more is added to the one that was extended.
  mutating func endExtension() { extended = nil }

  /// The current item is shown in full for the first time: it is to be looked at anew.
  mutating func showWhole(at now: SessionTime) {
    guard let current, current.content.isCutShort, shownWhole.insert(current.id).inserted else { return }
    shownSince = now
  }

  /// The user begins to type about the current item.
  mutating func beginTyping() { typedAbout = current?.id }

  /// What was typed about an item is complete, or given up.
  mutating func endTyping() { typedAbout = nil }

  /// Whether nobody can see what comes up.
  var isHidden: Bool { hiddenSince != nil }

  /// Another program has the terminal.
  package mutating func screenLent(at now: SessionTime) { hiddenSince = hiddenSince ?? now }

  /// Whether the current item was on the screen for so long before that went.
  private func wasSeen(before hidden: SessionTime, milliseconds: Int) -> Bool {
    milliseconds <= 0 ? shownSince < hidden : shownSince.advanced(byMilliseconds: milliseconds) <= hidden
  }

  /// The screen is the program's again, and shows what came up meanwhile.
  /// - Parameter milliseconds: how long an item must be shown; what was not, before the screen went, is shown from now on.
  /// - Returns: whether the current item has to be shown again, because nobody could say before that the screen would be another's.
  @discardableResult package mutating func screenReturned(at now: SessionTime, milliseconds: Int) -> Bool {
    defer { hiddenSince = nil }
    if !(hiddenSince.map { wasSeen(before: $0, milliseconds: milliseconds) } ?? false) { shownSince = now }
    guard hiddenSince == nil else { return false }
    shownWhole = []
    return !isEmpty
  }

  /// Change the text of a held instruction.
  /// - Parameter isTyped: whether the user typed the new text himself, and so has seen it.
  package mutating func amend(_ id: HeldItemID, to text: String, isTyped: Bool, at now: SessionTime) {
    guard let index = items.firstIndex(where: { $0.id == id }),
      case .instruction(var instruction) = items[index].content
    else { preconditionFailure("\(id) is no held instruction") }
    instruction.text = text
    // The words are the user's own now.
    instruction.repair = nil
    items[index].content = .instruction(instruction: instruction)
    if !isTyped, index == place { shownSince = now }
  }

  /// A held instruction has grown by what the user went on to say: it is to be looked at anew.
  mutating func join(_ id: HeldItemID, as instruction: Instruction, at now: SessionTime) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { preconditionFailure("\(id) is not held") }
    items[index].content = .instruction(instruction: instruction)
    grownAt[id] = now
    if index == place { shownSince = now }
  }
}

// MARK: - What an agent asks again

extension HeldQueue {
  /// A request that was answered.
  private struct Answered: Equatable, Sendable {
    let run: RunID
    let name: String

    init?(_ content: HeldItem.Content) {
      switch content {
      case .instruction: return nil
      case .permission(let run, let request): (self.run, name) = (run, "permission \(request.id.rawValue)")
      case .question(let run, let question): (self.run, name) = (run, "question \(question.id.rawValue)")
      }
    }
  }

  /// What is known of something that an agent asks.
  package enum Asked: Equatable, Sendable { case anew, stillHeld, answered }

  /// A request was answered. As long as its run goes on, it may come once more in another one, which overtook the answer.
  mutating func answered(_ content: HeldItem.Content) {
    guard let answered = Answered(content) else { return }
    answers = answers.suffix(Limits.heldItems - 1) + [answered]
  }

  /// The run is over, and with it what might overtake its answers.
  mutating func forgetAnswers(of run: RunID) { answers.removeAll { $0.run == run } }

  /// An agent asks. What it asked in another run under the same name goes on: held, it stays where it is.
  mutating func asked(_ content: HeldItem.Content) -> Asked {
    guard let asked = Answered(content) else { return .anew }
    if let index = items.firstIndex(where: { $0.content.isAskedOn(in: content) }) {
      items[index].content = content
      return .stillHeld
    }
    return answers.contains { $0.name == asked.name && $0.run != asked.run } ? .answered : .anew
  }
}

extension HeldItem.Content {
  /// Whether the other one asks just this, in another run.
  fileprivate func isAskedOn(in other: Self) -> Bool {
    switch (self, other) {
    case (.permission(let run, let request), .permission(let next, let again)): run != next && request == again
    case (.question(let run, let question), .question(let next, let again)): run != next && question == again
    default: false
    }
  }
}

extension HeldQueue: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(items, place, shownSince, extended, typedAbout, shownAgain, hiddenSince, emptiedAt, answers.count)
    digest.foldUnordered(shownWhole)
    for answer in answers { digest.fold(answer.run, answer.name) }
    for item in items { digest.fold(returned[item.id]) }
    // Most have not grown, and the digests of those are in logs.
    for item in items { if let moment = grownAt[item.id] { digest.fold(item.id, moment) } }
  }
}
