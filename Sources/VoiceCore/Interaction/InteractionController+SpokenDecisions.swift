import VoiceLanguage
import VoiceVocabulary

/// Decisions by voice. Consent is never guessed: what the user himself said decides, nothing that the program may have
/// heard of its own voice, and nothing about an item that came up after he began to speak.
extension InteractionController {
  /// Let an utterance decide about the current item. Returns what the live model is to be told; nil if the utterance is
  /// no decision, and may be an instruction.
  mutating func decide(by utterance: HeardUtterance) -> ToolAnswer? {
    guard settings.spokenDecisions != .none, let item = held.current else { return nil }
    if settings.spokenDecisions == .all, let answer = chooseOption(of: item, by: utterance) { return answer }
    let proposed = utterance.proposal.flatMap { SpokenDecision(utterance: $0) }
    guard let decision = SpokenDecision(utterance: utterance.heard) else {
      // The model's word for it is not the user's.
      guard let words = proposed.flatMap(Self.wordsToSay) else { return nil }
      let heard = utterance.heard.isEmpty ? "was not transcribed yet" : "“\(utterance.heard)” decides nothing"
      return refuse("What you said \(heard). Say \(words), or press a key.")
    }
    // The phrase is the program's own: no agent knows of items.
    if decision == .next || decision == .previous, held.count < 2 { return refuse(Self.nothingElseHeld) }
    guard utterance.proposal == nil || proposed.map(decision.isSame) ?? false else {
      return refuse("What you said was understood in two ways. Say it again, or press a key.")
    }
    if isTypedAbout(item), decision.decides { return refuse(Self.beingTyped, aloud: false) }
    if decision.decides, !isVoiceHeard(since: held.shownSince) { return refuse(Self.nothingHeard, aloud: false) }
    if decision.decides, let refusal = linkRefusal(utterance) { return refuse(refusal) }
    if let refusal = refusal(of: decision, by: utterance, about: item) { return refuse(refusal) }
    if decision == .approve || decision == .reject, let told = askAgain(about: item) { return told }
    because("The user's own words, and nothing else, decide.")
    return carryOut(decision, item)
  }

  /// What the user may say himself where only the live model said it; nil where what it said may be an instruction.
  private static func wordsToSay(_ decision: SpokenDecision) -> String? {
    switch decision {
    case .approve, .reject: "“yes, send it” or “cancel that”"
    case .next, .previous: "“next item” or “previous item”"
    case .amend, .again, .explain, .wait: nil
    }
  }

  /// Put the current item before the user once more, if he may mean what was held behind it since.
  private mutating func askAgain(about item: HeldItem) -> ToolAnswer? {
    guard held.hasComeUpSince(item) else { return nil }
    held.showAgain(at: now)
    showCurrent()
    cut(.readBack(item: item.id))
    sayCurrent()
    return refuse(Self.severalHeld, aloud: false)
  }

  private mutating func carryOut(_ decision: SpokenDecision, _ item: HeldItem) -> ToolAnswer? {
    switch decision {
    case .approve: approve()
    case .reject: reject()
    case .again: sayAgain()
    case .explain: explain()
    case .next, .previous:
      select(by: decision == .next ? 1 : -1)
    case .wait: break
    case .amend(let amendment):
      // A change of something that is not there may be meant for the project: it is an instruction, and never sent unseen.
      guard case .instruction(let instruction) = item.content, let text = amended(instruction.text, by: amendment)
      else { return nil }
      amend(text, isTyped: false)
      present()
    }
    return .decided
  }

  /// A text with a change that was said; nil if it does not hold what is to be changed. What takes a key is written as it was said, since
  /// a name could hide it.
  private func amended(_ text: String, by amendment: SpokenAmendment) -> String? {
    if case .replace(_, let new) = amendment, settings.keyboardOnly.match([new]) != nil {
      return amendment.applied(to: text)
    }
    return words.amended(text, by: amendment)
  }

  /// Whether this is a change of what is held, by its form; where what is held has no such words, it may be an instruction.
  func soundsLikeAmendment(_ utterance: HeardUtterance) -> Bool {
    guard settings.spokenDecisions != .none, !held.isEmpty else { return false }
    return [utterance.heard, utterance.proposal ?? ""].contains {
      if case .amend = SpokenDecision(utterance: $0) { true } else { false }
    }
  }

  /// Why an utterance is not to decide this; nil if it may.
  private func refusal(of decision: SpokenDecision, by utterance: HeardUtterance, about item: HeldItem) -> String? {
    if item.content.isRequest, settings.spokenDecisions == .instructions, decision.decides {
      return "Requests of the agent take a key here."
    }
    let words = SpokenWords(utterance.heard)
    let isEcho = speech.hasJustSaid(words, at: now)
    if decision == .approve || decision == .reject, mayAnswerAgent(utterance, besides: item) { return Self.mayBeAnswer }
    switch decision {
    case .again, .explain, .next, .previous, .wait: return nil
    // Nothing is lost by a rejection, and it is said into the reading back more often than not.
    case .reject:
      let mayBeEcho = utterance.mayBeOverSpeech && (isEcho || isOwnVoice(utterance))
      if mayBeEcho || mayBeLateEcho(utterance) || isUndetected(utterance) {
        return "That may have been the program's own voice."
      }
      return isShown(at: now) ? nil : Self.notShownYet
    case .approve, .amend:
      if utterance.background != .silence {
        return "That was heard while the program spoke. Say it again, or press a key."
      }
      if utterance.sound == .inPart { return Self.notAllHeard }
      let mayBeEcho = utterance.mayBeOverSpeech && isOwnVoice(utterance)
      if isEcho || mayBeEcho || mayBeLateEcho(utterance) { return Self.saidByProgram }
      if hasBegunBefore(utterance) { return Self.cameUpMeanwhile }
      // A user who begins to speak before he can have read it means something else.
      if !isShown(at: utterance.firstStart ?? now) { return Self.notShownYet }
    }
    if decision == .approve, let reason = keyboardOnlyReason(item) {
      return "\(Self.keyOnly) (\(reason))."
    }
    return nil
  }

