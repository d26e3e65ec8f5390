/// A device of the sound server's that was chosen by its name, in the server's lists of what there is. A pure value.
///
/// A device that goes and comes back, as a headset does when its profile is switched, has its name again, and another number.
struct FollowedDevice: Equatable {
  private let name: String
  /// What it had in the list before; nil if it was not there, or is not known yet.
  private var number: UInt32?
  /// What it has in the list that is being told.
  private var found: UInt32?
  private var isGone = false

  init(name: String) { self.name = name }

  /// A list of the server's has a device of this name and number.
  mutating func isThere(_ name: String, _ number: UInt32) {
    if name == self.name { found = number }
  }

  /// The list has ended.
  mutating func wereAll() {
    if let number, found != number { isGone = true }
    (number, found) = (found, nil)
  }

  /// Whether it has gone since this was asked last, be it back already.
  mutating func takeGone() -> Bool {
    defer { isGone = false }
    return isGone
  }

  /// The server may be another one, with numbers of its own.
  mutating func forgetNumber() { number = nil }
}
