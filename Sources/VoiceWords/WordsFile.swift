package import VoiceLanguage
import VoiceSystem

/// Words to expect, as people write them down: a line for each as it is written, or several between commas; behind a colon
/// what is heard for it. `#` begins a comment.
package enum WordsFile {
  /// In a project, beside its other settings.
  package static let projectName = ".parley/words.txt"
  /// Words of one file; what is behind them is left out.
  package static let longestList = 1_000
  /// Characters of a word; what is heard for one may have as many.
  package static let longestWord = 60
  /// Bytes of a file that are read.
  package static let limit = 1 << 18

  /// What a text says, and how many of its lines say nothing that can be used.
  package static func words(in text: String) -> (words: [ExpectedWord], badLines: Int) {
    var words: [ExpectedWord] = []
    var badLines = 0
    for line in text.split(whereSeparator: \.isNewline) {
      guard let expected = parsed(line) else {
        badLines += 1
        continue
      }
      if expected.contains(where: decides) { badLines += 1 }
      words += expected.filter { !decides($0) }
    }
    return (Array(words.prefix(longestList)), badLines)
  }

  /// The line that says this; nil when it cannot be said.
  package static func line(_ word: ExpectedWord) -> String? {
    guard isWord(word.written), word.heard.allSatisfy(isWord), !decides(word) else { return nil }
    return word.heard.isEmpty ? word.written : "\(word.written): \(word.heard.joined(separator: ", "))"
  }

  /// The user's own file; nil if nothing says where that is.
  package static func path(environment: [String: String]) -> String? {
    UserFolders(environment).configuration.map { $0 + "/words.txt" }
  }

  /// What is to be expected in a project besides its names: the words of the trade, the user's, and those that the project
  /// names. What is heard for a word is the user's own business: a project may say only how its words are written.
  package static func expected(workingFolder: String, environment: [String: String]) -> [ExpectedWord] {
    let own = path(environment: environment).map { read($0).words } ?? []
    // A link may lead to what is not the project's.
    let isInside = PlainFile.isFolder(PlainFile.folder(of: workingFolder + "/" + projectName))
    let project = isInside ? read(workingFolder + "/" + projectName).words.map { ExpectedWord($0.written) } : []
    return TradeWords.all + own + project
  }

  /// What a file says; nothing where there is none that may be read.
  package static func read(_ path: String) -> (words: [ExpectedWord], badLines: Int) {
    do {
      return words(in: String(decoding: try PlainFile.beginning(path, limit: limit).bytes, as: UTF8.self))
    } catch {
      return ([], 0)
    }
  }

  /// A text without a word that is written so, in capitals or not, and without this among what is heard for others; and how often it
  /// was taken out. What cannot be used stays as it is.
  package static func removing(_ word: String, from text: String) -> (text: String, count: Int) {
    let wanted = word.lowercased()
    var count = 0
    let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let lines = all.compactMap { line -> String? in
      guard let words = parsed(line) else { return String(line) }
      let rest = words.filter { $0.written.lowercased() != wanted }
        .map { ExpectedWord($0.written, heard: $0.heard.filter { $0 != wanted }) }
      guard rest != words else { return String(line) }
      count += max(1, words.count - rest.count)
      guard let first = rest.first else { return nil }
      let comment = line.drop { $0 != "#" }
      let ending = first.heard.isEmpty ? "" : ": " + first.heard.joined(separator: ", ")
      return rest.map(\.written).joined(separator: ", ") + ending + (comment.isEmpty ? "" : " " + comment)
    }
    return (lines.joined(separator: "\n"), count)
  }

  /// Whether a line may be added behind what a file has.
  package static func endsInALine(_ path: String) -> Bool {
    do { return try PlainFile.beginning(path, limit: limit).bytes.last ?? 0x0A == 0x0A } catch { return true }
  }

  /// The words of one line; nil where it cannot be used.
  private static func parsed(_ line: Substring) -> [ExpectedWord]? {
    let sides = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1).map(parts)
    let written = sides.first ?? []
    let heard = sides.count > 1 ? sides[1].map { $0.lowercased() } : []
    guard (written + heard).allSatisfy(isWord), heard.isEmpty || written.count == 1 else { return nil }
    return written.map { ExpectedWord($0, heard: heard) }
  }

  private static func parts(_ side: Substring) -> [String] {
    side.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// Whether it, or what is heard for it, decides about what is held: nothing else is ever heard as that.
  package static func decides(_ word: ExpectedWord) -> Bool {
    ([word.written] + word.heard).contains { SpokenDecision(utterance: $0) != nil }
  }

  private static func isWord(_ text: String) -> Bool {
    text.count <= longestWord && text.contains { $0.isLetter || $0.isNumber }
      && text.allSatisfy { $0.isLetter || $0.isNumber || " .-_+/'".contains($0) }
  }
}
