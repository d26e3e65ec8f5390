package import VoiceVocabulary

/// What the session says of its own, by what it means. How that is said is English, and stands here alone.
package enum SpokenSentence: Equatable, Sendable {
  /// A piece of the agent's answer, in its own words.
  case reply(String)
  /// What waits for the user's decision.
  case held(HeldItem.Content)
  /// The same of an instruction that had left, and whose work broke off.
  case heldAgain(HeldItem.Content)
  /// Why words have decided nothing.
  case refusal(String)
  /// What waits behind that.
  case heldBehind(HeldItem.Content)
  /// All about a held item, as it is shown.
  case explanation(String)
  /// What the agent did in the newest run.
  case work(WorkTally)
  /// An instruction is held: work that was not seen to end may go on beside it.
  case heldBesideUnseenWork
  /// The agent gives up waiting for an answer.
  case answerIsDue(HeldItem.Content, seconds: Int)
  /// It gave up.
  case answerLapsed(HeldItem.Content)
  /// The agent is set to this now.
  case settingChanged(AgentSetting, value: String)

  /// A run ended without a word.
  case done
  case stopped
  case agentStopped(reason: String)
  case agentFailed(reason: String)
  case agentLost(reason: String)

  /// A run that was to be stopped ended in another way.
  case completedBeforeItStopped
  case failedBeforeItStopped(reason: String)
  case notKnownToHaveStopped(reason: String)
  case stopUnconfirmed

  /// What the agent had begun by itself ended.
  case ownWorkStopped
  case ownWorkFailed(reason: String)

  /// As it is handed to the wording for speech.
  package var text: String {
    switch self {
    case .reply(let text), .explanation(let text), .refusal(let text): text
    case .held(let content): content.spoken
    case .heldAgain(let content): "This may be done in part. \(content.spoken)"
    case .heldBehind(.instruction(let instruction)): "Also held: \(instruction.text.asSentence)"
    case .heldBehind(let content): "The agent is also waiting: \(content.title.asSentence)"
    case .work(let tally): tally.sentences
    case .heldBesideUnseenWork: "Held, because the agent may still be working on an earlier instruction."
    case .answerIsDue(let content, let seconds):
      "The agent waits \(seconds) seconds more. \(content.title.asSentence)"
    case .answerLapsed(let content): "Nobody answered in time, so it was denied: \(content.title.asSentence)"
    case .settingChanged(let setting, let value): "The \(setting.rawValue) is \(value) now."
    case .done: "Done."
    case .stopped: "Stopped."
    case .agentStopped(let reason): "The agent stopped. \(reason)"
    case .agentFailed(let reason): "The agent failed. \(reason)"
    case .agentLost(let reason): "Contact with the agent was lost. \(reason)"
    case .completedBeforeItStopped: "It finished before it could be stopped. Check what it did."
    case .failedBeforeItStopped(let reason): "It stopped with an error. \(reason)"
    case .notKnownToHaveStopped(let reason): "Not known to have stopped. \(reason)"
    case .stopUnconfirmed: "The agent has not confirmed that it stopped."
    case .ownWorkStopped: "The work it started on its own was stopped."
    case .ownWorkFailed(let reason): "What the agent began by itself failed. \(reason)"
    }
  }

  /// The beginning of a text of which no more is said, at so many scalars: one character may be as long as the text.
  package static func beginning(of text: String, scalars limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return text[..<end] + "… The rest is on the screen."
  }
}

extension HeldItem.Content {
  /// How it is said aloud while it waits for the user's decision.
  package var spoken: String {
    switch self {
    case .instruction(let instruction):
      let question = instruction.source == .ledger ? "Left over from an earlier session. Send" : "Send"
      return "\(question): \(instruction.text)"
    case .permission(_, let request): return "The agent asks. \(request.title.asSentence) \(request.spokenQuestion)"
    case .question(_, let question): return "The agent asks. \(question.spoken)"
    }
  }

  /// Who asks, what exactly would happen, since when, and how it can be decided.
  ///
  /// - Parameters:
  ///   - agent: its name, if it has told one.
  ///   - keyboardOnly: why it cannot be approved by voice; nil if it can.
  package func explanation(agent: String?, keyboardOnly: String?, waitedSeconds: Int) -> String {
    var parts: [String]
    switch self {
    case .instruction(let instruction):
      parts = ["This would be sent to \(agent ?? "the agent"): \(instruction.text)"]
      if let heard = instruction.heard, heard != instruction.text { parts.append("You said: \(heard)") }
    case .permission(_, let request):
      parts = ["\(agent ?? "The agent") asks: \(request.title)"] + request.particulars
    case .question(_, let question):
      parts = ["\(agent ?? "The agent") asks: \(question.spoken)"]
      parts += question.options.filter { !$0.explanation.isEmpty }.map { "\($0.label): \($0.explanation)" }
    }
    if let keyboardOnly { parts.append("It can be approved by key only (\(keyboardOnly))") }
    parts.append("It has waited for \(Counted(waitedSeconds, "second").digits)")
    return parts.joinedAsSentences()
  }
}

extension PermissionRequest {
  /// The question aloud, with what can be answered beyond yes and no.
  fileprivate var spokenQuestion: String {
    guard choices.contains(.allowAlways) else { return "Allow it?" }
    return choices.contains(.allowOnce) ? "Allow it once, or from now on?" : "Allow it from now on?"
  }
}

extension AgentQuestion {
  /// The question and its options, numbered from 1, to be said aloud.
  package var spoken: String {
    let choices = options.enumerated().map { "\($0.offset + 1): \($0.element.label)" }
    return ([text] + choices).joinedAsSentences()
  }
}
