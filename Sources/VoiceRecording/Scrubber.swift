import VoiceJSON
import VoiceVocabulary

/// Takes secrets out of what is written into a session's folder: the values of the variables that hold keys, bearer
/// tokens, and whatever begins as the keys of well-known services do.
package struct Scrubber: Sendable {
  /// What stands in the place of a secret.
  package static let mark = Array("(secret)".utf8)
  /// A value shorter than this is a word, not a secret: to take it out would make nonsense of every line.
  package static let shortestSecret = 8
  /// A token or key has at least so many characters.
  private static let shortestToken = 16

  private let values: [[UInt8]]
  /// Whether anything to be taken out may begin with this byte.
  private let begins: [Bool]

  /// - Parameter secrets: the secrets themselves; those that are too short to be told from words are left out.
  package init(_ secrets: [String] = []) {
    var values: [[UInt8]] = []
    for secret in secrets where secret.utf8.count >= Self.shortestSecret {
      // As it is, and as it stands in a JSON text.
      for form in [secret, Self.escaped(secret, slashes: false), Self.escaped(secret, slashes: true)] {
        let bytes = Array(form.utf8)
        if !values.contains(bytes) { values.append(bytes) }
      }
    }
    // The longest first: one secret may begin with another.
    self.values = values.sorted { $0.count > $1.count }
    var begins = [Bool](repeating: false, count: 256)
    for first in self.values.compactMap(\.first) { begins[Int(first)] = true }
    for first in SecretText.beginnings.compactMap(\.utf8.first) { begins[Int(first)] = true }
    for first in "bB".utf8 { begins[Int(first)] = true }
    self.begins = begins
  }

  /// The text without its secrets; nil if it holds none.
  package func scrubbed(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      guard begins[Int(text[index])], let secret = secret(in: text, at: index) else {
        index += 1
        continue
      }
      result += text[copied..<secret.lowerBound] + Self.mark
      index = secret.upperBound
      copied = index
    }
    if copied == text.startIndex { return nil }
    return result + text[copied...]
  }

  /// A line of JSON without the secrets in its texts; nil if it holds none. The names of its fields are left alone.
  package func scrubbed(json line: [UInt8]) -> [UInt8]? {
    guard scrubbed(line[...]) != nil else { return nil }
    let result = JSONTexts.rewrite(line) { _, text in scrubbed(text) }
    return result == line ? nil : result
  }

  private func secret(in text: ArraySlice<UInt8>, at index: Int) -> Range<Int>? {
    let rest = text[index...]
    for value in values where rest.starts(with: value) { return index..<(index + value.count) }
    // Inside a longer word it is something else; behind an equals sign it is not.
    if index > text.startIndex, text[index - 1] != UInt8(ascii: "="), Self.isPartOfToken(text[index - 1]) { return nil }
    if let word = Self.bearer.first(where: { rest.starts(with: $0) }) {
      let start = index + word.count
      let end = Self.endOfToken(text, from: start)
      if end - start >= Self.shortestSecret { return start..<end }
    }
    for beginning in SecretText.beginnings where rest.starts(with: beginning.utf8) {
      let end = Self.endOfToken(text, from: index)
      if end - index >= Self.shortestToken { return index..<end }
    }
    return nil
  }

  private static let bearer = ["Bearer ", "bearer ", "BEARER "].map { Array($0.utf8) }

  private static func endOfToken(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
    text[start...].firstIndex { !isPartOfToken($0) } ?? text.endIndex
  }

  private static func isPartOfToken(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "-_.+/=~".utf8.contains(byte)
  }

  private static func escaped(_ text: String, slashes: Bool) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\"", "\\": result += "\\" + String(character)
      case "/" where slashes: result += "\\/"
      default: result.append(character)
      }
    }
    return result
  }
}

extension Scrubber {
  /// What to take out, by the names of environment variables: those that are known to hold a secret, and those of the
  /// others whose name or value shows that they do.
  package init(secretVariables: [String], others: [String], environment: [String: String]) {
    let telling = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE", "CREDENTIAL", "AUTH"]
    let secretOthers = others.filter { name in
      telling.contains { name.uppercased().contains($0) }
        || environment[name].map { SecretText.looksLikeKey($0) } ?? false
    }
    self.init((secretVariables + secretOthers).compactMap { environment[$0]?.trimmingWhitespace() })
  }
}
