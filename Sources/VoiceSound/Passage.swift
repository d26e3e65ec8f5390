/// Lets the user's sound through to the recogniser, and nothing else while the program can be heard.
///
/// The detector decides some time after the user's first sound. So what is held back waits, and the recogniser hears the user late, but
/// whole; it is on time again after the first pause. A pure value; one call a block.
struct Passage: Equatable {
  private struct Held: Equatable {
    var samples: [Int16]
    /// Whether it may be the user's; what is known to be nothing but echo becomes silence.
    var isTrusted: Bool
    /// Whether it is known to be the user's.
    var isNear: Bool
  }

  /// 400 ms, by the speed of the slowest detector: 256 ms of windows, five eighths of them speech.
  static let heldBlocks = 40
  /// Where it is known who was near, he is let through from his beginning, up to 1.5 s before; but for pauses of less than 300 ms,
  /// and with 50 ms before it.
  private static let (mostHeldBlocks, gapBlocks, leadBlocks) = (150, 30, 5)
  /// Who is known to be near was so for the last 200 ms: so long does it take to know.
  private static let knownBlocks = 20

  /// What was held back and may still be let through, oldest first; empty while the recogniser hears on time.
  private var held: [Held] = []
  /// Blocks in a row without an open detector, since nothing plays any more.
  private var idleBlocks = 0
  /// Whether the detector opened for the user: then he is heard to the end.
  private var isForUser = false
  /// So many of the held blocks are the user's, though the detector has closed.
  private var due = 0
  /// The detector closes after so much silence.
  private let silentBlocks: Int

  /// - Parameter silenceMilliseconds: after so much silence the detector closes.
  init(silenceMilliseconds: Int = 600) { silentBlocks = silenceMilliseconds / 10 }

  /// Whether the user is still being heard, though he has ended.
  var isDraining: Bool { due > 0 }

  /// What was held for the user's was not his, or the echo comes another way.
  mutating func forgetNear() { for index in held.indices.dropFirst(due) { held[index].isNear = false } }

  /// Take a block of the microphone, and give the one that the recogniser hears now. `isTrusted`: it may be the user's; `isNear`: it
  /// is known to be.
  mutating func `let`(
    _ samples: [Int16], isTrusted: Bool, isNear: Bool = false, isAudible: Bool, vad: Detection
  ) -> [Int16] {
    if vad.hasOpened {
      isForUser = true
      open()
    }
    if vad.hasClosed || vad.isRefused {
      isForUser = false
      if vad.hasClosed { due = max(due, held.count - (vad.quietBlocks ?? silentBlocks)) }
      held.removeLast(held.count - due)
    }
    if isTrusted { for index in held.indices.suffix(Self.knownBlocks) { held[index].isTrusted = true } }
    let block = Held(samples: samples, isTrusted: isTrusted, isNear: isNear)
    idleBlocks = isAudible || vad.isOpen || due > 0 ? 0 : idleBlocks + 1
    if due > 0 {
      due -= 1
      return next(block)
    }
    // Who began to speak into the end of the echo, or behind his last words, is not noticed sooner than that; and not while he is
    // about to be.
    if idleBlocks > Self.heldBlocks, !vad.isStirring || idleBlocks > 2 * Self.heldBlocks { held = [] }
    if !isAudible, held.isEmpty || vad.isOpen { return next(block) }
    if isAudible, vad.isOpen, isForUser { return next(block) }
    held.append(block)
    if held.count > Self.mostHeldBlocks { held.removeFirst() }
    return Self.silence(samples.count)
  }

  /// What was held before the user began is not heard: but behind what is still due, silence keeps its place.
  private mutating func open() {
    let beginning = beginning
    if due == 0 {
      held.removeFirst(beginning)
    } else {
      for index in due..<max(due, beginning) { held[index].isTrusted = false }
    }
  }

  /// Where the user began, among what is held.
  private var beginning: Int {
    let latest = max(0, held.count - Self.heldBlocks)
    var first = latest
    for index in held.indices.reversed() where held[index].isNear && index + Self.gapBlocks >= first {
      first = min(first, index)
    }
    return first < latest ? max(0, first - Self.leadBlocks) : latest
  }

  /// What the detector at the microphone decided with this block.
  struct Detection {
    var isOpen: Bool
    var hasOpened: Bool
    var hasClosed: Bool
    /// After how much silence it has closed, where that is less than usual.
    var quietBlocks: Int?
    /// Whether it heard somebody lately, and has not opened.
    var isStirring = false
    /// Whether what it opened for was nobody.
    var isRefused = false
  }

  private mutating func next(_ block: Held) -> [Int16] {
    held.append(block)
    let oldest = held.removeFirst()
    return oldest.isTrusted ? oldest.samples : Self.silence(oldest.samples.count)
  }

  private static func silence(_ count: Int) -> [Int16] { [Int16](repeating: 0, count: count) }
}
