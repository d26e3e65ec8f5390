import VoiceLanguage
import VoiceVocabulary

/// Why what was said may not be what the user meant, or all of it.
extension InteractionController {
  /// Why what was said is held even in direct mode, for the user; nil if there is no reason.
  func doubt(of utterance: HeardUtterance) -> String? {
    if let doubt = utterance.linkDoubt ?? soundDoubt(of: utterance) { return doubt }
    return utterance.hearing.isGuess ? Self.unsure : directDoubt(of: utterance)
  }

  /// Why what was said is held in direct mode, though the words are the user's own; nil if there is no reason.
  private func directDoubt(of utterance: HeardUtterance) -> String? {
    guard settings.mode == .direct else { return nil }
    // By then its words have come, or never will.
    if let halted = floor.haltedAt, let begun = utterance.begun, begun < halted,
      now <= halted.advanced(byMilliseconds: Limits.unansweredUtteranceMilliseconds)
    {
      return "You pressed halt after you had begun to say this, so it is held."
    }
    if soundsLikeAmendment(utterance) { return Self.fitsNothing }
    if SelfCorrection.mayTakeBack(utterance.words) {
      return "You seem to have taken something back while you said this, so it is held."
    }
    return utterance.hearing.beginsWithGuess ? Self.unsure : nil
  }

  private static let fitsNothing =
    "This sounds like a change of what is held, but fits nothing there, so it is held, too."

  private static let unsure = "The recogniser was unsure of this, so it is held."

  /// Why the microphone may have heard less than the user said, or more, for the user; nil if there is no reason.
  func soundDoubt(of utterance: HeardUtterance) -> String? {
    if utterance.sound == .none { return "The microphone heard nobody say this, so it is held." }
    if utterance.sound == .inPart { return "Part of what you said was lost, so this is held." }
    if let doubt = echoDoubt(of: utterance) { return doubt }
    // With headphones he repeats what he hears; or they were pulled out just now.
    if echo.duplex == .noEcho, utterance.mayBeOverSpeech,
      speech.soundsLikeJustSaid(SpokenWords(utterance.words), at: now)
    {
      return "This sounds like what Parley just said, so it is held."
    }
    // What a canceller leaves of the program's own voice in a room that has changed is understood, but not clearly.
    guard let duplex = echo.duplex else { return nil }
    return utterance.mayBeOverSpeech && utterance.hearing.isUnclear(hasEcho: duplex != .noEcho)
      ? "This was heard while Parley spoke, and not clearly, so it is held." : nil
  }

  /// Why what was heard is no instruction.
  enum NotTaken: String {
    case undetected = "Heard while Parley spoke, but nobody was detected speaking."
    case acknowledgement = "That was an acknowledgement."
    case ownVoice = "That was the program's own voice."
  }

  /// Why what was said into the program's own voice is no instruction; nil if it may be one.
  func reasonNotTaken(_ utterance: HeardUtterance) -> NotTaken? {
    if isUndetected(utterance) { return .undetected }
    guard utterance.mayBeOverSpeech else { return nil }
    if utterance.background == .speech, SpokenWords(utterance.words).isBackchannel { return .acknowledgement }
    return isOwnVoice(utterance) ? .ownVoice : nil
  }
}
