package import VoiceVocabulary

/// What waits to be played, and what became of it: sound of numbered pieces in, blocks and marks out.
///
/// Positions count the samples that were handed over since the start, without the silence that a speaker may put
/// between them. A speaker says how far its sound is `out` (can no longer be taken back) and how far it has `played`.
package struct PlaybackQueue: Sendable {
  /// One piece of which something was handed over, or whose end is due.
  private struct Piece {
    var speech: SpeechID
    /// Position of its first sample.
    var start: Int
    var count = 0
    var isAnnounced = false
    /// Position behind its last sample, once everything of it was handed over.
    var end: Int?
    /// How many of its samples were handed over once more, behind a duck.
    var repeated = 0
  }

  private enum Item {
    case sound(SpeechID, [Int16])
    case end(SpeechID)

    var speech: SpeechID {
      switch self {
      case .sound(let speech, _), .end(let speech): speech
      }
    }
  }

  private var items: [Item] = []
  /// Samples of the first item that were handed over already.
  private var taken = 0
  private var queued = 0
  private var pieces: [Piece] = []
  private var earcon: [Int16] = []
  private var duck = Duck()
  /// Samples handed over since the start.
  package private(set) var handed = 0

  /// Whether there is sound to be handed over now.
  package var hasSound: Bool { hasSpeech || !earcon.isEmpty }

  /// Whether there is more than a cue. While ducked, the piece that plays is the last one.
  package var hasSpeech: Bool {
    guard duck.isOn else { return queued > 0 }
    if case .sound(let speech, _)? = items.first { return pieces.last?.speech == speech }
    return false
  }

  /// Whether marks are still due, so that the speaker must look again.
  package var isWaiting: Bool { !items.isEmpty || pieces.contains { $0.end != nil || !$0.isAnnounced } }

  /// Queue sound behind what is queued of its piece, or of all if nothing is. What is over the limit is dropped: its text is on
  /// the screen; and so is what comes when the next piece has begun.
  package mutating func append(_ samples: [Int16], of speech: SpeechID) {
    let kept = samples.prefix(max(0, Limits.queuedPlaybackSamples - queued))
    guard !kept.isEmpty, let place = place(of: speech) else { return }
    items.insert(.sound(speech, Array(kept)), at: place)
    queued += kept.count
  }

  /// No more sound comes for this piece.
  package mutating func finish(_ speech: SpeechID) {
    guard let place = place(of: speech) else { return }
    items.insert(.end(speech), at: place)
    passEnds()
  }

  /// Where in the queue what comes now of a piece belongs: a piece is never in two parts, and its end is never in another
  /// one. Nil if it is over, because the next one has begun.
  private func place(of speech: SpeechID) -> Int? {
    if let last = items.lastIndex(where: { $0.speech == speech }) { return last + 1 }
    guard pieces.contains(where: { $0.speech == speech }) else { return items.count }
    return pieces.last?.speech == speech && pieces.last?.end == nil ? 0 : nil
  }

  /// Mix a short sound over what comes next. One that still sounds goes on beneath it.
  package mutating func mix(_ samples: [Int16]) {
    earcon = Self.sum(earcon, samples)
  }

  /// Go on more softly, until it is decided whether the user means it.
  package mutating func lower() { duck.isOn = true }

  /// It was nothing: go on at full level, from the beginning of the word at which `lower` was called.
  package mutating func restore() {
    guard duck.isOn else { return }
    duck.isOn = false
    let again = duck.takeAgain()
    if !again.isEmpty, let last = pieces.indices.last, pieces[last].end == nil {
      if taken > 0, case .sound(let speech, let samples)? = items.first {
        items[0] = .sound(speech, Array(samples[taken...]))
        taken = 0
      }
      items.insert(.sound(pieces[last].speech, again), at: 0)
      pieces[last].repeated += again.count
      queued += again.count
    }
    passEnds()
  }

  /// The next samples to hand over: at most `count`, fewer if there are no more.
  package mutating func take(_ count: Int) -> [Int16] {
    var block: [Int16] = []
    block.reserveCapacity(count)
    while block.count < count, hasSpeech, case .sound(let speech, let samples)? = items.first {
      let part = samples[taken...].prefix(count - block.count)
      note(part.count, of: speech, at: handed + block.count)
      block += duck.pass(part)
      taken += part.count
      queued -= part.count
      if taken == samples.count {
        items.removeFirst()
        taken = 0
        passEnds(at: handed + block.count)
      }
    }
    let overlay = earcon.prefix(count)
    earcon.removeFirst(overlay.count)
    block = Self.sum(block, Array(overlay))
    handed += block.count
    return block
  }

  /// The marks that are due now that the sound is out, and has played, up to these positions.
  package mutating func progress(out: Int, played: Int) -> [VoiceEvent] {
    var events: [VoiceEvent] = []
    while let piece = pieces.first {
      if !piece.isAnnounced && piece.count > 0 && out > piece.start {
        events.append(.playbackStarted(speech: piece.speech))
        pieces[0].isAnnounced = true
      }
      guard let end = piece.end, played >= end else { break }
      events.append(.playbackEnded(speech: piece.speech))
      pieces.removeFirst()
    }
    return events
  }

  /// Drop everything that is not out yet. The marks of what is out come first, `playbackCleared` last.
  package mutating func clear(out: Int) -> [VoiceEvent] {
    var events: [VoiceEvent] = []
    var playing: (speech: SpeechID, samples: Int)?
    for piece in pieces where piece.count > 0 && piece.start < out {
      // The one before has played, or is about to: nothing can stop it any more.
      if let playing { events.append(.playbackEnded(speech: playing.speech)) }
      if !piece.isAnnounced { events.append(.playbackStarted(speech: piece.speech)) }
      playing = (piece.speech, max(0, min(piece.count, out - piece.start) - piece.repeated))
    }
    events.append(
      .playbackCleared(
        speech: playing?.speech, heardMilliseconds: (playing?.samples ?? 0) * 1000 / PCM.speakerRate))
    items = []
    taken = 0
    queued = 0
    pieces = []
    earcon = []
    duck = Duck()
    return events
  }

  private mutating func note(_ count: Int, of speech: SpeechID, at position: Int) {
    if pieces.last?.speech != speech || pieces.last?.end != nil {
      // A piece is over at the latest when the next one begins; marks never overlap.
      if let last = pieces.indices.last, pieces[last].end == nil { pieces[last].end = position }
      pieces.append(Piece(speech: speech, start: position))
      duck.beginPiece()
    }
    pieces[pieces.count - 1].count += count
  }

  /// Turn the ends at the head of the queue into marks: everything before them was handed over.
  private mutating func passEnds(at position: Int? = nil) {
    while !duck.isOn, case .end(let speech)? = items.first {
      items.removeFirst()
      if let last = pieces.indices.last, pieces[last].speech == speech, pieces[last].end == nil {
        pieces[last].end = position ?? handed
      } else {
        pieces.append(Piece(speech: speech, start: position ?? handed, end: position ?? handed))
      }
    }
  }

  private static func sum(_ first: [Int16], _ second: [Int16]) -> [Int16] {
    if second.isEmpty { return first }
    var sum = first.count < second.count ? second : first
    let shorter = first.count < second.count ? first : second
    for index in shorter.indices {
      sum[index] = Int16(max(-32_768, min(32_767, Int(sum[index]) + Int(shorter[index]))))
    }
    return sum
  }
}
