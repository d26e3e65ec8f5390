/// A word as it was heard, with the punctuation around it.
struct HeardToken: Equatable, Sendable {
  let whole: String
  let opening: String
  let core: String
  /// Punctuation behind the word.
  let ending: String
  /// A possessive ending, which a name keeps: "'s".
  let possessive: String
  /// Lower case, without a possessive ending; empty if this is no word.
  let word: String

  init(_ text: Substring) {
    whole = String(text)
    let start = text.firstIndex { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" } ?? text.endIndex
    let end =
      text.lastIndex { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "+" || $0 == "#" }
      .map { text.index(after: $0) } ?? start
    guard start < end else {
      (opening, core, ending, possessive, word) = (whole, "", "", "", "")
      return
    }
    opening = String(text[..<start])
    ending = String(text[end...])
    let all = text[start..<end]
    let mark = all.hasSuffix("'s") || all.hasSuffix("\u{2019}s") ? all.suffix(2) : all.suffix(0)
    possessive = String(mark)
    core = String(all.dropLast(mark.count))
    word = core.lowercased()
  }

  /// What stands behind the word: 's, and punctuation.
  var suffix: String { possessive + ending }
}
