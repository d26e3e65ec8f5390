/// The calls of a turn that are not over, in the order in which they began. What is done with one costs the same however many there
/// are: an agent may begin thousands before the first is over.
struct OpenCalls: Equatable, Sendable {
  /// With gaps where those stood that are over, but not at the end.
  private var order: [String?] = []
  private var places: [String: Int] = [:]

  /// Whether all are over.
  var isEmpty: Bool { places.isEmpty }

  /// The newest.
  var last: String? { order.last ?? nil }

  /// All of them, oldest first.
  var names: [String] { order.compactMap(\.self) }

  /// Whether this one is not over.
  func contains(_ name: String) -> Bool { places[name] != nil }

  /// Another call began.
  mutating func append(_ name: String) {
    guard places[name] == nil else { return }
    // As many gaps as calls: to close them costs no more than the calls themselves did.
    if order.count > 2 * places.count + 16 { closeGaps() }
    places[name] = order.count
    order.append(name)
  }

  /// A call is over.
  mutating func remove(_ name: String) {
    guard let place = places.removeValue(forKey: name) else { return }
    order[place] = nil
    while case .some(nil) = order.last { order.removeLast() }
  }

  private mutating func closeGaps() {
    order = names
    for (place, name) in names.enumerated() { places[name] = place }
  }

  static func == (left: Self, right: Self) -> Bool { left.names == right.names }
}
