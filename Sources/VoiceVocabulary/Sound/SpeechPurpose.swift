/// Why a piece is spoken, which decides what may cut it.
package enum SpeechPurpose: Codable, Equatable, Sendable {
  /// A held item is read back: any decision on it cuts this.
  case readBack(item: HeldItemID)
  /// The answer of a run.
  case reply(run: RunID)
  /// A short report by the program itself.
  case report
}

extension SpeechPurpose: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch self {
    case .readBack(let item): digest.fold(1, item)
    case .reply(let run): digest.fold(2, run)
    case .report: digest.fold(0)
    }
  }
}
