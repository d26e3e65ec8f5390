/// What waits for the user's decision, in the order in which it came. One item is the current one, which decisions are
/// about; it stays the current one whatever comes behind it.
package struct HeldQueue: Equatable, Sendable, RandomAccessCollection {
  private var items: [HeldItem] = []
  private var place = 0
  /// When the current item came to be it. A decision that was on its way before is about another one.
  package private(set) var currentSince = SessionTime.zero
  /// The held instruction that the user's next utterance is added to.
  package var extended: HeldItemID?

  package init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }
  package subscript(position: Int) -> HeldItem { items[position] }

  /// The item that decisions are about; nil only if nothing is held.
  package var current: HeldItem? { items.isEmpty ? nil : items[place] }

  /// The current item's place, counted from 1.
  package var currentPosition: Int { place + 1 }

  package mutating func append(_ item: HeldItem) {
    if items.isEmpty { currentSince = item.since }
    items.append(item)
  }

  /// Take an item out. If it was the current one, the one behind it becomes that, or else the last one.
  package mutating func remove(_ id: HeldItemID, at now: SessionTime) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { preconditionFailure("\(id) is not held") }
    items.remove(at: index)
    if extended == id { extended = nil }
    if index == place { currentSince = now }
    if index < place { place -= 1 }
    place = Swift.max(0, Swift.min(place, items.count - 1))
  }

  /// Make the next item the current one, or with -1 the one before; from either end it goes on at the other.
  package mutating func move(by step: Int, at now: SessionTime) {
    guard !items.isEmpty else { return }
    place = (place + step + items.count) % items.count
    currentSince = now
  }

  /// Change the text of a held instruction.
  package mutating func amend(_ id: HeldItemID, to text: String) {
    guard let index = items.firstIndex(where: { $0.id == id }),
      case .instruction(var instruction) = items[index].content
    else { preconditionFailure("\(id) is no held instruction") }
    instruction.text = text
    // The words are the user's own now.
    instruction.repair = nil
    items[index].content = .instruction(instruction: instruction)
  }
}

extension HeldQueue: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(items)
    digest.fold(place)
    digest.fold(Int(currentSince.microseconds))
    digest.fold(extended)
  }
}
