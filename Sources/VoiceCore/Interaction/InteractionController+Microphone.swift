import VoiceLanguage
import VoiceVocabulary

/// The open and the closed microphone, and the phrases that are said to the program itself.
extension InteractionController {
  /// The user opened or closed the microphone.
  mutating func listen(_ isOn: Bool) {
    guard settings.hasMicrophone else { return show(.cannot(text: "There is no microphone; type an instruction.")) }
    guard input.isListening != isOn else { return }
    show(.listeningChanged(isOn: isOn))
    if isOn {
      input.open()
      soundLevelChanged(input.soundLevel)
      if echo.isVoiceActive { voiceStarted(.vad) }
    } else {
      if isHeardNow { sound.wordsMayFollow(at: now) }
      input.close(silentFor: settings.closingSilenceMilliseconds)
      floor.microphoneClosed()
      unanswered.closed(at: now)
      nobodySpeaks(by: .vad)
    }
  }

  /// The wake phrase was heard at the closed microphone. What the program itself has just said opens nothing.
  mutating func wakePhraseHeard() {
    guard !settings.phrases.wake.isEmpty, settings.hasMicrophone else {
      return because("Ignored: there is no wake phrase.")
    }
    guard !input.isListening else { return because("Ignored: the microphone is open already.") }
    guard !speech.soundsLikeJustSaid(SpokenWords(settings.phrases.wake), at: now) else {
      return because("The microphone stays closed: that was the program's own voice.")
    }
    because("The microphone was opened: the wake phrase was heard.")
    listen(true)
    act(.playEarcon(earcon: .microphoneOpened))
  }

  /// Which of the user's own phrases this was. The model's word for it is not the user's, where there are the user's.
  func phrase(in utterance: HeardUtterance) -> SpokenPhrases.Purpose? {
    settings.phrases.purpose(of: utterance.heard.isEmpty ? utterance.proposal ?? "" : utterance.heard)
  }

  /// Do what a phrase is said for. Returns what the live model is to be told.
  mutating func obey(_ purpose: SpokenPhrases.Purpose) -> ToolAnswer {
    switch purpose {
    case .stop:
      act(.playEarcon(earcon: .heardYou))
      return stopAsAsked()
    case .sleep:
      guard settings.takesCommands || !settings.phrases.wake.isEmpty else {
        because("The microphone stays open: nothing could open it again.")
        show(.cannot(text: "The microphone stays open: there is no key and no wake phrase that could open it again."))
        return .microphoneStaysOpen
      }
      because("The microphone was closed: the user said so.")
      listen(false)
      act(.playEarcon(earcon: .microphoneClosed))
      return .microphoneClosed
    }
  }

  /// "Hold on", said while nothing is held: that is to the program, which falls silent. Returns what the live model is to be told; nil if
  /// it was no such thing.
  mutating func waitAsAsked(by utterance: HeardUtterance) -> ToolAnswer? {
    let isDictated = settings.turnEnding.gathers && draft.instruction != nil
    guard held.isEmpty, !isDictated, SpokenDecision.asksToWait(utterance.words),
      utterance.proposal.map(SpokenDecision.asksToWait) ?? true
    else { return nil }
    because("Only speech was stopped: the user asks to wait.")
    silence()
    let reason = "It asks Parley to wait, so nothing was sent. “Stop” stops the work."
    show(.notTaken(text: utterance.words, reason: reason))
    return .speechStopped
  }

  /// The user said that he wants it to stop: speech stops, or the work. Returns what the live model is to be told.
  mutating func stopAsAsked() -> ToolAnswer {
    dropLatePiece()
    guard run.canBeHalted else {
      silence()
      if run.isAtWork {
        because("Only speech was stopped: the work is being stopped already.")
        return .haltedAlready
      }
      because("Only speech was stopped: nothing is running.")
      return .nothingRunning
    }
    because("Halted: the user said so.")
    halt()
    return .halted
  }
}
