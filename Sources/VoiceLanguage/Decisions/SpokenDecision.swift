/// What an utterance decides about the item that waits for a decision.
///
/// A small grammar over the whole utterance: only an utterance that is one of these phrases, and nothing else, decides.
/// Whatever holds a negation, a hedge or one more word is no decision, because consent must never be guessed.
package enum SpokenDecision: Equatable, Sendable {
  case approve
  case reject
  case amend(SpokenAmendment)
  /// Say it again.
  case again
  case explain
  /// Put the next held item, or the one before, before the user.
  case next
  case previous
  /// The user wants time: nothing is decided.
  case wait

  /// Whether the item is another one, or gone, afterwards.
  package var decides: Bool {
    switch self {
    case .approve, .reject, .amend: true
    case .again, .explain, .next, .previous, .wait: false
    }
  }

  /// Whether both decide the same, however what is to be changed is written.
  package func isSame(as other: SpokenDecision) -> Bool {
    if case .amend(let amendment) = self, case .amend(let others) = other { return amendment.isSame(as: others) }
    return self == other
  }

  /// Nil for anything that is not exactly a decision.
  package init?(utterance: String) {
    // Nobody decides in a paragraph, and a long text is not worth the search.
    guard utterance.utf8.count <= 400 else { return nil }
    var words = SpokenWords(utterance).withoutFillers
    if let known = Self.phrases[words.words.joined(separator: " ")] {
      self = known
      return
    }
    if ["okay", "ok"].contains(words.words.first) { words.words.removeFirst() }
    if let known = Self.phrases[words.words.joined(separator: " ")] {
      self = known
    } else if let amendment = SpokenAmendment(utterance: utterance) {
      self = .amend(amendment)
    } else {
      return nil
    }
  }

  /// Every word of every phrase that decides.
  package static let words = Set(phrases.keys.flatMap { SpokenWords($0).words })

  /// Whether a decision says itself what it is about; a "yes" or a "never mind" may answer anybody.
  package static func namesWhatIsHeld(_ utterance: String) -> Bool {
    !ownWords.isDisjoint(with: SpokenWords(utterance).words)
  }

  /// Whether somebody asks for time, and nothing else. "Not yet" may as well be the answer to a question.
  package static func asksToWait(_ utterance: String) -> Bool {
    SpokenDecision(utterance: utterance) == .wait && !SpokenWords(utterance).words.contains("yet")
  }

  private static let ownWords: Set<String> = [
    "approve", "approved", "reject", "rejected", "send", "cancel", "cancelled", "canceled", "discard",
  ]

  private static let phrases: [String: SpokenDecision] = {
    var phrases: [String: SpokenDecision] = [:]
    for phrase in approving { phrases[phrase] = .approve }
    for phrase in rejecting { phrases[phrase] = .reject }
    for phrase in repeating { phrases[phrase] = .again }
    for phrase in explaining { phrases[phrase] = .explain }
    for phrase in moving {
      phrases["\(phrase)next item"] = .next
      phrases["\(phrase)previous item"] = .previous
    }
    for phrase in waiting { phrases[phrase] = .wait }
    return phrases
  }()

  private static let approving = [
    "approve", "approved", "approve it", "approve that", "approve this", "i approve", "i approve it", "i approve that",
    "accept", "accepted", "accept it", "accept that", "yes", "yes approve", "yes approve it", "yes send it",
    "yes send that", "yes do it", "yes do that", "yes go ahead", "yes allow it", "send it", "send that", "go ahead",
    "do it", "allow", "allow it", "allow that", "allow once", "allow it once",
  ]

  private static let rejecting = [
    "reject", "rejected", "reject it", "reject that", "reject this", "i reject", "i reject it", "no", "no no", "nope",
    "no thanks", "no thank you", "no cancel that", "no dont", "cancel", "cancelled", "canceled", "cancel it",
    "cancel that", "cancel this", "cancelled it", "cancelled that", "canceled it", "canceled that", "rejected that",
    "drop it", "drop that", "discard", "discard it", "discard that", "deny", "denied",
    "deny it", "deny that", "forget it", "forget that", "never mind", "nevermind", "dont", "dont send it",
    "dont send that", "do not send it", "do not send that", "dont do it", "dont do that", "do not do that",
    "dont run it", "dont run that", "do not run it", "do not run that", "dont allow it", "do not allow it",
  ]

  private static let repeating = [
    "repeat", "repeat it", "repeat that", "again", "say it again", "say that again", "once more", "read it again",
    "read it back", "read that back", "what was that", "pardon", "what did you say",
  ]

  private static let explaining = [
    "explain", "explain it", "explain that", "explain this", "why", "why that", "what will happen", "what does it do",
    "what does that do", "what is that", "what is this", "what would that do",
  ]

  /// What "next item" may begin with. A bare "next" may be meant for the agent.
  private static let moving = ["", "the ", "go to ", "go to the ", "show the ", "show me the ", "read the "]

  private static let waiting = [
    "wait", "wait wait", "hold on", "hang on", "one moment", "just a moment", "one second", "just a second", "not yet",
    "let me think", "let me see", "hold it",
  ]
}
