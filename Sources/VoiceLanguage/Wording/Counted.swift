/// A number of things, and the one place that knows how a number stands beside a noun and a verb. What counts anything
/// for a person, on the screen or aloud, counts with it.
package struct Counted: Equatable, Sendable {
  package let number: Int
  private let one: String
  private let many: String

  /// - Parameters:
  ///   - noun: of one of them, such as "file".
  ///   - plural: of several; the noun with an "s" if not given.
  package init(_ number: Int, _ noun: String, _ plural: String? = nil) {
    self.number = number
    one = noun
    many = plural ?? noun + "s"
  }

  /// The noun alone: "file", "files".
  package var noun: String { number == 1 ? one : many }

  /// For the ear, where the noun was named before: "none", "one", "12".
  package var alone: String { number == 0 ? "none" : number == 1 ? "one" : "\(number)" }

  /// For the screen: "0 files", "1 file", "12 files".
  package var digits: String { "\(number) \(noun)" }

  /// For the ear, with few words: "no files", "one file", "12 files".
  package var spoken: String {
    switch number {
    case 0: "no \(many)"
    case 1: "one \(one)"
    default: digits
    }
  }

  /// For the ear, in words only: "no files", "one file", "twelve files".
  package var spelled: String {
    number == 0 ? "no \(many)" : NumberWords.cardinal(number).joined(separator: " ") + " \(noun)"
  }

  /// The verb that goes with them: `verb("is", "are")`.
  package func verb(_ one: String, _ many: String) -> String { number == 1 ? one : many }

  /// "There is one file and 2 folders": the verb goes with what comes first.
  package static func there(_ things: [Counted]) -> String {
    let list = things.map(\.spoken).joinedAsList()
    return "There \(things.first?.verb("is", "are") ?? "is") \(list.isEmpty ? "nothing" : list)"
  }
}

extension Sequence<String> {
  /// "a", "a and b", "a, b and c".
  package func joinedAsList() -> String {
    let items = Array(self)
    guard let last = items.last, items.count > 1 else { return items.joined() }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}
