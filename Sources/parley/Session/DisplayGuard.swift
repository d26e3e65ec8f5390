import VoiceLoop
import VoiceSystem
import VoiceVocabulary

/// Sees to it that nothing is decided that nobody can have seen: what the user decides counts only while what is shown can be written,
/// and what he approved leaves only once all is shown that was to be shown before. Any thread may use it.
struct DisplayGuard: Sendable {
  /// What was approved, and does not stand in the ledger yet.
  let approved = Locked<Set<InstructionID>>([])
  private let inbox: EventInbox
  private let output: OutputQueue
  private let screen: Screen
  private let ignoredDecision = Locked(false)

  /// - Parameters:
  ///   - inbox: where events go.
  ///   - output: what writes the lines of `screen`.
  init(_ inbox: EventInbox, _ output: OutputQueue, _ screen: Screen) {
    self.inbox = inbox
    self.output = output
    self.screen = screen
  }

  /// Whether a decision was ignored, because nobody could see what it was about.
  var hasIgnoredDecision: Bool { ignoredDecision.withLock { $0 } }

  /// Takes the ledger's answers. That something approved stands there is told once everything is shown that was to be shown before:
  /// what nobody can have seen does not leave. What is sent without an approval, in direct mode, need not be seen.
  var postOnceShown: @Sendable (VoiceEvent) -> Void {
    let descriptor = screen.descriptor
    // A terminal that takes nothing is gone, which is told otherwise.
    guard isatty(descriptor) == 0 else { return { [inbox] in inbox.post($0) } }
    return { [inbox, output, approved] event in
      guard case .ledgerEntered(let instruction) = event, approved.withLock({ $0.remove(instruction) != nil }) else {
        return inbox.post(event)
      }
      output.afterwards {
        guard let failure = output.failure(of: descriptor) else { return inbox.post(event) }
        inbox.post(.ledgerFailed(instruction: instruction, reason: failure.sentences("What is shown")))
      }
    }
  }

  /// Takes what comes from the user: nobody decides about what could not be shown.
  func postFromUser(_ event: VoiceEvent) {
    let needsScreen =
      switch event {
      case .commandGiven(.approve), .commandGiven(.choose), .commandGiven(.answer), .commandGiven(.steer): true
      default: event == .screenReturned
      }
    guard !needsScreen || output.failure(of: screen.descriptor) == nil else {
      if event != .screenReturned { ignoredDecision.withLock { $0 = true } }
      return
    }
    inbox.post(event)
  }

  /// Where what is shown cannot be written any more, nothing can be seen: the session goes on, and what comes up is approved by nobody.
  /// Where it is not taken for a while, what came up just before has not been seen either, and counts as shown once all is written.
  func watchOutput() {
    output.watchStalls(of: screen.descriptor) { [self] isStalled in
      // An editor has the screen, which tells so itself.
      guard !screen.isLent else { return }
      postFromUser(.screenReturned)
      if isStalled { inbox.post(.screenLent) }
    }
    output.watch { [self] descriptor, _ in
      if descriptor == screen.descriptor { inbox.post(.screenLent) }
    }
  }

  /// The process goes on after it was stopped: somebody else may have written on the screen.
  func processContinued() {
    // An editor that was stopped with the program has the screen still.
    guard !screen.isLent else { return }
    postFromUser(.screenReturned)
    screen.redraw()
  }

  /// Why something could not be shown, or an event not be printed.
  var unprinted: String? {
    for (descriptor, name) in [(STDOUT_FILENO, "Standard output"), (screen.descriptor, "Standard error")] {
      if let failure = output.failure(of: descriptor), !failure.isEnough { return failure.sentences(name) }
    }
    return nil
  }
}
