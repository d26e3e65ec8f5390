import VoiceLanguage
package import VoiceVocabulary

/// Why a turn went as it did: plain sentences with their times, in the order of what happened.
package struct Explanation: Equatable, Sendable {
  /// What happened at a moment.
  package struct Sentence: Equatable, Sendable {
    package var moment: Moment
    package var text: String
  }

  package private(set) var sentences: [Sentence] = []
  /// What the user waited for, and what took most of it; nil if nothing was spoken.
  package private(set) var summary: String?

  /// - Parameter history: the session that the turn is of; what ran before the turn is told from it.
  package init(_ turn: Turn, in history: SessionHistory) {
    words(turn)
    holding(turn)
    deciding(turn)
    leaving(turn, history)
    working(turn)
    speaking(turn, history)
    for incident in turn.incidents { say(incident.moment, "\(incident.notice.label): \(incident.notice.text)") }
    for reason in turn.reasons { say(reason.moment, reason.text) }
    ending(turn)
    // Told by theme, read by time; what happened at once keeps its order.
    sentences = sentences.enumerated().sorted { left, right in
      let (one, other) = (left.element.moment, right.element.moment)
      return (one.time, one.step, left.offset) < (other.time, other.step, right.offset)
    }.map(\.element)
    summary = Self.summary(turn)
  }

  private mutating func say(_ moment: Moment, _ text: String) { sentences.append(.init(moment: moment, text: text)) }

  private func since(_ earlier: Moment?, _ moment: Moment, _ what: String) -> String {
    guard let earlier, earlier.time <= moment.time else { return "At \(moment.time.clock)" }
    return "\(moment.time.duration(since: earlier.time)) \(what)"
  }

  /// Turns before and behind one whose run it may have waited for: more than ever wait.
  private static let neighbours = 2 * Limits.queuedInstructions

  // MARK: Themes, in the order of a turn

  private mutating func words(_ turn: Turn) {
    let began = turn.stages[.speechStarted]
    let paused = turn.stages[.speechEnded]
    if let began {
      let length = paused.map { " for \($0.time.duration(since: began.time)), until \($0.time.clock)" } ?? ""
      say(began, "You spoke\(length).")
    }
    if let transcribed = turn.stages[.transcribed] {
      say(
        transcribed,
        "\(since(paused, transcribed, "after your last word")), this was heard: “\(turn.heard.trimmingWhitespace())”.")
    }
    if turn.wish != .stop, let other = turn.decidedTurn,
      let heard = turn.stages[.proposed] ?? turn.stages[.transcribed] ?? began
    {
      return say(heard, "These words were taken as a decision about turn \(other).")
    }
    guard let proposed = turn.stages[.proposed] else { return }
    if let again = turn.again {
      let text = turn.proposed ?? ""
      return say(proposed, "The instruction of turn \(again), which had left, was offered again: “\(text)”.")
    }
    switch (turn.source, turn.wish) {
    case (.keyboard, _): say(proposed, "You typed: “\(turn.proposed ?? "")”.")
    case (.ledger, _): say(proposed, "An earlier session had left this over: “\(turn.proposed ?? "")”.")
    case (.agent, _): say(proposed, "The agent began this by itself: “\(turn.proposed ?? "")”.")
    case (.voice, .stop): say(proposed, "The live model took this as a request to stop.")
    case (.voice, _):
      let lead = since(turn.stages[.transcribed] ?? paused, proposed, "later")
      let text = turn.proposed?.trimmingWhitespace() ?? ""
      if text == turn.heard.trimmingWhitespace() {
        say(proposed, "\(lead), the live model proposed these words as an instruction.")
      } else {
        let share = turn.heard.isEmpty ? "" : " (\(Agreement.percent(turn.heard, text)) % of the words agree)"
        say(proposed, "\(lead), the live model proposed the instruction “\(text)”\(share).")
      }
    }
  }

  private mutating func holding(_ turn: Turn) {
    // Where what it is held for is told by a line of its own, no reason is named.
    if let held = turn.stages[.held], turn.again == nil, !hasReason(turn, at: held) {
      say(held, "It was held for your decision.")
    }
    if let readBack = turn.stages[.readBack] { say(readBack, "It was read back to you.") }
  }

  private func hasReason(_ turn: Turn, at moment: Moment) -> Bool {
    turn.reasons.contains { $0.moment.step == moment.step }
  }

  private mutating func deciding(_ turn: Turn) {
    guard let decided = turn.stages[.decided], let decision = turn.decision else { return }
    switch decision {
    // The log names its own reason, and not the user's.
    case .rejected(let reason?): say(decided, "Your reason: “\(reason)”.")
    case .lapsed(let reason) where !hasReason(turn, at: decided):
      say(decided, "\(since(turn.stages[.held], decided, "after it was held")), it lapsed. \(reason)")
    default: break
    }
    if let instruction = turn.instruction, let proposed = turn.proposed, instruction != proposed {
      say(decided, "You had changed it to “\(instruction)”.")
    }
  }

  private mutating func leaving(_ turn: Turn, _ history: SessionHistory) {
    guard let dispatched = turn.stages[.dispatched] else { return }
    let decided = turn.stages[.decided]
    let recent = history.turns.prefix(turn.number + Self.neighbours).suffix(2 * Self.neighbours)
    let before = recent.last { other in
      guard other.number != turn.number, let ended = other.stages[.runEnded], let decided else { return false }
      return ended.time > decided.time && ended.time <= dispatched.time
    }
    let queue = before.map { " It had waited for the run of turn \($0.number) to end." } ?? ""
    say(
      dispatched, "\(since(decided, dispatched, "later")), it left for the agent.\(queue)")
  }

  private mutating func working(_ turn: Turn) {
    let dispatched = turn.stages[.dispatched]
    for use in turn.tools {
      let took = use.ended.map { " for \($0.time.duration(since: use.started.time))" } ?? ""
      let outcome = use.outcome.map { $0 == .completed ? "" : "; \($0.words)" } ?? ""
      say(use.started, "The agent used a tool\(took): \(use.tool.title) [\(use.tool.kind)]\(outcome).")
    }
    for request in turn.requests {
      say(request.asked, "The agent asked: “\(request.title)”.")
      if let told = request.told { say(told, "\(since(request.asked, told, "later")), you were told so.") }
      guard let answered = request.answered, let answer = request.answer else { continue }
      let lead = since(request.asked, answered, "later")
      switch answer {
      case .choice(let choice):
        say(answered, "\(lead), this was \(choice.words).")
      case .words(let words?): say(answered, "\(lead), you answered: “\(words)”.")
      case .words(nil): say(answered, "\(lead), you declined to answer.")
      }
    }
    if let answered = turn.stages[.answered] {
      say(
        answered,
        "The first words of the answer came, \(since(dispatched, answered, "after the instruction had left")).")
    }
  }

  private mutating func speaking(_ turn: Turn, _ history: SessionHistory) {
    if let spoken = turn.stages[.spoken] {
      let first = since(turn.stages[.answered] ?? turn.stages[.dispatched], spoken, "after its first words")
      let isAloud = history.settings?.speaksAloud != false
      say(spoken, "\(isAloud ? "You heard the answer" : "The answer went to a file, or nowhere,") from here, \(first).")
    }
    for piece in history.pieces(of: turn.number) {
      guard let cut = piece.cutAfterMilliseconds, let ended = piece.ended else { continue }
      say(ended, "Speech was cut after \(durationText(microseconds: Int64(cut) * 1000)) of “\(piece.text)”.")
    }
    if let end = turn.stages[.spokenToEnd] { say(end, "Speech ended.") }
  }

  private mutating func ending(_ turn: Turn) {
    guard let ended = turn.stages[.runEnded], let end = turn.end else {
      if turn.stages[.proposed] == nil, turn.decidedTurn == nil, let heard = turn.stages[.transcribed] {
        say(heard, "No instruction was proposed from these words.")
      }
      return
    }
    let took = turn.stages[.dispatched].map { " after \(ended.time.duration(since: $0.time))" } ?? ""
    switch end {
    case .completed: say(ended, "The agent was done\(took).")
    case .cancelled: say(ended, "The agent stopped\(took), as it was told.")
    case .stopped(let reason): say(ended, "The agent stopped by itself\(took). \(reason)")
    case .failed(let reason): say(ended, "The agent failed\(took). \(reason)")
    case .unconfirmed(let reason, _):
      say(ended, "Its end was not confirmed\(took); what it did is not known. \(reason)")
    }
    if let usage = turn.usage, let text = usage.text { say(ended, "It used \(text).") }
  }

  private static func summary(_ turn: Turn) -> String? {
    guard let wait = turn.latency(.wait) else { return nil }
    let parts = turn.steps.filter { $0.name != .speech }
    guard let longest = parts.max(by: { $0.microseconds < $1.microseconds }) else { return nil }
    return "From your last word to the first spoken one: \(durationText(microseconds: wait.microseconds)), most of it "
      + "\(longest.name.words) (\(durationText(microseconds: longest.microseconds)))."
  }
}

