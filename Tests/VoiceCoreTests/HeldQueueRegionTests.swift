import Testing
import VoiceVocabulary

@testable import VoiceCore

private func item(_ number: Int, at milliseconds: Int = 0) -> HeldItem {
  let instruction = Instruction(
    id: InstructionID(rawValue: number), text: "instruction \(number)", heard: nil, source: .keyboard)
  return HeldItem(
    id: HeldItemID(rawValue: number), content: .instruction(instruction: instruction), since: time(milliseconds))
}

private func time(_ milliseconds: Int) -> SessionTime { SessionTime.zero.advanced(byMilliseconds: milliseconds) }

struct HeldQueueRegionTests {
  @Test func whatComesBehindTakesNobodysPlace() {
    var queue = HeldQueue()
    queue.append(item(1))
    queue.append(item(2, at: 600))
    #expect(queue.current?.id.rawValue == 1)
    #expect(queue.shownSince == .zero)
    let shown = queue.hasBeenShown(at: time(700), milliseconds: 700)
    #expect(shown)
  }

  /// Also what came up in the same step, and not what is older than the one that was gone to.
  @Test func whatCameUpBehindTheCurrentItemMayBeMeant() throws {
    var queue = HeldQueue()
    queue.append(item(1))
    let first = try #require(queue.current)
    #expect(!queue.hasComeUpSince(first))
    queue.append(item(2))
    #expect(queue.hasComeUpSince(first))
    queue.showAgain(at: time(1_000))
    #expect(!queue.hasComeUpSince(first))
    queue.append(item(3, at: 2_000), isDoubted: true)
    #expect(!queue.hasComeUpSince(first))
    queue.append(item(4, at: 3_000))
    #expect(queue.hasComeUpSince(first))
    queue.askedFor()
    #expect(!queue.hasComeUpSince(first), "the user had it read or explained")
    queue.append(item(5, at: 4_000))
    #expect(queue.hasComeUpSince(first))
    queue.move(by: -1, at: .zero)
    #expect(!queue.hasComeUpSince(try #require(queue.current)), "it is the last")
  }

  /// A terminal has taken nothing for a while: what is current is put before the user anew, and hidden, in two steps.
  @Test(arguments: [(0, false), (3, false), (699, false), (700, true)])
  func whatWasNotThereForLongBeforeTheScreenWentWasNotSeen(_ milliseconds: Int, _ isSeen: Bool) {
    var queue = HeldQueue()
    queue.append(item(1))
    queue.screenReturned(at: time(5_000), milliseconds: 700)
    queue.screenLent(at: time(5_000 + milliseconds))
    #expect(queue.hasBeenShown(at: time(9_000), milliseconds: 700) == isSeen)
    queue.screenReturned(at: time(9_000), milliseconds: 700)
    #expect(queue.hasBeenShown(at: time(9_699), milliseconds: 700) == isSeen)
    #expect(queue.hasBeenShown(at: time(9_700), milliseconds: 700))
  }

  @Test func theTimeOfTheLastPieceIsKeptForEachItem() {
    var queue = HeldQueue()
    queue.append(item(1))
    queue.append(item(2, at: 600))
    #expect(queue.lastPieceTime(of: item(1)) == .zero)
    let before = digest(queue)
    guard case .instruction(let instruction) = item(1).content else { return }
    queue.join(HeldItemID(rawValue: 1), as: instruction, at: time(900))
    #expect(queue.lastPieceTime(of: item(1)) == time(900))
    #expect(queue.lastPieceTime(of: item(2, at: 600)) == time(600))
    #expect(digest(queue) != before)
    queue.remove(HeldItemID(rawValue: 1), at: time(1_000))
    #expect(queue.lastPieceTime(of: item(1)) == .zero)
  }

  private func digest(_ queue: HeldQueue) -> StateDigest {
    var digest = StateDigest()
    queue.fold(into: &digest)
    return digest
  }

