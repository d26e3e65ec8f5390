package import VoiceJSON
import VoiceVocabulary

/// Numbers that an agent tells.
extension JSON {
  /// How much there is of something: tokens, lines.
  package var count: Int? { integer.map { Int(countTold: $0) } }

  /// How much something cost, in dollars.
  package var amount: Double? { number.map { Double(amountTold: $0) } }
}
