package import VoiceVocabulary

/// Cuts streamed markdown into pieces that can be spoken while the rest is still being written.
///
/// A piece is a sentence; the first ones may be shorter, so that the answer begins soon (`OpeningCut`). Headings, list items and
/// quotations lose their marks, a block of code is summed up, a small table is read row by row. What stands inside a
/// line (names, numbers, signs) is `SpokenWording`'s concern.
package struct SentenceChunker: Equatable, Sendable {
  /// What the lines at hand belong to.
  private enum Block: Equatable, Sendable {
    /// Exits: `code` (a fence), `table` (a row), `comment`.
    case prose
    /// Exits: `prose` (the closing fence, or the end of the text).
    case code(CodeBlock)
    /// Exits: `prose` (a line that is no row).
    case table(TableBlock)
    /// An HTML comment. Exits: `prose` (its end).
    case comment
  }

  /// What comes behind so many words is given out in whole sentences, however it came.
  package static let openingWords = OpeningCut.openingWords

  /// The start of a line that has to be seen before it is known what the line is.
  private static let decisiveCharacters = 8
  /// A shorter line was ended on purpose; a longer one may have been broken where it was full.
  private static let fullLineCharacters = 60
  /// The longest word of which a full stop may be a part, and the sign before it.
  private static let abbreviationCharacters = 8

  /// What may stand between the end of a sentence and the blank behind it.
  private static let closingMarks = ")]\"'*_`\u{201D}\u{2019}"

  /// What a line turned out to be.
  private enum LineKind: Equatable, Sendable {
    /// Too little of it was seen. Exits: `prose`, `other`.
    case unknown
    /// It goes to `prose` as it comes.
    case prose
    /// It is dealt with once it is complete, without its middle if it is long.
    case other
  }

  private var block = Block.prose
  /// The current line, as far as it was written and not moved to `prose`.
  private var line = ""
  private var lineKind = LineKind.unknown
  /// How much of the current line went to `prose`.
  private var movedCharacters = 0
  /// Text that was not given out yet.
  private var prose = ""
  /// Words that were given out since the text began, or went on after a pause.
  private var spokenWords = 0

  package init() {}

  /// How much text waits for its end: however the text goes on, never more than a few of the longest pieces.
  package var waitingBytes: Int { line.utf8.count + prose.utf8.count }

  /// Add text as it arrives. Returns the pieces that are complete, in order, ready to be spoken.
  package mutating func append(_ delta: String) -> [String] {
    var pieces: [String] = []
    var rest = delta[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      addToLine(rest[..<end])
      pieces += endLine()
      rest = rest[rest.index(after: end)...]
    }
    addToLine(rest)
    moveIfProse(&pieces)
    return pieces
  }

  /// The text is over, or a paragraph of it: whatever is left.
  package mutating func flush() -> [String] {
    var pieces = line.isEmpty && lineKind != .prose ? [] : endLine()
    pieces += endProse() + endBlock()
    return pieces
  }

  /// The text pauses, for as long as a tool or a decision takes: whatever is left. What follows begins soon again.
  package mutating func pause() -> [String] {
    defer { spokenWords = 0 }
    return flush()
  }

  // MARK: Lines

  /// Add to the current line. One that is no prose may go on for ever: its middle is left out, but for the end of a comment.
  private mutating func addToLine(_ text: Substring) {
    line += text
    guard line.utf8.count > Limits.spokenLineBytes, isNoProse else { return }
    let end = block == .comment && line.contains("-->") ? "-->" : ""
    line = String(line.prefix(Limits.spokenLineBytes / 4)) + end + line.suffix(Self.decisiveCharacters)
    // One sign may have no end of marks.
    if line.utf8.count > Limits.spokenLineBytes { line = end }
  }

  /// Whether nothing of the current line will ever be prose.
  private var isNoProse: Bool {
    switch block {
    case .code, .comment: true
    case .table: line.first { !$0.isWhitespace } == "|"
    case .prose: lineKind == .other
    }
  }

  /// Move what was written of the current line to `prose`, once it is known to belong there.
  private mutating func moveIfProse(_ pieces: inout [String]) {
    if case .table = block, line.utf8.count > Limits.spokenLineBytes, !isNoProse { pieces += endBlock() }
    guard case .prose = block, lineKind != .other else { return }
    if lineKind == .unknown {
      let start = line.trimmingWhitespace()
      let isLong = line.utf8.count > Limits.spokenLineBytes
      guard isLong || start.count >= Self.decisiveCharacters else { return }
      switch MarkdownLine(start) {
      case .item(let text): beginItem(text, &pieces)
      case .prose: beginProse(line, &pieces)
      // White space without an end means no more than a little of it.
      case .blank:
        line = ""
        return
      // A fence, a row and a comment are dealt with when the line is complete.
      case .fence, .tableRow, .comment:
        lineKind = .other
        return
      // So is a ruler, if nothing comes behind it.
      case .ruler:
        if isLong { lineKind = .other }
        return
      }
      lineKind = .prose
    } else {
      prose += line
      movedCharacters += line.count
    }
    line = ""
    pieces += takeSentences()
  }

  private mutating func beginItem(_ text: String, _ pieces: inout [String]) {
    pieces += endProse()
    movedCharacters = line.count
    // A blank at the end of what has come so far stands between two words.
    prose = text + (line.last?.isWhitespace == true ? " " : "")
  }

  private mutating func beginProse(_ text: String, _ pieces: inout [String]) {
    if !prose.isEmpty { prose += " " }
    movedCharacters = text.count
    prose += text.drop { $0.isWhitespace }
  }

  private mutating func endLine() -> [String] {
    var pieces: [String] = []
    moveIfProse(&pieces)
    defer {
      line = ""
      lineKind = .unknown
      movedCharacters = 0
    }
    if lineKind == .prose { return pieces + endProseLine() }
    switch block {
    case .code(var code):
      if code.add(line) { return pieces + endBlock() }
      block = .code(code)
      return pieces
    case .comment:
      if line.contains("-->") { block = .prose }
      return pieces
    case .table(var table):
      if case .tableRow = MarkdownLine(line) {
        table.add(line)
        block = .table(table)
        return pieces
      }
      pieces += endBlock()
    case .prose: break
    }
    switch MarkdownLine(line) {
    case .blank, .ruler: pieces += endProse()
    case .fence(let sign, let length, let info):
      pieces += endProse()
      block = .code(CodeBlock(sign: sign, length: length, info: info))
    case .tableRow:
      pieces += endProse()
      var table = TableBlock()
      table.add(line)
      block = .table(table)
    case .comment: if !line.contains("-->") { block = .comment }
    case .item(let text):
      beginItem(text, &pieces)
      pieces += endProseLine()
    case .prose(let text):
      beginProse(text, &pieces)
      pieces += endProseLine()
    }
    return pieces
  }

  /// A line of prose is over: with it its last sentence, unless the line was broken only because it was full.
  private mutating func endProseLine() -> [String] {
    let pieces = takeSentences()
    let isFull = movedCharacters >= Self.fullLineCharacters
    if isFull, let last = prose.last(where: { !$0.isWhitespace }), !".!?:;".contains(last) { return pieces }
    return pieces + endProse()
  }

  /// What is left of the prose is complete.
  private mutating func endProse() -> [String] {
    let pieces = takeSentences()
    defer { prose = "" }
    return pieces + (speakable(prose).map { [$0] } ?? [])
  }

  private mutating func endBlock() -> [String] {
    defer { block = .prose }
    switch block {
    case .code(let code): return code.summary.flatMap { speakable($0) }.map { [$0] } ?? []
    case .table(let table): return table.sentences.compactMap { speakable($0) }
    case .prose, .comment: return []
    }
  }

  // MARK: Sentences

  private mutating func takeSentences() -> [String] {
    var pieces: [String] = []
    var start = prose.startIndex
    while let (end, isWhole) = firstBoundary(from: start) {
      // The voice stays up where a sentence goes on.
      if let piece = speakable(String(prose[start..<end])) {
        pieces.append(isWhole || ",;:\u{2014}".contains(piece.suffix(1)) ? piece : piece + ",")
      }
      start = end
    }
    // Once, however many there were: what is behind them moves each time.
    prose.removeSubrange(..<start)
    return pieces
  }

  /// The end of the first piece behind `start`: of a sentence or, at the beginning, of a part of one. None is longer than a piece
  /// may be, so what waits for its end is short.
  private func firstBoundary(from start: String.Index) -> (end: String.Index, isWhole: Bool)? {
    if let sentence = firstSentenceEnd(from: start) { return (sentence, true) }
    // A sentence that seems to be complete is said whole: there is nothing to wait for.
    let mark = prose.last { !$0.isWhitespace && !Self.closingMarks.contains($0) }
    guard let mark, !".!?".contains(mark) else { return nil }
    return OpeningCut.end(in: prose[start...], after: spokenWords).map { ($0, false) }
  }

  private func firstSentenceEnd(from start: String.Index) -> String.Index? {
    var index = start
    var length = 0
    var lastBlank: String.Index?
    var isCode = false
    while index < prose.endIndex {
      let character = prose[index]
      let next = prose.index(after: index)
      if character == "`" { isCode.toggle() }
      if character == " " { lastBlank = next }
      if !isCode {
        if "\u{3002}\u{FF01}\u{FF1F}".contains(character) { return next }
        if ".!?".contains(character), let end = sentenceEnd(after: next), !endsAbbreviation(at: index, from: start) {
          return end
        }
      }
      length += 1
      if length >= Limits.spokenPieceCharacters { return lastBlank ?? next }
      if prose.utf8.distance(from: start, to: next) >= Limits.spokenPieceBytes { return lastBlank ?? next }
      index = next
    }
    return nil
  }

  /// The place behind closing marks at `index`, if white space follows there.
  private func sentenceEnd(after index: String.Index) -> String.Index? {
    let end =
      prose[index...].prefix(Limits.spokenPieceCharacters).firstIndex { !Self.closingMarks.contains($0) }
      ?? prose.endIndex
    return end < prose.endIndex && prose[end].isWhitespace ? end : nil
  }

  /// Whether the full stop at `index` belongs to "e.g.", "i.e.", "vs." and the like.
  private func endsAbbreviation(at index: String.Index, from start: String.Index) -> Bool {
    guard prose[index] == "." else { return false }
    let words = prose[start..<index].suffix(Self.abbreviationCharacters).split { $0.isWhitespace || $0 == "(" }
    let word = String(words.last ?? "")
    return Abbreviations.words.contains(word) || Abbreviations.titles.contains(word)
  }

  /// Nil for a piece in which nothing can be said.
  private mutating func speakable(_ raw: String) -> String? {
    let text = raw.withoutTerminalSequences.trimmingWhitespace()
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    if OpeningCut.isOpening(after: spokenWords) { spokenWords += text.split(whereSeparator: \.isWhitespace).count }
    return text
  }
}

extension SentenceChunker: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch block {
    case .prose: digest.fold(0)
    case .code(let code): digest.fold(1, code)
    case .table(let table): digest.fold(2, table)
    case .comment: digest.fold(3)
    }
    digest.fold(line, lineKind == .prose, movedCharacters, prose, spokenWords)
  }
}
