/// Numbers that somebody else tells, on their way to becoming ours: none of them can overflow, and none is no number.
extension Int {
  /// The sum of two counts, or the greatest count there is.
  package func addingSaturated(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return Int(countTold: overflows ? .max : sum)
  }

  /// A count: what is below zero is none, and what nobody can have counted is as much as a log can hold.
  package init(countTold told: Int) { self = Swift.min(Swift.max(0, told), .greatestCount) }

  /// 2 to the 52nd, which every reader of JSON takes as it is.
  package static let greatestCount = 1 << 52
}

extension Double {
  /// An amount of money: what is below zero, or no number, is none; endless is as much as is ever shown.
  package init(amountTold told: Double) { self = told > 0 ? Swift.min(told, 1e9) : 0 }
}