extension Latency.Name {
  /// As a part of a sentence.
  package var words: String {
    switch self {
    case .speech: "your speech"
    case .transcript: "the transcript"
    case .proposal: "the live model's proposal"
    case .decision: "the decision"
    case .dispatch: "the hand-over"
    case .agent: "the agent's first words"
    case .voice: "the voice"
    case .wait: "the whole wait"
    case .run: "the run"
    }
  }
}

extension AgentUsage {
  /// As a part of a sentence; nil if the agent told nothing.
  package var text: String? {
    let parts = [
      inputTokens.map { "\(Counted($0, "token").digits) in" },
      outputTokens.map { "\(Counted($0, "token").digits) out" },
      costInDollars.map { "$\(Self.cents($0))" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Dollars with four decimals, without a formatter.
  private static func cents(_ dollars: Double) -> String {
    let parts = Int64((Double(amountTold: dollars) * 10_000).rounded())
    return "\(parts / 10_000)." + String(parts % 10_000).zeroPadded(to: 4)
  }
}

/// Why a session has no turn to explain.
package func explanationOfSilence(_ history: SessionHistory) -> [String] {
  var sentences = ["Nothing that you said became a turn."]
  sentences.append(
    history.frameCount == 0
      ? "The microphone gave no sound at all."
      : "The microphone gave \(durationText(microseconds: Int64(history.frameCount * PCM.frameMilliseconds) * 1000)) of sound."
  )
  sentences.append(
    history.utterances.isEmpty
      ? "No voice was detected in it."
      : "A voice was detected \(Counted(history.utterances.count, "time").digits), but no words came of it.")
  if !history.connections.contains(where: { $0.ready != nil }) {
    let reason = history.connections.compactMap(\.reason).last.map { " \($0)" } ?? ""
    sentences.append("The live model was never ready.\(reason)")
  }
  if case .failed(let reason) = history.outcome { sentences.append("The session failed. \(reason)") }
  return sentences
}
