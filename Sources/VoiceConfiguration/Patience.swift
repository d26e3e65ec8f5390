/// How much time somebody wants to think between two words before he is taken to be done.
package enum Patience: String, CaseIterable, Sendable {
  case quick, normal, patient

  /// The pauses that `live.silenceMilliseconds` gives, as this patience has them.
  func silence(of milliseconds: Int) -> Int {
    switch self {
    case .quick: max(200, milliseconds * 7 / 10)
    case .normal: milliseconds
    case .patient: min(10_000, milliseconds * 16 / 10)
    }
  }
}
