/// A few words in their context.
struct RepairPlace {
  let range: Range<Int>
  /// Lower case; a word with a hyphen is several.
  let words: [String]
  /// The words beside them; empty at an edge.
  let before: String
  let after: String
  let asWritten: String
  /// Whether a word says that a name is meant: "the class …", "… dot swift".
  let hasCue: Bool
  /// What sort of name these words say that it is; nil where they leave it open.
  let announced: Lexicon.Form?
  /// Whether a sign of a name was said: "underscore", "slash".
  let hasSeparator: Bool

  init(_ tokens: [HeardToken], _ index: Int, _ count: Int) {
    let window = tokens[index..<index + count]
    range = window.indices
    words = window.map(\.word)
    asWritten = window.map(\.core).joined(separator: " ")
    func word(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place].word : "" }
    let isOpen = window.last?.ending.isEmpty ?? false
    before = word(index - 1)
    after = isOpen ? word(index + count) : ""
    let twoBefore = ["the", "a", "an", "this", "that", "to", "our", "my"].contains(before) ? word(index - 2) : ""
    hasCue =
      Self.cuesBefore.contains(before) || Self.cuesBefore.contains(twoBefore) || Self.cuesAfter.contains(after)
      || (Self.verbs.contains(twoBefore) && before == "to")
    announced = [before, twoBefore, after].lazy.compactMap { Self.announcements[$0] }.first
    hasSeparator = count > 2 && window.dropFirst().dropLast().contains { SaidSigns.isSign($0.word) }
  }

  /// How many words it is.
  var count: Int { range.count }

  /// The letters of all words, without those that stand for a sign.
  var letters: String {
    words.filter { !SaidSigns.isSign($0) }.joined().split { !$0.isLetter && !$0.isNumber && $0 != "." }.joined()
      .replacing(".", with: "dot")
  }

  /// Whether the first or the last word is one that begins or ends no name.
  var hasFillerAtEdge: Bool {
    [words[0], words[words.count - 1]].contains { Self.fillers.contains($0) }
  }

  /// Whether these are words of everybody, as in "error message", which may mean no name at all.
  var isEveryday: Bool { words.allSatisfy { OrdinaryWords.isEveryday($0) } }
  /// Whether the words before say that any such thing is meant, and not one with a name: "a thread pool".
  var isAnyOne: Bool { ["a", "an", "any", "some", "another", "every", "each"].contains(before) }
  /// Whether these are words of everyday talk, also about programs.
  var isOrdinary: Bool { words.allSatisfy { OrdinaryWords.contains($0) } }
  /// "J-S-O-N" is JSON.
  var spelledOut: String? {
    guard count == 1, words[0].contains("-") else { return nil }
    let letters = words[0].split(separator: "-", omittingEmptySubsequences: false)
    guard letters.count > 1, letters.allSatisfy({ $0.count == 1 && $0.first?.isLetter == true }) else { return nil }
    return letters.joined().uppercased()
  }

  /// Whether a number is in it.
  var hasDigit: Bool { words.contains { $0.contains(where: \.isNumber) } }

  /// Whether it is a name, or the word of one, as it stands.
  func isName(in lexicon: Lexicon) -> Bool {
    count == 1 ? lexicon.knows(words[0]) : !lexicon.spelled(letters).isEmpty
  }

  /// Whether a name has the signs that were said.
  func hasSigns(of entry: Lexicon.Entry) -> Bool {
    SaidSigns.areKept(words, in: entry.written, isSpelled: entry.letters == letters)
  }

  /// Whether one of the longer words is a word of the name.
  func sharesWord(with entry: Lexicon.Entry) -> Bool { words.contains { $0.count > 3 && entry.words.contains($0) } }

  private static let fillers: Set<String> = [
    "the", "a", "an", "this", "that", "and", "or", "with", "for", "our", "your", "its", "is", "are", "was", "be", "to",
    "of",
    "it", "not", "but", "please", "then", "if", "so", "as",
  ]
  private static let cuesBefore: Set<String> = [
    "class", "struct", "type", "enum", "protocol", "file", "module", "target", "function", "method", "actor",
    "extension",
    "called", "named", "rename", "variable", "property", "field", "constant", "branch", "package", "dependency",
    "library",
    "import", "checkout", "merge", "rebase", "parameter", "argument", "flag", "call", "calls", "calling", "override",
    "refactor", "instance", "subclass", "symbol", "identifier", "folder", "directory", "onto",
  ]
  private static let cuesAfter: Set<String> = [
    "class", "struct", "type", "enum", "protocol", "file", "module", "target", "function", "method", "actor",
    "extension",
    "variable", "property", "field", "constant", "branch", "package", "dependency", "library", "parameter", "flag",
    "instance", "initializer", "subclass", "tests", "folder", "directory", "dot",
  ]
  private static let verbs: Set<String> = ["rename", "renamed", "move", "change"]
  /// What says of which sort a name is.
  private static let announcements: [String: Lexicon.Form] = [
    "class": .type, "struct": .type, "type": .type, "enum": .type, "protocol": .type, "actor": .type, "subclass": .type,
    "instance": .type, "function": .member, "method": .member, "call": .member, "calls": .member, "calling": .member,
    "override": .member, "file": .file,
  ]
}
