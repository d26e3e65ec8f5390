package import VoiceVocabulary

/// Gathers the agent's streamed text into lines: a line a sentence, so that it reads well in a log and in a screen reader.
/// Code between fences stays in its rows, each as far from the edge as it was. What goes on without an end is cut, at a blank
/// if there is one: each piece of text is looked at once.
package struct AgentLines: Sendable {
  /// The label of the agent's own words.
  static let label = "agent"

  private var pending = ""
  /// How many bytes of it have been looked at.
  private var searched = 0
  /// Whether it begins where a row does.
  private var startsRow = true
  /// What opened the code that it is in, if it is in any.
  private var fence: Fence?

  /// What is no whole line yet; at most `Limits.shownLineBytes`, and what one character is long.
  package var rest: String { pending }

  package init() {}

  /// The lines that are complete with this piece.
  package mutating func append(_ delta: String) -> [NoticeText] {
    pending += delta
    var lines: [NoticeText] = []
    var start = pending.startIndex
    var index = pending.utf8.index(start, offsetBy: searched)
    while index < pending.endIndex {
      let next = pending.index(after: index)
      // Whether it ends a sentence shows in what comes behind it.
      if next == pending.endIndex, ".!?".contains(pending[index]) { break }
      if isEnd(index, next, of: start) {
        lines += line(pending[start..<next])
        start = next
      } else if pending.utf8.distance(from: start, to: next) >= Limits.shownLineBytes {
        let cut = pending[start..<next].lastIndex(of: " ").map(pending.index(after:)) ?? next
        lines += line(pending[start..<cut])
        start = cut
      }
      index = next
    }
    searched = pending.utf8.distance(from: start, to: index)
    pending.removeSubrange(..<start)
    return lines
  }

  /// What is left, once something else is to be shown.
  package mutating func flush() -> [NoticeText] {
    defer { (pending, searched) = ("", 0) }
    return line(pending[...])
  }

  /// What is left, once this is to be shown: what closes an answer closes the code in it.
  package mutating func flush(before notice: Notice) -> [NoticeText] {
    let lines = flush()
    switch notice {
    case .runStarted, .runEnded, .toolStarted: (fence, startsRow) = (nil, true)
    default: break
    }
    return lines
  }

  private func isEnd(_ index: String.Index, _ next: String.Index, of start: String.Index) -> Bool {
    if pending[index].isNewline { return true }
    guard fence == nil, ".!?".contains(pending[index]), pending[next].isWhitespace else { return false }
    return !Self.isListNumber(pending[start...index])
  }

  /// Whether nothing stands there but the number of an item, which is no sentence.
  private static func isListNumber(_ text: Substring) -> Bool {
    let number = text.drop(while: \.isWhitespace)
    return number.last == "." && (2...4).contains(number.utf8.count) && number.dropLast().allSatisfy(\.isNumber)
  }

  private mutating func line(_ row: Substring) -> [NoticeText] {
    let wasCode = fence != nil
    if startsRow { fence = Fence.passed(row, in: fence) }
    startsRow = row.last?.isNewline ?? startsRow
    let text = String(row).withoutTerminalSequences
    let words = text.trimmingWhitespace()
    guard !words.isEmpty else { return [] }
    // The fence itself is no code.
    guard wasCode, fence != nil else { return [NoticeText(Self.label, words)] }
    let margin = text.prefix { $0 == " " || $0 == "\t" }.map { $0 == "\t" ? "    " : " " }.joined()
    return [NoticeText(Self.label, margin + words)]
  }
}

/// What opens code in Markdown, and so closes it.
private struct Fence {
  private let sign: Character
  private let count: Int

  /// The fence that code is in behind a row, if it is in any.
  static func passed(_ row: Substring, in fence: Fence?) -> Fence? {
    let words = row.drop(while: \.isWhitespace)
    guard let sign = words.first, "`~".contains(sign) else { return fence }
    let count = words.prefix { $0 == sign }.count
    let rest = words.dropFirst(count)
    guard count >= 3 else { return fence }
    if let fence { return sign == fence.sign && count >= fence.count && rest.allSatisfy(\.isWhitespace) ? nil : fence }
    return sign == "`" && rest.contains("`") ? nil : Fence(sign: sign, count: count)
  }
}
