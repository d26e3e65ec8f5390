import VoiceLanguage
package import VoiceVocabulary

/// A notice as a line for people: a label, and what it says. Everything that came from outside is sanitized.
package struct NoticeText: Equatable, Sendable {
  /// Who or what the line is about; at most ten characters.
  package let label: String
  package let text: String

  package init(_ label: String, _ text: String) {
    self.label = label
    self.text = text.sanitized()
  }

  /// What is decided about is shown to its end: nobody approves what he cannot see.
  private init(_ label: String, whole text: String) {
    self.label = label
    self.text = text.sanitized(limit: .max)
  }

  /// What would be done is shown as it is: line ends and signs that nobody would see are shown in their places.
  private init(_ label: String, act text: String) {
    self.label = label
    self.text = text.revealed()
  }

  /// The lines of a notice in order; none for what is not shown as a line of its own.
  package static func lines(of notice: Notice) -> [NoticeText] {
    switch notice {
    case .held(let item, let position): if let rows = rows(of: item, place(position)) { return rows }
    case .selected(let item, let position, let count, let waited):
      if let rows = rows(of: item, place(position, count, waited)) { return rows }
    default: break
    }
    let first = NoticeText(notice).map { [$0] } ?? []
    guard case .work(_, let lines) = notice else { return first }
    return first + lines.map { NoticeText("", act: $0) }
  }

  /// More rows than a screen has would push the first of them away.
  private static let mostRows = 20

  /// A request that has lines, such as those of a change, with each of them in a row of its own, and what can be answered below; nil
  /// for anything else, and where these are too many.
  private static func rows(of item: HeldItem, _ place: String) -> [NoticeText]? {
    guard case .permission(_, let request) = item.content, request.isShownAtOnce, request.unseenCharacters == nil else {
      return nil
    }
    let parts = request.particulars
    let rows = parts.flatMap(\.lines)
    guard rows.count > parts.count, rows.count <= mostRows else { return nil }
    // No row of theirs looks like one of the program's own.
    return [NoticeText("asks", act: request.title)] + rows.map { NoticeText("", act: "│ " + $0) }
      + [NoticeText("", act: request.numberedAnswers + place)]
  }

  private static func place(_ position: Int) -> String { position > 1 ? "  (number \(position))" : "" }

  private static func place(_ position: Int, _ count: Int, _ waited: Int) -> String {
    "  (\(position) of \(count), for \(waited) s)"
  }

  /// The first line of a notice, or the only one. Nil for what is not shown as a line of its own.
  package init?(_ notice: Notice) {
    switch notice {
    case .listening(let resumed):
      self.init("live", resumed ? "Listening again; the conversation goes on." : "Listening.")
    case .withoutMicrophone:
      self.init("live", "No microphone: type your instructions and read the answers here.")
    case .connected(let resumed):
      self.init("live", "\(resumed ? "Connected again" : "Connected"); the microphone is closed.")
    case .agentReady(let agent): self.init("agent", "\(agent.name) is ready.")
    case .agentChoice(let setting, let choice):
      let now = choice.current.map { "is “\($0)”" } ?? "is not told"
      let offered = choice.offered.isEmpty ? "" : " It can be: \(choice.offered.joined(separator: ", "))."
      self.init("agent", "The \(setting.rawValue) \(now).\(offered)")
    case .agentOffers: return nil
    case .agentListed(let number, let text): self.init("listed", "\(number)  \(text)")
    case .agentChanged(let setting, let value, let remark):
      self.init("agent", "The \(setting.rawValue) is “\(value)” now\(remark.map { ": \($0)" } ?? "").")
    case .agentCommands(let commands):
      self.init("agent", "Its commands: \(commands.map { "/" + $0 }.joined(separator: ", "))")
    case .heard(let text): self.init("you", text)
    case .modelSaid(let text): self.init("model", text)
    case .held(let item, let position): self.init(item, Self.place(position))
    case .selected(let item, let position, let count, let waited):
      self.init(item, Self.place(position, count, waited))
    case .explained(_, let text): self.init("explains", act: text)
    case .approved(_, let text): self.init("approved", text)
    case .rejected(_, let text): self.init("rejected", text)
    case .editing: return nil
    case .extending(let text): self.init("extend", "Keep speaking: \(text) …")
    case .amended(_, let text): self.init("amended", whole: "\(text)  (still held)")
    case .drafting(let text): self.init("so far", "\(text) …")
    case .leaving(let milliseconds):
      self.init("soon", "Sent in \(milliseconds / 1000) s, unless you go on, reject it, or say “stop”.")
    case .draftDropped(let text): self.init("rejected", text)
    case .longThought(let isOn):
      self.init(
        "long", isOn ? "Only the end word or the key ends an instruction." : "A pause may end an instruction again.")
    case .permissionAnswered(_, let title, let choice):
      self.init(choice.allows ? "allowed" : "denied", title)
    case .questionAnswered(_, let question, let answer):
      self.init(
        "answered", question.words(of: answer).map { "\(question.text) – \($0)" } ?? "\(question.text) – no answer")
    case .lapsed(_, let text, let reason): self.init("lapsed", "\(text) – \(reason)")
    case .kept(_, let instruction, let doubt):
      let offer = "The next parley run in a terminal offers it again."
      let fate =
        switch doubt {
        case nil: "Not sent. \(offer)"
        case .sent: "It was sent, and is not known to have been carried out. \(offer)"
        case .unwritten: "Not sent, and perhaps not written down. Say it again if it is not offered at the next start."
        }
      self.init("kept", "\(instruction.text) – \(fate)")
    case .queued(let instruction): self.init("queued", instruction.text)
    case .steering(_, let text): self.init("steered", text)
    case .agentSession(let session): self.init("session", session.rawValue)
    case .runStarted(_, let text): self.init("sent", text)
    case .agentBegan(_, let text): self.init("begins", "by itself: \(text)")
    case .agentText, .agentThought: return nil
    case .agentStatus(let text): self.init("status", text)
    case .toolStarted(let tool): self.init("tool", "\(tool.title)  [\(tool.kind)]")
    case .toolFinished(_, .completed): return nil
    // Its title is known to `ToolTitles`.
    case .toolFinished(_, let outcome): self.init("tool", "A tool ended: \(outcome.words)")
    case .plan(let entries):
      self.init("plan", entries.map { "\($0.text) (\($0.status.replacing("_", with: " ")))" }.joined(separator: "; "))
    case .work(let summary, _): self.init("work", summary)
    case .halting: self.init("halt", "Telling the agent to stop.")
    case .runEnded(_, let end): self.init(end)
    case .haltUnconfirmed:
      self.init("halt", "Stop not confirmed: the agent has not said that it stopped. Halt again ends its processes.")
    case .escalated: self.init("halt", "Ending the agent's processes.")
    case .quieted: self.init("quiet", "Speech stopped; the work goes on.")
    case .bargedIn: self.init("barge-in", "Speech stopped because you spoke; the work goes on.")
    case .speechRate(let percent): self.init("speed", "\(percent) percent")
    case .listeningChanged(let isOn):
      self.init("mic", isOn ? "The microphone is open." : "The microphone is closed.")
    case .duplex(.half), .duplex(.unknown):
      self.init(
        "duplex",
        "Half duplex: while Parley speaks it hears you only if you are louder than the loudspeaker; a key always interrupts."
      )
    case .duplex(.full), .duplex(.noEcho):
      self.init("duplex", "Full duplex: Parley does not hear its own voice, so you can interrupt at any time.")
    case .duplex(.drowned):
      self.init(
        "duplex",
        "The loudspeaker is louder than you: turn it down, use headphones, or interrupt with a key (Esc; hold Space to talk)."
      )
    case .selfCorrected(let said, let meant): self.init("meant", "\(meant)  (said: \(said))")
    case .notTaken(let text, let reason): self.init("not taken", "\(text) – \(reason)")
    case .falseInterruption: self.init("resumed", "That was not an interruption.")
    case .learned(let correction) where correction.leavesAlone:
      self.init("learned", "“\(correction.heard)” is right as it is.")
    case .learned(let correction):
      let undo = "parley words forget \(correction.heard)"
      self.init("learned", "“\(correction.heard)” means “\(correction.meant)”. To undo: \(undo)")
    case .mode(let mode): self.init("mode", mode.rawValue)
    case .loading(.recogniser):
      self.init("loading", "Loading the recogniser; what you say meanwhile is kept and recognised afterwards.")
    case .loading(.voice): self.init("loading", "Loading the voice; speech waits for it.")
    case .loaded(let part): self.init("loaded", "The \(part.rawValue) is ready.")
    case .linkLost(let reason, let wait): self.init("live", "\(reason) Trying again in \(wait) ms.")
    case .rotating: self.init("live", "Moving to a new connection before this one is cut.")
    case .duplicateIgnored(let text): self.init("duplicate", "Already taken, not sent again: \(text)")
    case .warning(let text): self.init("warning", text.beginningAsSentence)
    case .error(let text): self.init("error", text.beginningAsSentence)
    case .cannot(let text): self.init("cannot", text)
    case .help: return nil
    case .quitAsked(let unfinished):
      let seconds = Limits.quitConfirmationMilliseconds / 1000
      self.init("quit", "\(unfinished) Wait a moment, then press q or Ctrl-C within \(seconds) seconds to quit anyway.")
    case .usage(let usage): self.init(usage)
    }
  }

  private init(_ item: HeldItem, _ place: String) {
    switch item.content {
    case .instruction(let instruction): self.init("held", whole: instruction.markedText + place)
    case .permission(_, let request):
      self.init("asks", act: "\(request.shownText)  \(request.numberedAnswers)\(place)")
    case .question(_, let question):
      let options = question.options.enumerated().map { index, option in
        " \(index + 1) \(option.label)" + (option.explanation.isEmpty ? "" : " (\(option.explanation))")
      }
      self.init("asks", whole: ([question.text] + options).joined(separator: "  ") + place)
    }
  }

  private init(_ usage: SessionUsage) {
    var parts: [String] = []
    for (name, tokens) in [("listening", usage.listener), ("speaking", usage.readout), ("the agent", usage.agent)] {
      if let tokens { parts.append("\(name) \(Counted(tokens.input, "token").digits) in and \(tokens.output) out") }
    }
    if let dollars = usage.agentCostInDollars {
      let cents = Int((max(0, min(dollars, 1_000_000)) * 100).rounded())
      parts.append("$\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)")
    }
    self.init("used", parts.joined(separator: "; "))
  }

  private init(_ end: AgentTurnEnd) {
    switch end {
    case .completed: self.init("done", "The agent is done.")
    case .cancelled: self.init("stopped", "The agent stopped.")
    case .stopped(let reason): self.init("stopped", reason)
    case .failed(let reason): self.init("failed", reason)
    case .unconfirmed(let reason, _): self.init("lost", reason)
    }
  }

  /// A row of the line in the colour of what it is: what needs the user, and what failed. The colour says nothing that the
  /// words do not.
  package func coloured(_ row: String) -> String {
    switch label {
    case "held", "asks": "\u{1B}[33m\(row)\u{1B}[0m"
    case "error", "failed", "lost", "warning": "\u{1B}[31m\(row)\u{1B}[0m"
    default: row
    }
  }

  /// The label in a column of its own.
  package var head: String { label + String(repeating: " ", count: max(1, 10 - label.count)) }

  /// With how many blanks the text begins that are its own: those of code in an answer.
  package var indent: Int { label == AgentLines.label ? text.prefix { $0 == " " }.count : 0 }

  /// Label and text.
  package var line: String { head + text }
}

extension String {
  /// With a capital letter, if it begins as the program's own reasons do. Any other first word may be the name of a file or a
  /// program, and a name stays as it is.
  package var beginningAsSentence: String {
    sentenceOpenings.contains(String(prefix { $0 != " " })) ? capitalised : self
  }
}

/// With what a reason of the program begins that stands by itself or behind a colon.
private let sentenceOpenings: Set = ["the", "there", "no", "neither", "cannot", "it", "this"]
