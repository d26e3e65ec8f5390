package import VoiceVocabulary

/// A question in a reply of the agent, which is no held item: a bare "yes" may be the answer to that, and not about the held item.
///
/// In a reply something may have been heard that nobody said, and be held; nobody who answers the reply means that. So a question is
/// open until the held item has been read back after it, far enough for anybody to know what it is.
package struct OpenQuestion: Equatable, Sendable {
  /// When a reply asked last, on the screen or aloud; nil if none did.
  private var askedAt: SessionTime?
  /// The item that is read back behind that; nil if that was cut before anybody had heard what it is.
  private var readBack: ReadBack?

  private struct ReadBack: Equatable, Sendable {
    let item: HeldItemID
    let start: SessionTime

    /// From when on a user who speaks may mean it.
    var isKnownSince: SessionTime { start.advanced(byMilliseconds: Limits.shownMilliseconds) }
  }

  package init() {}

  /// A reply is shown or heard.
  package mutating func replied(_ text: String, at now: SessionTime) {
    if text.contains(where: { "?？".contains($0) }) { (askedAt, readBack) = (now, nil) }
  }

  /// A piece of the reading back begins to be heard.
  package mutating func readBackBegan(_ item: HeldItemID, at now: SessionTime) {
    if askedAt != nil, readBack?.item != item { readBack = ReadBack(item: item, start: now) }
  }

  /// The reading back is cut.
  package mutating func readBackCut(at now: SessionTime) {
    if let readBack, now < readBack.isKnownSince { self.readBack = nil }
  }

  /// Whether what was begun to be said at this moment may be an answer to the reply, and not about the item. A reply that asked long
  /// before the item came up is answered, or left, by whoever says something new.
  package func isOpen(besides item: HeldItem, at begin: SessionTime) -> Bool {
    guard let askedAt, askedAt.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds) >= item.since else {
      return false
    }
    guard let readBack, readBack.item == item.id else { return true }
    return begin < readBack.isKnownSince
  }
}

extension OpenQuestion: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(askedAt, readBack?.item, readBack?.start) }
}
