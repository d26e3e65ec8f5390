/// Who is speaking, and what became of what was heard last.
package struct FloorRegion: Equatable, Sendable {
  package enum Floor: Equatable, Sendable {
    /// Exits: `userSpeaking` (a detector heard the user).
    case quiet
    /// Exits: `quiet` (the detector heard the pause).
    case userSpeaking
  }

  package var floor: Floor = .quiet
  /// The transcript of the current utterance so far.
  package private(set) var transcript = ""
  /// Whether part of the transcript was not shown yet.
  private var isShown = true
  /// Whether the user was heard since the last proposal: if not, the same proposal again is a repetition of the model's.
  private var heardSinceProposal = true
  private var lastProposal: String?

  package init() {}

  package mutating func heardVoice() { heardSinceProposal = true }

  /// Add a piece of transcript, verbatim: leading blanks are part of it.
  package mutating func transcribed(_ text: String) {
    if !text.allSatisfy(\.isWhitespace) { heardSinceProposal = true }
    guard transcript.utf8.count + text.utf8.count <= Limits.instructionCharacters else { return }
    transcript += text
    isShown = false
  }

  /// The transcript, if it was not shown yet.
  package mutating func takeForShowing() -> String? {
    defer { isShown = true }
    let text = transcript.trimmingWhitespace()
    return isShown || text.isEmpty ? nil : text
  }

  /// Take note of a proposal. Returns whether it only repeats the last one, with nothing heard in between.
  package mutating func proposed(_ text: String) -> Bool {
    let isRepetition = !heardSinceProposal && lastProposal == text
    heardSinceProposal = false
    lastProposal = text
    return isRepetition
  }

  /// The utterance was dealt with; the next transcript is of another one.
  package mutating func endUtterance() {
    transcript = ""
    isShown = true
  }
}

extension FloorRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(floor == .userSpeaking)
    digest.fold(transcript)
    digest.fold(isShown)
    digest.fold(heardSinceProposal)
    digest.fold(lastProposal ?? "")
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  package func trimmingWhitespace() -> String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
    return String(self[start..<end])
  }
}
