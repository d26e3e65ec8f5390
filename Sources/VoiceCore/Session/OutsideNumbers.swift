/// Numbers that somebody else tells, on their way to becoming ours: none of them can overflow, and none is no number.
extension Int {
  /// The sum, or the greatest number there is.
  package func addingSaturated(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// A count: what is below zero is none.
  package init(countTold told: Int) { self = Swift.max(0, told) }
}

extension Double {
  /// An amount of money: what is below zero, or no number, is none; endless is as much as is ever shown.
  package init(amountTold told: Double) { self = told > 0 ? Swift.min(told, 1e9) : 0 }
}
