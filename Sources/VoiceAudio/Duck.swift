/// Lowers what is being played while it is decided whether the user interrupts, and remembers it, so that nothing of it is
/// lost if he does not.
struct Duck {
  /// What is left of the level: -20 dB, heard as "it is still there", and drowned by anybody who speaks.
  private static let floor = 1 << 12
  private static let full = 40_960
  /// From one level to the other within 10 ms, so that nothing clicks.
  private static let step = (full - floor) / 240
  /// How far back the beginning of a word is looked for.
  private static let reachSamples = 9_600
  private static let windowSamples = 240

  /// Whether the level goes, or has gone, down.
  var isOn = false
  /// The level, from `floor` to `full`.
  private var level = Duck.full
  /// The last sound of the current piece, at full level: up to `reachSamples` from before the duck, and all since.
  private var past: [Int16] = []
  /// How many of those were taken before the duck.
  private var before = 0

  /// The sound that comes next belongs to another piece: nothing before it will be repeated.
  mutating func beginPiece() {
    past = []
    before = 0
  }

  /// Take speech that is about to be handed over; the result is at its level.
  mutating func pass(_ part: ArraySlice<Int16>) -> [Int16] {
    past += part
    if !isOn {
      if past.count > 2 * Self.reachSamples { past.removeFirst(past.count - Self.reachSamples) }
      before = past.count
    }
    let target = isOn ? Self.floor : Self.full
    guard level != target || level != Self.full else { return Array(part) }
    return part.map { sample in
      level = level < target ? min(target, level + Self.step) : max(target, level - Self.step)
      return Int16(Int(sample) * level / Self.full)
    }
  }

  /// The sound since the beginning of the word during which the level went down; it is handed over once more.
  mutating func takeAgain() -> [Int16] {
    defer { beginPiece() }
    return Array(past[wordStart...])
  }

  /// The last gap between words before the duck: the end of the quietest 10 ms, the later of equal ones.
  private var wordStart: Int {
    var best = (start: before, loudness: Int.max)
    var end = before
    while end - Self.windowSamples >= max(0, before - Self.reachSamples) {
      let loudness = past[(end - Self.windowSamples)..<end].reduce(0) { $0 + abs(Int($1)) }
      if loudness < best.loudness { best = (end, loudness) }
      // As good as silent: no earlier gap is better.
      if loudness < Self.windowSamples * 40 { break }
      end -= Self.windowSamples
    }
    return best.start
  }
}
