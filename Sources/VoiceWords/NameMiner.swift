import VoiceLanguage
import VoiceVocabulary

/// Gathers the names that are spoken of in a project: its files, types, functions, branches and dependencies.
///
/// Pure but for what it is given to read with, so that limits and contents can be simulated.
package struct NameMiner {
  /// What there is to read.
  package struct Source {
    /// Files by their paths relative to the folder, in a fixed order.
    package var paths: [String]
    package var branches: [String]
    /// The beginning of a file; nil if it cannot be read.
    package var read: (String) -> [UInt8]?
    /// Whether the time that mining may take is over.
    package var isOver: () -> Bool
  }

  /// How much a name tells by what it is, and how often it was found.
  private struct Weight {
    var kind: Int
    var count: Int
    /// A type that is one ordinary word: whatever else is called so tells no more.
    let isOrdinary: Bool

    /// What it is counts for more than how often it is there: a folder is in every path below it.
    var value: Int { kind * 10 + min(count, 9) }
  }

  private var weights: [String: Weight] = [:]

  /// The names, the most telling first; equal ones in the order of their letters, so that the same folder gives the same.
  package static func names(_ source: Source, limit: Int = Limits.projectWords) -> [String] {
    var miner = NameMiner()
    miner.mine(source)
    return miner.weights.sorted { ($1.value.value, $0.key) < ($0.value.value, $1.key) }.prefix(limit).map(\.key)
  }

  private mutating func mine(_ source: Source) {
    for branch in source.branches { add(branch, 6) }
    for path in source.paths.prefix(WordsLimits.files) { add(path: path) }
    var bytes = 0
    for path in source.paths where Dependencies.isManifest(path) {
      guard !source.isOver(), let text = source.read(path) else { continue }
      for name in Dependencies.names(in: text, of: path) { add(name, 6) }
    }
    for path in source.paths where Declarations.isSource(path) {
      guard !source.isOver(), bytes < WordsLimits.bytes else { return }
      guard let text = source.read(path) else { continue }
      bytes += text.count
      for (name, kind) in Declarations.names(in: text, of: path) {
        add(name, kind == .type ? 7 : kind == .function ? 2 : 1)
      }
    }
  }

  private mutating func add(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    guard let file = parts.last else { return }
    let stem = file.lastIndex(of: ".").map { $0 == file.startIndex ? file : String(file[..<$0]) } ?? file
    if Declarations.isSource(path) {
      add(file, 5)
      // Mostly the type in it.
      add(stem, 4)
    } else {
      add(file, Dependencies.isManifest(path) ? 5 : 2)
    }
    for folder in parts.dropLast() { add(folder, 3) }
  }

  /// Count a name, if it is one that can be spoken and told from an ordinary word.
  private mutating func add(_ name: String, _ kind: Int) {
    if let index = weights.index(forKey: name) {
      let isOrdinary = weights.values[index].isOrdinary
      if isOrdinary, kind < 7 { return }
      weights.values[index].count += 1
      if !isOrdinary { weights.values[index].kind = max(weights.values[index].kind, kind) }
      return
    }
    guard (3...60).contains(name.utf8.count), name.utf8.contains(where: \.isLetter),
      name.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }
      ),
      !SecretText.looksLikeKey(name), weights.count < WordsLimits.candidates
    else { return }
    let isOneWord = name.utf8.allSatisfy(\.isLetter) && !name.utf8.dropFirst().contains(where: \.isCapital)
    // A type may be one ordinary word, which then must not be taken for another one; anything else says nothing by it.
    let isOrdinary = isOneWord && OrdinaryWords.contains(name)
    if isOrdinary, kind < 7 { return }
    weights[name] = Weight(kind: isOrdinary ? 1 : kind, count: 1, isOrdinary: isOrdinary)
  }
}

/// The limits of mining, each with its reason.
package enum WordsLimits {
  /// Files whose names are looked at.
  package static let files = 20_000
  /// Source text that is read: a project of a hundred thousand lines.
  package static let bytes = 4 << 20
  /// What is read of one file: its declarations are mostly near its beginning.
  package static let bytesOfFile = 128 << 10
  /// Names that are counted before the best are chosen.
  package static let candidates = 50_000
  /// The time for all of it: the first utterance takes longer.
  package static let milliseconds = 1_000
  /// Folders inside each other that are entered where there is no repository.
  package static let depth = 10
  /// A repository's index beyond this is not read: a hundred thousand files.
  package static let indexBytes = 16 << 20
  package static let branches = 500
  /// No system takes a longer path.
  package static let pathBytes = 4_096
}
