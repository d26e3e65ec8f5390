package import VoiceVocabulary

/// The names of the project, to be found by what they sound like.
struct Lexicon: Equatable, Sendable {
  /// What sort of name it is, by its form; decides how much it takes to recognise it in ordinary words.
  enum Form: Equatable, Sendable {
    /// "Package.swift": said with its dot.
    case file
    /// "InteractionController".
    case type
    /// "readFile", "fetch_user": the words of an ordinary sentence, so something must tell that a name is meant.
    case member
    /// "feature/dark-mode", "swift-argument-parser".
    case joined
    /// "parley", "libcurl".
    case plain
  }

  /// One name, as it is written and as it is said.
  struct Entry: Equatable, Sendable {
    let written: String
    /// Its words as they are said, lower case.
    let words: [String]
    let form: Form
    let letters: String
    let sound: SoundKey

    init?(_ written: String) {
      words = Self.words(of: written)
      letters = words.joined()
      guard letters.count >= 3, letters.count <= 60, KeptSense.isPlain(written) else { return nil }
      self.written = written
      sound = SoundKey(letters)
      if words.contains("dot") {
        form = .file
      } else if words.count == 1 {
        form = .plain
      } else if written.contains("-") || written.contains("/") {
        form = .joined
      } else {
        // Nobody says the underscore of "_PrivateType".
        let said = written.drop { $0 == "_" }
        form = said.first?.isUppercase == true && !said.contains("_") ? .type : .member
      }
    }

    private static func words(of name: String) -> [String] {
      var words: [String] = []
      for (index, part) in name.split(separator: ".").enumerated() {
        if index > 0 { words.append("dot") }
        for piece in part.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
          words += SpokenNames.parts(of: String(piece)).flatMap { part in
            part.first?.isNumber == true ? NumberWords.label(part) : [part.lowercased()]
          }
        }
      }
      return words
    }
  }

  private(set) var entries: [Entry] = []
  private var byLetters: [String: [Int]] = [:]
  private var bySound: [SoundKey: [Int]] = [:]
  /// Names of several words, by each of their longer words.
  private var byWord: [String: [Int]] = [:]
  /// Single words that names are made of: words of this project, never to be changed into others.
  private var parts: Set<String> = []

  init(_ names: [String] = []) {
    for name in names {
      guard let entry = Entry(name) else { continue }
      let index = entries.count
      entries.append(entry)
      byLetters[entry.letters, default: []].append(index)
      bySound[entry.sound, default: []].append(index)
      parts.formUnion(entry.words)
      if entry.words.count > 1 {
        for word in Set(entry.words.prefix { $0 != "dot" }) where word.count > 3 {
          byWord[word, default: []].append(index)
        }
      }
    }
  }

  /// Whether no name is known.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether this is a word of the project, alone or as part of a name.
  func knows(_ word: String) -> Bool { parts.contains(word) || byLetters[word] != nil }

  /// Names with exactly these letters, best first.
  func spelled(_ letters: String) -> [Entry] { (byLetters[letters] ?? []).map { entries[$0] } }

  /// Names that share one of these words, best first.
  func sharing(_ words: [String]) -> [Entry] { words.flatMap { byWord[$0] ?? [] }.map { entries[$0] } }

  /// Names that sound like this, best first.
  func sounding(_ sound: SoundKey) -> [Entry] { (bySound[sound] ?? []).map { entries[$0] } }
}

extension Lexicon: NameIndex {}

extension ProjectWords {
  /// The same with the names sorted by their sounds.
  package var indexed: ProjectWords { ProjectWords(names: names, corrections: corrections, index: Lexicon(names)) }
}
