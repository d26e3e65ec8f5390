/// Counts the lines of a file that could not be read.
package struct DamagedLines {
  private var first: Int?
  private var count = 0

  /// None so far.
  package init() {}

  /// - Parameter line: counted from 1.
  package mutating func add(_ line: Int) {
    first = first ?? line
    count += 1
  }

  /// Whether this line, counted from 1, is damaged and none before it.
  func isFirst(_ line: Int) -> Bool { first == line }

  /// One sentence for people; nil if nothing is damaged.
  package func sentence(_ path: String) -> String? {
    guard let first else { return nil }
    let others = count > 1 ? " and \(count - 1) more" : ""
    return "\(path) is damaged: line \(first)\(others) cannot be read. What can be read is shown."
  }
}
