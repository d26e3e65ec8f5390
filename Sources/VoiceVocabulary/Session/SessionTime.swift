/// A moment of a session: whole microseconds since it started.
///
/// Time is data in this program: it arrives with an event and is never read from a clock inside the core.
package struct SessionTime: Hashable, Comparable, Sendable {
  /// Microseconds since the session started.
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static let zero = SessionTime(microseconds: 0)

  /// So many milliseconds after the start.
  package static func milliseconds(_ count: Int64) -> SessionTime { SessionTime(microseconds: count * 1000) }

  /// Seconds, for people and for files; never for decisions.
  package var seconds: Double { Double(microseconds) / 1_000_000 }

  package static func < (left: SessionTime, right: SessionTime) -> Bool { left.microseconds < right.microseconds }

  /// Never beyond the first or the last moment there is: a count may come from outside.
  package func advanced(byMilliseconds count: Int) -> SessionTime {
    let (step, isTooFar) = Int64(count).multipliedReportingOverflow(by: 1000)
    let (sum, overflows) = microseconds.addingReportingOverflow(step)
    return SessionTime(microseconds: isTooFar || overflows ? (count < 0 ? .min : .max) : sum)
  }

  /// Whole milliseconds from another moment to this one; below zero if that is the later one.
  package func milliseconds(since other: SessionTime) -> Int { Int((microseconds - other.microseconds) / 1000) }
}

extension SessionTime: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(Int(microseconds)) }
}

extension SessionTime: Codable {
  package init(from decoder: any Decoder) throws {
    microseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}