  /// Why words decide nothing that nobody can have said: a server may send any transcript, and an old one again.
  package static let nothingHeard =
    "The microphone has heard nothing since this came up. Say it again, or press a key."

  /// What is typed about an item is the decision then, or its new text: words that are heard meanwhile may be anybody's.
  package static let beingTyped = "You are typing about this. Press Enter, or Escape to give that up, and decide then."

  private static let nothingElseHeld = "Nothing else is held."

  private static let severalHeld =
    "Something else was held since this came up. It is shown again: decide about this one now."

  private static let mayBeAnswer =
    "That may be an answer to the agent. About what is held, say “yes, send it” or “cancel that”, or press a key; to the agent, say it in a sentence."

  private static let notAllHeard = "Part of what you said was lost. Say it again, or press a key."

  private static let saidByProgram = "Parley just said that itself. Press a key, or say it again later."

  private static let takenBefore =
    "That may be what you said before the connection was lost. Say it again in a while, or press a key."

  private static let cameUpMeanwhile = "Another item came up while you spoke; decide again."

  /// Whether these words were begun before the current item came up: they are about something else.
  private func hasBegunBefore(_ utterance: HeardUtterance) -> Bool {
    utterance.firstStart.map { $0 < held.shownSince } ?? false
  }

  /// Whether these words approve or reject whatever was meant, and may be meant for what the agent asked in a reply.
  func mayAnswerAgent(_ utterance: HeardUtterance, besides item: HeldItem) -> Bool {
    guard !item.content.isRequest, !SpokenDecision.namesWhatIsHeld(utterance.heard) else {
      return false
    }
    return openQuestion.isOpen(besides: item, at: utterance.firstStart ?? now)
  }

  /// Why words decide nothing that came after a connection was lost; nil if they may.
  private func linkRefusal(_ utterance: HeardUtterance) -> String? {
    guard utterance.linkDoubt != nil else { return nil }
    return utterance.repeats == .new ? Self.notAllHeard : Self.takenBefore
  }

  private func isShown(at moment: SessionTime) -> Bool {
    held.hasBeenShown(at: moment, milliseconds: settings.shownMilliseconds)
  }

  private func isTypedAbout(_ item: HeldItem) -> Bool { held.typedAbout == item.id }

  /// - Parameter aloud: whether whoever only listens is to know: not where nobody spoke, somebody types, or the item is read again.
  private mutating func refuse(_ reason: String, aloud: Bool = true) -> ToolAnswer {
    because("Not decided: \(reason)")
    show(.cannot(text: reason))
    act(.playEarcon(earcon: .waiting))
    if aloud, settings.readsBack, let said = Self.said(of: reason) {
      say(.refusal(said), .report)
    }
    return .notDecided
  }

  /// What is said of a refusal: its first sentence; nil if that has words that decide, since those do not count from who hears the program
  /// say them.
  private static func said(of reason: String) -> String? {
    if reason.hasPrefix(keyOnly) { return "That takes a key." }
    let end = reason.firstRange(of: ". ")?.lowerBound ?? reason.endIndex
    let first = String(reason[..<end]).asSentence
    return SpokenDecision.namesWhatIsHeld(first) || first.contains("“") ? nil : first
  }

  private static let keyOnly = "This can be approved by key only"

  /// Whether anything was heard at the open microphone from this moment on that words which come now can belong to.
  private func isVoiceHeard(since moment: SessionTime) -> Bool {
    isHeardNow || sound.wasHeard(since: moment) && hasSource
  }

  /// Choose an option of a question by its number or by its very words.
  private mutating func chooseOption(of item: HeldItem, by utterance: HeardUtterance) -> ToolAnswer? {
    guard case .question(_, let question) = item.content, utterance.background == .silence else { return nil }
    let words = SpokenWords(utterance.heard).withoutFillers
    let number = words.words.count <= 2 ? words.words.last.flatMap { Self.numbers[$0] } : nil
    let isNumber = words.words.count == 1 || ["option", "number"].contains(words.words.first)
    let index =
      question.options.firstIndex { SpokenWords($0.label).withoutFillers == words }
      ?? (isNumber ? number.map { $0 - 1 } : nil)
    guard let index, question.options.indices.contains(index) else { return nil }
    if isTypedAbout(item) { return refuse(Self.beingTyped, aloud: false) }
    if !isVoiceHeard(since: held.shownSince) { return refuse(Self.nothingHeard, aloud: false) }
    if let refusal = linkRefusal(utterance) { return refuse(refusal) }
    if utterance.sound == .inPart { return refuse(Self.notAllHeard) }
    if mayBeLateEcho(utterance) { return refuse(Self.saidByProgram) }
    if hasBegunBefore(utterance) { return refuse(Self.cameUpMeanwhile) }
    if !isShown(at: utterance.firstStart ?? now) { return refuse(Self.notShownYet) }
    if let told = askAgain(about: item) { return told }
    choose([index + 1])
    return .questionAnswered
  }

  private static let numbers: [String: Int] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "1": 1, "2": 2,
    "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
  ]
}
