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

  package var description: String { String(value, radix: 16).zeroPadded(to: 16) }

  /// Fold in these parts, in this order.
  package mutating func fold<each Part: DigestedState>(_ parts: repeat each Part) {
    repeat (each parts).fold(into: &self)
  }

  fileprivate mutating func fold(bytes: some Sequence<UInt8>) {
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

extension Int: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(word: UInt64(truncatingIfNeeded: self)) }
}

extension Bool: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(word: self ? 1 : 0) }
}

extension String: DigestedState {
  /// The digest is made after every step, and texts grow by the piece: a long one goes in by its ends and its length.
  package func fold(into digest: inout StateDigest) {
    if utf8.count <= Limits.digestedBytes { return digest.fold(bytes: utf8) }
    digest.fold(bytes: utf8.prefix(Limits.digestedBytes / 2))
    digest.fold(bytes: utf8.suffix(Limits.digestedBytes / 2))
    digest.fold(utf8.count)
  }
}

extension Optional: DigestedState where Wrapped: DigestedState {
  /// Whether it is there, and then what it is.
  package func fold(into digest: inout StateDigest) {
    digest.fold(self != nil)
    self?.fold(into: &digest)
  }
}

extension Array: DigestedState where Element: DigestedState {
  /// Of a long list the parts at both ends.
  package func fold(into digest: inout StateDigest) {
    digest.fold(count)
    let half = Limits.digestedParts / 2
    for part in count > Limits.digestedParts ? prefix(half) + suffix(half) : self[...] { part.fold(into: &digest) }
  }
}

extension DigestedState where Self: RawRepresentable, RawValue: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(rawValue) }
}

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
