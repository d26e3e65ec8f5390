package import VoiceVocabulary

/// What the agent is told with the next instruction: how much of its last reply was heard, and why something was denied.
package struct RemarksRegion: Equatable, Sendable, DigestedState {
  /// The end of what was heard of the last reply, if the user cut it.
  private var heard: String?
  /// Why the user denied something, as sentences.
  package private(set) var reasons: [String] = []

  /// The user cut a reply of which these words were heard.
  package mutating func replyCut(after words: String) { heard = words }

  /// The user denied something to an agent that takes no reason with that.
  package mutating func denied(_ title: String, because reason: String) {
    reasons.append("The user did not allow “\(title)”, for this reason: “\(reason)”.")
    reasons.removeFirst(max(0, reasons.count - Limits.untoldReasons))
  }

  /// An instruction leaves. Returns what goes with it, as sentences.
  package mutating func takeAll() -> [String] {
    defer { self = RemarksRegion() }
    guard let heard else { return reasons }
    let words = heard.split(separator: " ").suffix(Limits.lastHeardWords).joined(separator: " ")
    let remark =
      words.isEmpty
      ? "The user interrupted your last answer before any of it was heard."
      : "The user interrupted your last answer. What was heard of it ended with: “\(words)”."
    return [remark] + reasons
  }

  package func fold(into digest: inout StateDigest) {
    digest.fold(heard)
    for reason in reasons { digest.fold(Optional(reason)) }
  }
}
