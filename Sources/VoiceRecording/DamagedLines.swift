import VoiceVocabulary

/// Counts the lines of a file that could not be read.
package struct DamagedLines {
  private var first: Int?
  private var count = 0
  private var missing: ClosedRange<Int>?

  /// None so far.
  package init() {}

  /// - Parameter line: counted from 1.
  package mutating func add(_ line: Int) {
    first = first ?? line
    count += 1
  }

  /// The next line of a log, behind whole ones: its steps are numbered without a gap.
  mutating func expect(_ sequence: Int, behind last: LogLine?) {
    let expected = last.map { $0.step.sequence + $0.repeated } ?? 0
    if first == nil, missing == nil, sequence > expected { missing = expected...sequence - 1 }
  }

  /// Whether this line, counted from 1, is damaged and nothing before it.
  func isFirst(_ line: Int) -> Bool { first == line && missing == nil }

  /// One sentence for people; nil if nothing is damaged.
  package func sentence(_ path: String) -> String? {
    if let first {
      let others = count > 1 ? " and \(count - 1) more" : ""
      return "\(path) is damaged: line \(first)\(others) cannot be read. What can be read is shown."
    }
    guard let missing else { return nil }
    let steps =
      missing.count == 1
      ? "step \(missing.lowerBound) is" : "steps \(missing.lowerBound) to \(missing.upperBound) are"
    return "\(path) is damaged: \(steps) missing. What can be read is shown."
  }
}
