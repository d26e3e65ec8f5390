import VoiceVocabulary

/// One line of text being edited. A value: keys go in, the text and the cursor come out.
struct LineEditor: Equatable {
  private(set) var characters: [Character]
  /// How many characters stand before the cursor.
  private(set) var cursor: Int
  /// What was cut last, to be put back with Control-Y.
  private var cut: [Character] = []
  /// Earlier states, to go back to with Control-underscore.
  private var past: [(characters: [Character], cursor: Int)] = []

  /// What may stand on the line instead, after what it began with; and which of them was put there last.
  private let versions: [String]
  private var version = 0

  /// A person who takes back more than this starts anew.
  private static let undoLimit = 100

  /// - Parameter alternatives: what may stand on the line instead.
  init(_ text: String = "", alternatives: [String] = []) {
    versions = [text] + alternatives
    characters = Array(text.sanitized(limit: Limits.instructionCharacters))
    cursor = characters.count
  }

  static func == (left: LineEditor, right: LineEditor) -> Bool {
    left.characters == right.characters && left.cursor == right.cursor
  }

  /// What is on the line.
  var text: String { String(characters) }

  /// What a key did.
  enum Outcome: Equatable {
    case editing
    case kept(String)
    case dropped
    /// The line is too long for an instruction, or would be with what was pasted; it is as it was.
    case refused
  }

  /// Whether a line that holds a text may take another.
  static func hasRoom(for text: String, beside other: String = "") -> Bool {
    text.utf8.count + other.utf8.count <= Limits.instructionCharacters
  }

  /// Take a key, with the usual Emacs meanings.
  mutating func press(_ key: Key) -> Outcome {
    switch key {
    case .enter: return Self.hasRoom(for: text) ? .kept(text) : .refused
    case .escape, .control("c"), .control("g"): return .dropped
    case .character(let character), .repeated(let character): insert([character])
    case .lineEnd: insert([" "])
    case .paste(let text):
      guard Self.hasRoom(for: text, beside: self.text) else { return .refused }
      insert(Array(text.sanitized(limit: Limits.instructionCharacters)))
    case .backspace: if cursor > 0 { remove(cursor - 1..<cursor, keeping: false) }
    case .delete, .control("d"): if cursor < characters.count { remove(cursor..<cursor + 1, keeping: false) }
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .wordLeft, .meta("b"): cursor = wordStart
    case .wordRight, .meta("f"): cursor = wordEnd
    case .control("k"): remove(cursor..<characters.count)
    case .control("u"): remove(0..<cursor)
    case .control("w"): remove(blankStart..<cursor)
    case .deleteWordBack: remove(wordStart..<cursor)
    case .meta("d"): remove(cursor..<wordEnd)
    case .control("y"): insert(cut)
    case .control("t"): transpose()
    case .control("_"): undo()
    case .control, .meta, .tab, .backTab, .up, .down, .released: break
    }
    return .editing
  }

  /// Put in what all texts that begin as the line does have in common.
  mutating func complete(from texts: [String]) {
    let fitting = texts.filter { $0.lowercased().hasPrefix(text.lowercased()) }
    guard cursor == characters.count, let first = fitting.first else { return }
    var common = Array(first)
    for other in fitting.dropFirst() {
      common = Array(zip(common, other).prefix { $0.0 == $0.1 }.map(\.0))
    }
    guard common.count > characters.count else { return }
    remember()
    characters = common
    cursor = common.count
  }

  /// Put the next of the alternatives on the line, and behind the last what it began with. Returns whether there is any.
  mutating func showNextAlternative() -> Bool {
    guard versions.count > 1 else { return false }
    remember()
    version = (version + 1) % versions.count
    characters = Array(versions[version].sanitized(limit: Limits.instructionCharacters))
    cursor = characters.count
    return true
  }

  // MARK: Changes

  private mutating func remember() {
    past.append((characters, cursor))
    if past.count > Self.undoLimit { past.removeFirst() }
  }

  private mutating func insert(_ new: [Character]) {
    // One more than an instruction may have tells that it is too long.
    let new = new.prefix(max(0, Limits.instructionCharacters + 1 - characters.count))
    guard !new.isEmpty else { return }
    remember()
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  private mutating func remove(_ range: Range<Int>, keeping isKept: Bool = true) {
    guard !range.isEmpty else { return }
    remember()
    if isKept { cut = Array(characters[range]) }
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }

  private mutating func transpose() {
    guard characters.count > 1, cursor > 0 else { return }
    remember()
    let right = min(cursor, characters.count - 1)
    characters.swapAt(right - 1, right)
    cursor = right + 1
  }

  private mutating func undo() {
    if let last = past.popLast() { (characters, cursor) = last }
  }

  // MARK: Words

  /// Where the word before the cursor begins; blanks separate words.
  private var blankStart: Int {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  /// Where the word before the cursor begins; everything but letters and digits separates words.
  private var wordStart: Int {
    var start = cursor
    while start > 0, !characters[start - 1].isInWord { start -= 1 }
    while start > 0, characters[start - 1].isInWord { start -= 1 }
    return start
  }

  private var wordEnd: Int {
    var end = cursor
    while end < characters.count, !characters[end].isInWord { end += 1 }
    while end < characters.count, characters[end].isInWord { end += 1 }
    return end
  }

  // MARK: Showing

  /// The part of the text that fits into this many columns, with the cursor in it, and the cursor's column.
  func window(columns: Int) -> (text: String, cursorColumn: Int) {
    var start = cursor
    var used = 0
    // What is before the cursor, as far as it leaves a quarter for what is behind it.
    let before =
      characters[cursor...].reduce(0) { $0 + ($0 < columns ? $1.columns : 0) } < columns / 4 ? 1 : columns / 4
    while start > 0, used + characters[start - 1].columns <= max(1, columns - before) {
      start -= 1
      used += characters[start].columns
    }
    var end = cursor
    var total = used
    while end < characters.count, total + characters[end].columns < columns {
      total += characters[end].columns
      end += 1
    }
    return (String(characters[start..<end]), used)
  }
}

extension Character {
  fileprivate var isInWord: Bool { isLetter || isNumber }
}
