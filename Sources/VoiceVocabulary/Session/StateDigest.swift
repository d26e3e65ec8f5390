/// A number that stands for the controller's whole state after a step: equal states give the same number, in every process
/// and on every machine, and different ones hardly ever do. A replay that decides alike but remembers something else is
/// noticed at once, not many steps later.
///
/// Each word is multiplied and shifted in, as in the finaliser of SplitMix64 (Steele and others 2014).
package struct StateDigest: Hashable, Sendable, CustomStringConvertible {
  private var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  /// Read it as a log has it; nil if the text is not 16 hexadecimal digits.
  package init?(_ text: String) {
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
    self.value = value
  }

  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Fold in a number.
  package mutating func fold(_ number: Int) { fold(word: UInt64(truncatingIfNeeded: number)) }

  /// Fold in a flag.
  package mutating func fold(_ flag: Bool) { fold(flag ? 1 : 0) }

  /// The digest is made after every step, and texts grow by the piece: a long one goes in by its ends and its length.
  package mutating func fold(_ text: String) {
    let bytes = text.utf8
    if bytes.count <= Limits.digestedBytes { return fold(bytes: bytes) }
    fold(bytes: bytes.prefix(Limits.digestedBytes / 2))
    fold(bytes: bytes.suffix(Limits.digestedBytes / 2))
    fold(bytes.count)
  }

  private mutating func fold(bytes: some Sequence<UInt8>) {
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count & 7 == 0 { fold(word: word) }
    }
    fold(word: word)
    fold(count)
  }

  /// A text that may not be there: an empty one is another.
  package mutating func fold(text: String?) {
    fold(text != nil)
    if let text { fold(text) }
  }

  /// Fold in whether it is there, and then what it is.
  package mutating func fold(_ part: (some DigestedState)?) {
    fold(part != nil)
    part?.fold(into: &self)
  }

  /// Of a long list the parts at both ends.
  package mutating func fold(_ parts: some RandomAccessCollection<some DigestedState>) {
    fold(parts.count)
    guard parts.count > Limits.digestedParts else { return foldEach(parts) }
    foldEach(parts.prefix(Limits.digestedParts / 2))
    foldEach(parts.suffix(Limits.digestedParts / 2))
  }

  private mutating func foldEach(_ parts: some Sequence<some DigestedState>) {
    for part in parts { part.fold(into: &self) }
  }

  /// The parts in any order: a set has none.
  package mutating func foldUnordered(_ parts: some Sequence<some DigestedState>) {
    fold(word: parts.reduce(into: 0) { $0 &+= StateDigest.word(of: $1) })
  }

  fileprivate static func word(of part: some DigestedState) -> UInt64 {
    var digest = StateDigest()
    part.fold(into: &digest)
    return digest.value
  }

  fileprivate mutating func fold(word: UInt64) {
    let mixed = (value ^ word) &* 0xBF58_476D_1CE4_E5B9
    value = mixed ^ (mixed >> 31)
  }
}

/// A part of the state that goes into the digest. Sound goes in by its place, because a log holds no samples.
package protocol DigestedState {
  /// Fold in all that a decision may depend on, always in the same order.
  func fold(into digest: inout StateDigest)
}

extension DigestedState where Self: RawRepresentable, RawValue == Int {
  package func fold(into digest: inout StateDigest) { digest.fold(rawValue) }
}

extension InstructionID: DigestedState {}
extension RunID: DigestedState {}
extension HeldItemID: DigestedState {}
extension SpeechID: DigestedState {}
extension ConnectionID: DigestedState {}

/// A set that only grows, with its digest kept up to date: that is asked for after every step.
package struct DigestedSet<Element: Hashable & Sendable & DigestedState>: Equatable, Sendable {
  private var elements: Set<Element> = []
  private var sum: UInt64 = 0

  package init() {}

  /// Returns whether it is new.
  package mutating func insert(_ element: Element) -> Bool {
    guard elements.insert(element).inserted else { return false }
    sum &+= StateDigest.word(of: element)
    return true
  }
}

extension DigestedSet: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(word: sum) }
}
