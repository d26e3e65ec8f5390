/// The first step in which two logs differ, in words.
package struct LogDifference: Equatable, Sendable, CustomStringConvertible {
  /// Lines shown from before the difference.
  static let contextLines = 3

  /// Several lines for people: what came before, what happened, what was expected of it, and what was done instead.
  package let description: String

  /// Two logs as bytes; nil if they say the same.
  init?(expected: [UInt8], actual: [UInt8]) {
    let left = expected.split(separator: 0x0A, omittingEmptySubsequences: true)
    let right = actual.split(separator: 0x0A, omittingEmptySubsequences: true)
    let index = (0..<max(left.count, right.count)).first { index in
      index >= left.count || index >= right.count || left[index] != right[index]
    }
    guard let index else { return nil }
    self.init(
      before: right.prefix(index).dropFirst().suffix(Self.contextLines).map(Array.init),
      expected: index < left.count ? Array(left[index]) : nil, actual: index < right.count ? Array(right[index]) : nil)
  }

  /// Lines of logs, as bytes.
  /// - Parameters:
  ///   - before: lines that both logs have.
  ///   - expected: the line that is expected then; nil if the log should end there.
  ///   - actual: the line that came; nil if the log ended.
  ///   - otherState: the step since which the session remembers something else, if that is known.
  init(before: [[UInt8]], expected: [UInt8]?, actual: [UInt8]?, otherState: Int? = nil) {
    let left = expected.map { StepWords($0) }
    let right = actual.map { StepWords($0) }
    let place = [right, left].compactMap { $0?.place }.first ?? "the end"
    var rows = ["first difference at \(place)"]
    for line in before { rows.append("  before    \(StepWords(line).sentence)") }
    if let left, let right, left.event != nil, left.event == right.event, left.place == right.place {
      rows.append("  happened  \(right.event ?? "")")
      // What both do first is not shown.
      let same = zip(left.actions, right.actions).prefix { $0 == $1 }.count
      if same > 0 { rows.append("  both      \(left.actions.prefix(same).joined(separator: "; "))") }
      rows.append("  expected  \(Self.list(left.actions.dropFirst(same), same))")
      rows.append("  actual    \(Self.list(right.actions.dropFirst(same), same))")
      if same == left.actions.count, same == right.actions.count {
        rows.append("  the same is done, but not for the same reasons, or something else is remembered")
      }
    } else {
      rows.append("  expected  \(left?.sentence ?? "the log ends")")
      rows.append("  actual    \(right?.sentence ?? "the log ends")")
    }
    for (title, words) in [("expected", left), ("actual", right)] where !(words?.reasons.isEmpty ?? true) {
      rows.append("  \(title), because: \(words?.reasons.joined(separator: " ") ?? "")")
    }
    if let otherState { rows.append("  something else is remembered since step \(otherState)") }
    description = rows.joined(separator: "\n")
  }

  private static func list(_ actions: ArraySlice<String>, _ same: Int) -> String {
    actions.isEmpty ? (same == 0 ? "nothing is done" : "nothing more") : actions.joined(separator: "; ")
  }
}
