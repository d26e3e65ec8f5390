import VoiceLanguage
import VoiceVocabulary

/// Words that come after the call for the utterance they belong to, perhaps after the end of its turn: a transcript keeps no order with
/// calls. They are shown, and ask for nothing.
struct LateWords: Equatable, Sendable {
  /// Something that was taken before its words were known.
  private struct Taken: Equatable, Sendable {
    let time: SessionTime
    /// The words of it that are still to come; empty where none are known, or where the model worded it differently.
    var missing: [String]
  }

  private var taken: [Taken] = []
  /// What has come and was not shown.
  private var text = ""

  /// Something was taken, and these of its words are not known.
  mutating func expect(_ missing: [String], at now: SessionTime) {
    taken.append(Taken(time: now, missing: missing))
    if taken.count > Limits.rememberedProposals { taken.removeFirst() }
  }

  /// A piece of a transcript came. Returns whether it belongs to something that was taken before.
  ///
  /// - Parameter isAwaited: whether it may as well belong to something else that was said: then only all of the missing words count as
  ///   them.
  mutating func claims(_ piece: String, isFinal: Bool, isAwaited: Bool, at now: SessionTime) -> Bool {
    taken.removeAll { now > $0.time.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds) }
    let words = SpokenWords(piece).words
    guard !words.isEmpty else { return false }
    let index = taken.firstIndex { isAwaited ? $0.missing == words : $0.missing.starts(with: words) }
    guard let index else {
      guard !isAwaited, !taken.isEmpty else { return false }
      if isFinal { taken.removeFirst() }
      return true
    }
    taken[index].missing.removeFirst(words.count)
    if taken[index].missing.isEmpty { taken.remove(at: index) }
    return true
  }

  /// The words of what was taken last may decide something: they are not only to be shown.
  mutating func lastMayDecide() { _ = taken.popLast() }

  /// The connection is left: what was not answered is transcribed anew on the next.
  mutating func connectionLeft() { taken = [] }

  /// Keep such a piece until it is shown.
  mutating func keep(_ piece: String) { text += piece }

  /// Whether no more comes.
  var isComplete: Bool { taken.isEmpty }

  /// What has come and was not shown; nil if nothing.
  mutating func takeForShowing() -> String? {
    defer { text = "" }
    return text.isEmpty ? nil : text.trimmingWhitespace()
  }
}

extension LateWords: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(text, taken.count)
    for taken in taken { digest.fold(taken.time, Optional(taken.missing.joined(separator: " "))) }
  }
}
