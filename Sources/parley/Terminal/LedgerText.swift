import VoiceCore
import VoiceFoundation
import VoiceLanguage
import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// What a ledger tells, as lines for people.
enum LedgerText {
  /// One line about an instruction: what is certain, the text, and how far it came.
  /// - Parameter records: all of its session.
  static func line(_ record: LedgerRecord, among records: [LedgerRecord]) -> String {
    // In direct mode nothing stands between that and its way to the agent but other work.
    let waited = record.stage == .proposed && records.contains(where: \.isUnderWay)
    let settled = record.isSettled ? " Decided since." : record.isOfferedAgain ? " Held again since." : ""
    let sent = record.wasSent ? "It was sent before, and that did not end well; " : ""
    let denied = record.denied.map { "“\($0)”" }.joined(separator: ", ")
    let without = denied.isEmpty ? "" : " You did not allow: \(denied)."
    let own = record.instruction.source == .agent ? " It had begun that by itself." : ""
    let stage = waited ? "it waited for the work that was under way." : stage(record)
    let fate = sent + stage + own + without + settled
    return "\(certainty(record)): “\(record.instruction.text)” – \(fate)".sanitized()
  }

  private static func certainty(_ record: LedgerRecord) -> String {
    switch record.certainty {
    case .notSent: "not sent"
    case .unconfirmed: "not confirmed"
    case .confirmed: "confirmed"
    case .over: "over"
    }
  }

  private static func stage(_ record: LedgerRecord) -> String {
    switch record.stage {
    case .proposed: "it was just understood."
    case .held: "it waited for your decision."
    case .approved: "it was approved and waited for its turn."
    case .rejected: "you rejected it."
    case .lapsed where record.instruction.origin != nil && record.run == nil:
      "nobody decided about it here; it stays open in the session that it came from."
    case .lapsed: "it was dropped before it was sent."
    case .entered: "it was about to leave for the agent."
    case .dispatched: "it was sent; the agent never acknowledged it."
    case .acknowledged: "the agent took it; how its work ended was not seen."
    case .withdrawn: "the agent did not take it into its work."
    case .ended(.completed): "the agent said that it was done."
    case .ended(.cancelled): "the agent was stopped."
    case .ended(.stopped(let reason)), .ended(.failed(let reason)), .ended(.unconfirmed(let reason, _)):
      reason.asSentence
    }
  }

  /// How an earlier session ended, as what is said of it.
  static func end(_ session: EarlierSession) -> String {
    switch session.outcome {
    case .completed: "is complete."
    case .terminated(let signal): "was ended by \(signal)."
    case .failed(let reason): "failed. \(reason)"
    case nil: "was interrupted."
    }
  }

  /// Where the agent of a session worked, as a sentence; nil if that is not known.
  static func place(_ session: EarlierSession) -> String? {
    session.workingFolder.map { "It worked in \(shown($0)).".sanitized() }
  }

  /// What is open in another folder, in one sentence.
  static func line(_ elsewhere: LeftOver.Elsewhere) -> String {
    let open = Counted(elsewhere.count, "instruction")
    let isThere = PlainFile.isFolder(elsewhere.workingFolder)
    let decide = isThere ? "To decide, start parley run there" : "That folder is not there any more"
    let end = "\(decide); parley ledger shows \(open.verb("it", "them"))."
    return "\(open.digits) of \(shown(elsewhere.workingFolder)) \(open.verb("is", "are")) open. \(end)".sanitized()
  }

  private static func shown(_ path: String) -> String {
    UserFolders(ProcessInfo.processInfo.environment).abbreviated(path)
  }

  /// What is to be said about a session that left something open: all of it that is not over.
  /// - Parameter namesFolder: whether it is told where the session worked.
  static func lines(_ session: EarlierSession, namesFolder: Bool) -> [String] {
    let telling = session.records.filter { $0.certainty != .over && !$0.isSettled && !$0.isOfferedAgain }
    let place = namesFolder ? place(session).map { " \($0)" } ?? "" : ""
    let start = "Session \(session.name) \(end(session))".sanitized() + place
    guard !telling.isEmpty else { return ["\(start) It left nothing open."] + [session.damage].compactMap { $0 } }
    return [start] + telling.map { line($0, among: session.records) } + [session.damage].compactMap { $0 }
  }
}
