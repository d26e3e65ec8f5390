import VoiceLanguage
package import VoiceVocabulary

/// An instruction that is being said in pieces, where a pause is not its end.
package struct DraftRegion: Equatable, Sendable, DigestedState {
  private enum State: Equatable, Sendable {
    /// Exits: `open` (a first piece).
    case none
    /// More may be said. Exits: `none` (ended, held, dropped).
    case open(Instruction)
  }

  private var state = State.none
  private var pieces = 0
  /// Since when it has been shown as it is. It follows from the steps before.
  private(set) var shownSince = SessionTime.zero
  /// Why it is held once it is whole, for the user; nil if there is no reason.
  package private(set) var doubt: String?
  /// Whether the user ended it while he was still being understood: the piece that is on its way is the last one.
  package private(set) var endsWithNextPiece = false
  /// How it waits to leave by itself; nil if only the user ends it.
  private(set) var leaving: Leaving?

  /// An instruction that is whole, and leaves unless the user goes on.
  struct Leaving: Equatable, Sendable {
    /// Since when it waits, and until when at least.
    let since: SessionTime
    fileprivate(set) var until: SessionTime
    /// Whether somebody was heard to speak on since: it waits for the words of that.
    fileprivate(set) var isFollowed: Bool
  }

  /// What was said so far; nil if nothing was.
  package var instruction: Instruction? {
    if case .open(let instruction) = state { instruction } else { nil }
  }

  /// Begin with a first piece.
  mutating func begin(_ instruction: Instruction, at now: SessionTime) {
    (state, pieces, shownSince) = (.open(instruction), 1, now)
  }

  /// Add a piece to what was said before. A live model that remembers what it proposed may repeat it with the rest behind
  /// it. Returns false if that would be too long for an instruction, or too many pieces; nothing is added then.
  ///
  /// - Parameter asOneSentence: whether only a pause parted the pieces.
  mutating func add(_ text: String, heard: String, asOneSentence: Bool = false, at now: SessionTime) -> Bool {
    guard case .open(var instruction) = state else { preconditionFailure("a piece is added to nothing") }
    let before = SpokenWords(instruction.text)
    let repeats = before.words.count > 2 && SpokenWords(text).contains(before)
    let longer =
      repeats
      ? text : asOneSentence ? PartedSentence.joined(instruction.text, text) : instruction.text + " " + text
    guard longer.utf8.count <= Limits.instructionCharacters, pieces < Limits.draftPieces else { return false }
    pieces += 1
    shownSince = now
    instruction.heard = instruction.heard(with: text, heard: heard)
    instruction.text = longer
    state = .open(instruction)
    return true
  }

  /// Something that was said so far is not to be trusted. Returns whether that is news.
  mutating func doubted(_ reason: String) -> Bool {
    guard instruction != nil, doubt != reason else { return false }
    doubt = reason
    return true
  }

  /// The piece that is still being understood is the last.
  mutating func endWithNextPiece() { endsWithNextPiece = true }

  /// It is whole, and leaves unless the user goes on.
  ///
  /// - Parameters:
  ///   - milliseconds: how long it waits at least.
  ///   - isFollowed: whether somebody speaks on already.
  mutating func leaves(afterMilliseconds milliseconds: Int, isFollowed: Bool, at now: SessionTime) {
    leaving = Leaving(
      since: leaving?.since ?? now, until: now.advanced(byMilliseconds: milliseconds), isFollowed: isFollowed)
  }

  /// Somebody is heard to speak on.
  mutating func noteVoice() { leaving?.isFollowed = true }

  /// It does not leave by itself any more: the user ends it.
  mutating func stays() { leaving = nil }

  /// Take it out: whole, or as far as it was said.
  mutating func take() -> Instruction? {
    defer { (state, endsWithNextPiece, doubt, leaving) = (.none, false, nil, nil) }
    return instruction
  }
}

extension Instruction {
  /// What was heard of it, once a further piece is added. Of a piece without a transcript the words that were proposed stand for it: what
  /// was heard of the other pieces may need a key.
  func heard(with piece: String, heard words: String) -> String? {
    if heard == nil, words.isEmpty { return nil }
    return (heard ?? text) + " " + (words.isEmpty ? piece : words)
  }
}

extension DraftRegion {
  package func fold(into digest: inout StateDigest) {
    digest.fold(endsWithNextPiece, instruction, doubt)
    // Most drafts do not leave by themselves, and the digests of those are in logs.
    if let leaving { digest.fold(leaving.since, leaving.until, leaving.isFollowed) }
  }
}
