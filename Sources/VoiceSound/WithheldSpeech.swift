/// Whether somebody was speaking already when he was let through: nothing is, while the program can be heard and the user cannot be told
/// from it, and of what he began to say then only the end is understood.
///
/// Levels only, since there is nothing else to go by. Of an echo nothing comes any more when its time is over: what is still loud then,
/// and was for 300 ms, is near. And as long as it is not known how loud the echo is, whatever is loud may be the user. Blocks of 10 ms.
struct WithheldSpeech {
  private static let (observedBlocks, leastLoud) = (30, 24)
  /// Who was speaking when the echo was over is noticed within 600 ms.
  private static let rememberedBlocks = 60
  /// He is let through from 400 ms before he is noticed; what was loud up to 2.5 s before may be his.
  private static let (heldBlocks, reachBlocks) = (Passage.heldBlocks, 250)

  /// The last blocks, the newest last: whether each was loud and withheld, and whether it was unknown then how loud the echo is.
  private var blocks: [(isWithheld: Bool, isUnknown: Bool)] = []
  private var wasAudible = false
  private var blocksSince = 1_000

  /// Take one block.
  ///
  /// - Parameters:
  ///   - isAudible: whether the program may be heard in it.
  ///   - isLoud: whether it is clearly louder than the room.
  ///   - isLetThrough: whether the recogniser gets it, now or later.
  ///   - isEchoKnown: whether it is known how loud the echo is.
  ///   - hasOpened: whether the detector has just noticed somebody.
  /// - Returns: whether that is somebody whose beginning was not let through.
  mutating func hear(isAudible: Bool, isLoud: Bool, isLetThrough: Bool, isEchoKnown: Bool, hasOpened: Bool) -> Bool {
    if wasAudible, !isAudible {
      let loud = blocks.suffix(Self.observedBlocks).count { $0.isWithheld }
      blocksSince = loud >= Self.leastLoud ? 0 : 1_000
    }
    wasAudible = isAudible
    blocks.append((isAudible && isLoud && !isLetThrough, !isEchoKnown))
    if blocks.count > Self.reachBlocks { blocks.removeFirst() }
    blocksSince = min(1_000, blocksSince + 1)
    guard hasOpened else { return false }
    defer { (blocks, blocksSince) = ([], 1_000) }
    let unknown = blocks.dropLast(Self.heldBlocks).count { $0.isWithheld && $0.isUnknown }
    return blocksSince <= Self.rememberedBlocks || unknown >= Self.leastLoud
  }
}
