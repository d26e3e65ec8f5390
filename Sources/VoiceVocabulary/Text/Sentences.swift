extension StringProtocol {
  /// Without white space at both ends.
  package func trimmingWhitespace() -> String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
    return String(self[start..<end])
  }
}

extension String {
  /// The text as a sentence: with a full stop, unless it ends with a mark of its own. Nothing stays nothing.
  package var asSentence: String {
    let text = trimmingWhitespace()
    // A mark may stand inside closing quotes or brackets.
    let end = text.last { !"”\"’')]".contains($0) }
    guard let end else { return text }
    return ".!?…:".contains(end) && !endsWithBracket(text) ? text : text + "."
  }

  /// A bracket at the end closes a remark, not the sentence around it.
  private func endsWithBracket(_ text: String) -> Bool { text.last.map { ")]".contains($0) } ?? false }
}

extension Sequence<String> {
  /// Put side by side, each a sentence; empty ones are left out.
  package func joinedAsSentences() -> String {
    map(\.asSentence).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension StringProtocol {
  /// With a capital at its beginning.
  package var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
