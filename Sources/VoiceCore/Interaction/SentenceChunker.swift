/// Cuts streamed text into pieces that can be spoken while the rest is still being written.
///
/// A piece is a sentence; the first one may be shorter, so that the answer begins soon. Markdown marks are dropped, and
/// a fenced block of code is not read out.
package struct SentenceChunker: Equatable, Sendable {
  private var pending = ""
  private var isInCodeBlock = false
  private var isFirst = true

  package init() {}

  /// Add text as it arrives. Returns the pieces that are complete, in order, ready to be spoken.
  package mutating func append(_ delta: String) -> [String] {
    pending += delta
    var pieces: [String] = []
    while let end = firstBoundary() {
      let raw = String(pending[..<end])
      pending.removeSubrange(..<end)
      if let piece = speakable(raw) { pieces.append(piece) }
    }
    return pieces
  }

  /// The text is over: whatever is left.
  package mutating func flush() -> [String] {
    let raw = pending
    pending = ""
    defer { isInCodeBlock = false }
    return speakable(raw).map { [$0] } ?? []
  }

  /// The end of the first complete piece of `pending`, including the white space behind it.
  private func firstBoundary() -> String.Index? {
    var index = pending.startIndex
    var length = 0
    var lastBlank: String.Index?
    while index < pending.endIndex {
      let character = pending[index]
      let next = pending.index(after: index)
      if character.isNewline { return next }
      if character == " " { lastBlank = next }
      if next < pending.endIndex, pending[next].isWhitespace, !isInCodeBlock {
        if ".!?".contains(character) && !endsAbbreviation(at: index) { return next }
        if ",;:".contains(character) && isFirst && length >= 24 { return next }
      }
      length += 1
      if length >= Limits.spokenPieceCharacters { return lastBlank ?? next }
      index = next
    }
    return nil
  }

  /// Whether the full stop at `index` belongs to "e.g.", "i.e.", "vs." and the like, or to a numbered list.
  private func endsAbbreviation(at index: String.Index) -> Bool {
    guard pending[index] == "." else { return false }
    let word = pending[..<index].split { $0.isWhitespace || $0 == "(" }.last ?? ""
    return ["e.g", "i.e", "vs", "etc", "cf", "Mr", "Mrs", "Dr", "approx"].contains(String(word))
      || (!word.isEmpty && word.allSatisfy(\.isNumber) && pending[..<index].trimmingWhitespace() == word)
  }

  /// The text without marks that make no sense to the ear; nil if nothing is left.
  private mutating func speakable(_ raw: String) -> String? {
    let line = raw.trimmingWhitespace()
    if line.hasPrefix("```") {
      isInCodeBlock.toggle()
      return nil
    }
    guard !isInCodeBlock else { return nil }
    var text = line.replacingLinks()
    text.removeAll { "`*".contains($0) }
    text = String(text.drop { "#->• ".contains($0) }).trimmingWhitespace()
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    isFirst = false
    return text
  }
}

extension SentenceChunker: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(pending)
    digest.fold(isInCodeBlock)
    digest.fold(isFirst)
  }
}

extension String {
  /// Markdown links, `[text](address)`, replaced by their text.
  fileprivate func replacingLinks() -> String {
    var result = ""
    var rest = self[...]
    while let open = rest.firstIndex(of: "["),
      let middle = rest[open...].range(of: "](", limitedTo: 200),
      let close = rest[middle.upperBound...].firstIndex(of: ")")
    {
      result += rest[..<open] + rest[rest.index(after: open)..<middle.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension Substring {
  fileprivate func range(of pattern: String, limitedTo limit: Int) -> Range<Index>? {
    var index = startIndex
    var steps = 0
    while index < endIndex, steps < limit {
      if self[index...].hasPrefix(pattern) { return index..<self.index(index, offsetBy: pattern.count) }
      index = self.index(after: index)
      steps += 1
    }
    return nil
  }
}
