/// A device that is away, in the sound server's lists of what there is: tells when the server has it. A pure value.
struct AwaitedDevice: Equatable {
  private let name: String?
  /// What fitted in the list before; nothing before the first one.
  private var numbers: Set<UInt32> = []
  /// What fits in the list that is being told.
  private var found: Set<UInt32> = []
  private var isBack = false

  /// - Parameter name: what the server calls it; nil where nobody named it, and any of its kind will do.
  init(name: String?) { self.name = name }

  /// A list of the server's has a device of this name and number.
  mutating func isThere(_ name: String, _ number: UInt32) {
    if self.name == nil || self.name == name { found.insert(number) }
  }

  /// The list has ended. Whatever fits in the first one has come back as well: the server answers.
  mutating func wereAll() {
    if !found.isSubset(of: numbers) { isBack = true }
    (numbers, found) = (found, [])
  }

  /// Whether it has come back since this was asked last.
  mutating func takeReturn() -> Bool {
    defer { isBack = false }
    return isBack
  }
}
