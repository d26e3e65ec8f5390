import VoiceCore
import VoiceVocabulary

/// A speaker that plays in virtual time, one piece after the other.
final class SimulatedSpeaker {
  private struct Piece {
    let id: SpeechID
    var sampleCount = 0
    var isComplete = false
    var start: SessionTime?
  }

  private let time: VirtualTime
  private let refusals: Refusals
  private let played: (Fixture.Trigger) -> Void
  private var pieces: [Piece] = []
  /// Grows with every clearing, so that what was planned before it does not happen.
  private var generation = 0
  private var isLost = false
  private var duckedAt: SessionTime?
  /// The device is away since then: nothing plays.
  private var awayAt: SessionTime?
  /// A device's name.
  private static let name = "Headset"

  init(_ time: VirtualTime, _ refusals: Refusals, played: @escaping (Fixture.Trigger) -> Void) {
    self.time = time
    self.refusals = refusals
    self.played = played
  }

  /// The device is gone: what was to be played never ends.
  func lose() -> VoiceEvent? {
    guard !isLost else { return nil }
    isLost = true
    pieces = []
    generation += 1
    return .speakerFailed(reason: "The speaker was disconnected.")
  }

  /// The device is away: what is to be played waits for it.
  func unplug() -> VoiceEvent? {
    guard !isLost, awayAt == nil else { return nil }
    awayAt = time.now
    return .soundDeviceSilent(kind: .speaker, name: Self.name)
  }

  /// The device is there again, and plays on where it was cut off.
  func plugIn() -> VoiceEvent? {
    guard !isLost, let since = awayAt else { return nil }
    awayAt = nil
    if let ducked = duckedAt { duckedAt = min(ducked, since) } else { goOn(since: since) }
    return .soundDeviceReturned(kind: .speaker, name: Self.name)
  }

  /// Play this behind what the same piece has already.
  func play(_ audio: SpeechAudio, of speech: SpeechID) {
    guard !isLost else { return }
    if pieces.last?.id != speech {
      if pieces.contains(where: { $0.id == speech }) { refusals.add("pieces of speech were mixed up") }
      pieces.append(Piece(id: speech))
    }
    pieces[pieces.count - 1].sampleCount += audio.samples.count
    planStart()
  }

  /// Nothing more comes of this piece.
  func finishPlaying(_ speech: SpeechID) {
    guard let index = pieces.firstIndex(where: { $0.id == speech }) else { return }
    pieces[index].isComplete = true
    if index == 0, pieces[0].start != nil { planEnd() }
  }

  /// Lower the level: nothing that plays meanwhile counts as heard.
  func duck() { duckedAt = duckedAt ?? time.now }

  /// Go on where the level went down: everything is later by what was lowered.
  func resume() {
    guard let since = duckedAt else { return }
    duckedAt = nil
    if let away = awayAt { awayAt = min(away, since) } else { goOn(since: since) }
  }

  /// Nothing has played since then.
  private func goOn(since: SessionTime) {
    guard let start = pieces.first?.start else { return planStart() }
    pieces[0].start = start.advanced(byMilliseconds: time.now.milliseconds(since: since))
    if pieces[0].isComplete { planEnd() }
  }

  /// Forget what was not played yet.
  func clear() {
    guard !isLost else { return }
    duckedAt = nil
    let current = pieces.first.flatMap { piece in piece.start.map { (piece, $0) } }
    pieces = []
    generation += 1
    let end = awayAt ?? time.now
    let heard = current.map { max(0, end.milliseconds(since: $0.1)) } ?? 0
    time.after(milliseconds: 0, .playbackCleared(speech: current?.0.id, heardMilliseconds: heard))
  }

  private func planStart() {
    guard let first = pieces.first, first.start == nil, duckedAt == nil, awayAt == nil else { return }
    pieces[0].start = time.now
    let id = first.id
    plan(milliseconds: 10) { [self] in
      played(.speechStarted)
      if pieces[0].isComplete { planEnd() }
      return .playbackStarted(speech: id)
    }
  }

  private func planEnd() {
    guard let piece = pieces.first, let start = piece.start else { return }
    let end = start.advanced(byMilliseconds: 10 + piece.sampleCount * 1000 / PCM.speakerRate)
    let wait = max(0, end.milliseconds(since: time.now))
    plan(milliseconds: wait) { [self] in
      // Lowered in the meantime, or played again in part: its end is planned anew.
      guard duckedAt == nil, awayAt == nil, let first = pieces.first, first.id == piece.id, first.start == start else {
        return nil
      }
      pieces.removeFirst()
      if !pieces.isEmpty { planStart() }
      played(.speechEnded)
      return .playbackEnded(speech: piece.id)
    }
  }

  private func plan(milliseconds: Int, _ happen: @escaping () -> VoiceEvent?) {
    let planned = generation
    time.after(milliseconds: milliseconds) { [self] in planned == generation ? happen() : nil }
  }
}
