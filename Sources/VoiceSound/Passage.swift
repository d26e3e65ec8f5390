/// Lets the user's sound through to the recogniser, and nothing else while the program can be heard.
///
/// The detector decides up to 400 ms after the user's first sound. So what is held back waits that long, and the recogniser hears
/// the user late, but whole; it is on time again after the first pause. A pure value; one call a block.
struct Passage: Equatable {
  private struct Held: Equatable {
    var samples: [Int16]
    /// Whether it may be the user's; what is known to be nothing but echo becomes silence.
    var isTrusted: Bool
  }

  /// 400 ms, by the speed of the slowest detector: 256 ms of windows, five eighths of them speech.
  static let heldBlocks = 40
  /// Who is known to be near was so for the last 200 ms: so long does it take to know.
  private static let knownBlocks = 20

  /// What was held back and may still be let through, oldest first; empty while the recogniser hears on time.
  private var held: [Held] = []
  /// Blocks in a row without an open detector, since nothing plays any more.
  private var idleBlocks = 0
  /// Whether the detector opened for the user: then he is heard to the end.
  private var isForUser = false

  /// Take a block of the microphone, and give the one that the recogniser hears now. `isTrusted`: it may be the user's.
  mutating func `let`(_ samples: [Int16], isTrusted: Bool, isAudible: Bool, vad: Detection) -> [Int16] {
    if vad.hasOpened { isForUser = true }
    if vad.hasClosed {
      isForUser = false
      // The detector closes after 600 ms of silence: nothing but silence is held.
      held = []
    }
    if isTrusted { for index in held.indices.suffix(Self.knownBlocks) { held[index].isTrusted = true } }
    let block = Held(samples: samples, isTrusted: isTrusted)
    idleBlocks = isAudible || vad.isOpen ? 0 : idleBlocks + 1
    // Who began to speak into the end of the echo is not noticed sooner than that.
    if idleBlocks > Self.heldBlocks { held = [] }
    if !isAudible, held.isEmpty || vad.isOpen { return next(block) }
    if isAudible, vad.isOpen, isForUser { return next(block) }
    held.append(block)
    if held.count > Self.heldBlocks { held.removeFirst() }
    return Self.silence(samples.count)
  }

  /// What the detector at the microphone decided with this block.
  struct Detection {
    var isOpen: Bool
    var hasOpened: Bool
    var hasClosed: Bool
  }

  private mutating func next(_ block: Held) -> [Int16] {
    held.append(block)
    let oldest = held.removeFirst()
    return oldest.isTrusted ? oldest.samples : Self.silence(oldest.samples.count)
  }

  private static func silence(_ count: Int) -> [Int16] { [Int16](repeating: 0, count: count) }
}