  @Test func whatMovesUpWasNotShownBefore() {
    var queue = HeldQueue()
    queue.append(item(1))
    queue.append(item(2))
    queue.remove(HeldItemID(rawValue: 1), at: time(5_000))
    #expect(queue.current?.id.rawValue == 2)
    let (early, late) = (
      queue.hasBeenShown(at: time(5_699), milliseconds: 700), queue.hasBeenShown(at: time(5_700), milliseconds: 700)
    )
    #expect((early, late) == (false, true))
  }

  @Test func aRemovalBeforeTheCurrentItemLeavesItTheCurrentOne() {
    var queue = HeldQueue()
    for number in 1...3 { queue.append(item(number)) }
    queue.move(by: -1, at: time(100))
    #expect(queue.current?.id.rawValue == 3)
    queue.remove(HeldItemID(rawValue: 1), at: time(9_000))
    #expect(queue.current?.id.rawValue == 3)
    #expect(queue.shownSince == time(100))
    queue.move(by: 1, at: time(9_100))
    #expect(queue.current?.id.rawValue == 2)
  }

  @Test func theLastItemRemovedMakesTheOneBeforeItTheCurrentOne() {
    var queue = HeldQueue()
    for number in 1...2 { queue.append(item(number)) }
    queue.move(by: 1, at: time(100))
    queue.remove(HeldItemID(rawValue: 2), at: time(200))
    #expect(queue.current?.id.rawValue == 1)
    queue.remove(HeldItemID(rawValue: 1), at: time(300))
    #expect(queue.current == nil)
    queue.move(by: 1, at: time(400))
    #expect(queue.isEmpty)
  }

  @Test func whatAnotherProgramHidesIsNotShown() {
    var queue = HeldQueue()
    queue.screenLent(at: time(100))
    queue.append(item(1, at: 200))
    let atOnce = queue.hasBeenShown(at: time(9_000), milliseconds: 0)
    #expect(!atOnce, "however short it need be seen")
    let hidden = queue.hasBeenShown(at: time(9_000), milliseconds: 700)
    queue.screenReturned(at: time(10_000), milliseconds: 700)
    let (early, late) = (
      queue.hasBeenShown(at: time(10_600), milliseconds: 700), queue.hasBeenShown(at: time(10_700), milliseconds: 700)
    )
    #expect((hidden, early, late) == (false, false, true))
  }

  @Test func onlyATextThatWasNotTypedIsToBeLookedAtAnew() {
    var queue = HeldQueue()
    queue.append(item(1))
    queue.amend(HeldItemID(rawValue: 1), to: "typed", isTyped: true, at: time(3_000))
    #expect(queue.shownSince == .zero)
    queue.amend(HeldItemID(rawValue: 1), to: "heard", isTyped: false, at: time(4_000))
    #expect(queue.shownSince == time(4_000))
  }

  @Test func whatCameUpWhileTheScreenWasAwayIsShownFromItsReturnOn() {
    for (hidden, shown, isShownAgain) in [(0, 0, true), (0, 100, true), (100, 0, true), (700, 0, false)] {
      var queue = HeldQueue()
      if shown < hidden { queue.append(item(1, at: shown)) }
      queue.screenLent(at: time(hidden))
      if shown >= hidden { queue.append(item(1, at: shown)) }
      let whileAway = queue.hasBeenShown(at: time(900), milliseconds: 700)
      queue.screenReturned(at: time(1_000), milliseconds: 700)
      #expect(queue.shownSince == time(isShownAgain ? 1_000 : shown))
      #expect(whileAway != isShownAgain)
    }
  }

  /// An agent may ask once more in another run what was answered in the one before.
  @Test(arguments: [(Limits.heldItems - 1, .answered), (Limits.heldItems, .anew)] as [(Int, HeldQueue.Asked)])
  func asManyAnswersAsCanBeHeldAreRemembered(_ later: Int, _ asked: HeldQueue.Asked) {
    func permission(_ number: Int, in run: Int) -> HeldItem.Content {
      let id = PermissionID(rawValue: "\(number)")
      return .permission(
        run: RunID(rawValue: run), request: PermissionRequest(id: id, title: "Run", detail: "", choices: [.allowOnce]))
    }
    var queue = HeldQueue()
    for number in 0...later { queue.answered(permission(number, in: 1)) }
    let again = queue.asked(permission(0, in: -1))
    #expect(again == asked)
  }
}
