import VoiceFoundation
import VoiceJSON
import VoiceVocabulary

/// Takes secrets out of what is written into a session's folder: the values of the variables that hold keys, bearer
/// tokens, users with their passwords, and whatever begins as the keys of well-known services do. A value is known as it is, as it
/// stands in JSON, in an address or on a page, in Base64, and as it is spoken.
package struct Scrubber: Sendable {
  /// What stands in the place of a secret, as text and as bytes.
  package static let markText = "(secret)"
  package static let mark = Array(markText.utf8)
  /// A value shorter than this is a word, not a secret: to take it out would make nonsense of every line.
  package static let shortestSecret = 8
  /// A token or key has at least so many characters.
  private static let shortestToken = 16

  /// How a value is written.
  private struct Form: Equatable {
    let bytes: [UInt8]
    /// Whether it may go over several lines, as Base64 does.
    var mayWrap = false
  }

  /// What is taken out, by its first byte.
  private let forms: [[Form]]
  /// Whether anything to be taken out may begin with this byte.
  private let begins: [Bool]

  /// - Parameters:
  ///   - secrets: the secrets themselves; those that are too short to be told from words are left out.
  ///   - worded: how a text is spoken.
  package init(_ secrets: [String] = [], worded: (String) -> String = { $0 }) {
    var forms = [[Form]](repeating: [], count: 256)
    for secret in secrets where secret.utf8.count >= Self.shortestSecret {
      let spoken = Array(worded(secret).utf8)
      // Of an address or a path, or of what is spoken in short, that may be what anybody says.
      let isPlace = secret.contains("://") || ["/", "~/", "./", "../"].contains { secret.hasPrefix($0) }
      if !isPlace, spoken != Array(secret.utf8), spoken.count >= secret.utf8.count {
        forms[Int(spoken[0])].append(Form(bytes: spoken))
      }
      // As it is, and as it stands in a JSON text.
      let written = [secret, Self.escaped(secret, slashes: false), Self.escaped(secret, slashes: true)]
      let coded = SecretText.base64(of: Array(secret.utf8)).map { Form(bytes: $0, mayWrap: true) }
      for form in written.map({ Form(bytes: Array($0.utf8)) }) + coded {
        let first = Int(form.bytes[0])
        if !forms[first].contains(form) { forms[first].append(form) }
      }
    }
    // The longest first: one secret may begin with another.
    self.forms = forms.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
    var begins = forms.map { !$0.isEmpty }
    // As in an address, any of them may begin so.
    if begins.contains(true) { for first in "%\\&".utf8 { begins[Int(first)] = true } }
    for first in SecretText.beginnings.compactMap(\.utf8.first) { begins[Int(first)] = true }
    for first in "bB".utf8 { begins[Int(first)] = true }
    self.begins = begins
  }

  /// The text without its secrets; nil if it holds none. It is judged as it is written, and as it will be shown: what is left out then,
  /// such as a colour, may part a secret.
  package func scrubbed(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var found = secrets(in: text)
    for shown in ShownText.ways(of: text) { found += secrets(in: shown.bytes[...]).map(shown.whole) }
    if found.isEmpty { return nil }
    var result: [UInt8] = []
    var copied = text.startIndex
    for secret in ShownText.joined(found) {
      result += text[copied..<secret.lowerBound] + Self.mark
      copied = secret.upperBound
    }
    return result + text[copied...]
  }

  private func secrets(in text: ArraySlice<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = text.startIndex
    while index < text.endIndex {
      if begins[Int(text[index])], let secret = secret(in: text, at: index) {
        found.append(secret)
        index = secret.upperBound
      } else {
        index += 1
      }
    }
    return found
  }

  /// A line of JSON without the secrets in its texts; nil if it holds none. The names of its fields are left alone.
  package func scrubbed(json line: [UInt8]) -> [UInt8]? {
    // What one text hides would change how the next is read.
    guard ShownText.mayDiffer(line[...]) || scrubbed(line[...]) != nil else { return nil }
    let result = JSONTexts.rewrite(line) { _, text in scrubbed(text) }
    return result == line ? nil : result
  }

  /// How much at the start of a text belongs to a secret that what came before it began: of one that is known, from its eighth byte
  /// on; of a token, once it is long enough.
  func rest(of before: [UInt8], in text: ArraySlice<UInt8>) -> (length: Int, isToken: Bool) {
    let all = before + text
    var end = before.count
    for start in before.indices {
      for form in forms[Int(before[start])] {
        let same = zip(form.bytes, all[start...]).prefix { $0 == $1 }.count
        guard same >= Self.shortestSecret, same == form.bytes.count || start + same == all.count else { continue }
        end = max(end, start + same)
      }
    }
    var token = before.count
    while token > 0, Self.isPartOfToken(all[token - 1]), all[token - 1] != UInt8(ascii: "="),
      !Self.isBehindEscape(all[...], token)
    {
      token -= 1
    }
    if SecretText.beginnings.contains(where: { all[token...].starts(with: $0.utf8) }) {
      let tokenEnd = Self.endOfToken(all[...], from: before.count)
      if tokenEnd - token >= Self.shortestToken, tokenEnd >= end { return (tokenEnd - before.count, true) }
    }
    return (end - before.count, false)
  }

  /// The longest way to write a secret that is known; 0 if none is.
  var longestForm: Int { forms.joined().map(\.bytes.count).max() ?? 0 }

  /// How much at the end of a text is the first part of a secret that is known, of eight bytes at least.
  func lengthOfBeginning(in text: ArraySlice<UInt8>) -> Int {
    text.indices.lazy.filter { start in
      let part = text[start...]
      return part.count >= Self.shortestSecret && forms[Int(part[start])].contains { $0.bytes.starts(with: part) }
    }.map { text.endIndex - $0 }.first ?? 0
  }

  private func secret(in text: ArraySlice<UInt8>, at index: Int) -> Range<Int>? {
    let (byte, meant) = (text[index], Self.byte(in: text, at: index).value)
    for form in byte == meant ? forms[Int(byte)] : forms[Int(byte)] + forms[Int(meant)] {
      if let end = Self.end(of: form, in: text, from: index) { return index..<end }
    }
    return token(in: text, at: index)
  }

  /// What nobody had to tell that it is a secret.
  private func token(in text: ArraySlice<UInt8>, at index: Int) -> Range<Int>? {
    let rest = text[index...]
    // Inside a longer word it is something else; behind an equals sign it is not.
    if index > text.startIndex, text[index - 1] != UInt8(ascii: "="), Self.isPartOfToken(text[index - 1]),
      !Self.isBehindEscape(text, index)
    {
      return nil
    }
    if let word = Self.bearer.first(where: { rest.starts(with: $0) }) {
      let start = index + word.count
      let end = Self.endOfToken(text, from: start)
      if end - start >= Self.shortestSecret { return start..<end }
    }
    if let word = Self.basic.first(where: { rest.starts(with: $0) }) {
      let start = index + word.count
      let end = Self.endOfToken(text, from: start)
      if Self.isUserWithPassword(text[start..<end]) { return start..<end }
    }
    for beginning in SecretText.beginnings where rest.starts(with: beginning.utf8) {
      let end = Self.endOfToken(text, from: index)
      if end - index >= Self.shortestToken { return index..<end }
    }
    return nil
  }

  private static let bearer = ["Bearer ", "bearer ", "BEARER "].map { Array($0.utf8) }

  private static let basic = ["Basic ", "basic ", "BASIC "].map { Array($0.utf8) }

  /// Whether this is Base64 of a user and a password, and not just a word.
  private static func isUserWithPassword(_ token: ArraySlice<UInt8>) -> Bool {
    guard let data = Data(base64Encoded: Data(token)), data.contains(UInt8(ascii: ":")) else { return false }
    return data.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// Where this form ends that begins here; nil if it does not. Any byte of it may be written as in an address, in JSON or on a page.
  private static func end(of form: Form, in text: ArraySlice<UInt8>, from start: Int) -> Int? {
    var index = start
    for expected in form.bytes {
      if form.mayWrap, index > start { index = endOfLineEnds(text, from: index) }
      guard index < text.endIndex else { return nil }
      let (byte, length) = byte(in: text, at: index)
      if byte == expected { index += length } else if text[index] == expected { index += 1 } else { return nil }
    }
    return index
  }

  /// The byte that stands here, be it as `%2F`, `\/`, `\u002f` or `&#47;`, and the length of that. JSON in JSON has more backslashes.
  private static func byte(in text: ArraySlice<UInt8>, at index: Int) -> (value: UInt8, length: Int) {
    func number(_ start: Int, _ count: Int) -> UInt8? {
      guard start + count <= text.endIndex else { return nil }
      return UInt8(String(decoding: text[start..<(start + count)], as: UTF8.self), radix: 16)
    }
    switch text[index] {
    case UInt8(ascii: "%"):
      if let value = number(index + 1, 2) { return (value, 3) }
    case UInt8(ascii: "\\"):
      let run = text[index...].prefix(mostBackslashes)
      guard let next = run.firstIndex(where: { $0 != UInt8(ascii: "\\") }) else { break }
      if text[next] == UInt8(ascii: "u"), let value = number(next + 1, 4) { return (value, next + 5 - index) }
      // Others stand for a control, or for nothing.
      if !text[next].isASCIILetterOrDigit { return (text[next], next + 1 - index) }
    case UInt8(ascii: "&"):
      for (name, value) in entities where text[(index + 1)...].starts(with: name) { return (value, name.count + 1) }
    default: break
    }
    return (text[index], 1)
  }

  /// JSON in JSON doubles them each time; a longer run of them is none.
  private static let mostBackslashes = 16

  /// How a page writes what a word of it may not have.
  private static let entities: [(name: [UInt8], value: UInt8)] = {
    let names: KeyValuePairs<String, Unicode.Scalar> = [
      "amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "apos;": "'", "#39;": "'", "#34;": "\"", "#38;": "&",
      "#43;": "+", "#47;": "/", "#60;": "<", "#61;": "=", "#62;": ">", "#x27;": "'", "#x2F;": "/", "#x3D;": "=",
    ]
    return names.map { (Array($0.key.utf8), UInt8(ascii: $0.value)) }
  }()

  /// Behind the line ends that stand here, as they are or as in JSON.
  private static func endOfLineEnds(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.endIndex {
      if text[index] == 0x0A || text[index] == 0x0D {
        index += 1
      } else if text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex, "nr".utf8.contains(text[index + 1]) {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  private static func endOfToken(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
    text[start...].firstIndex { !isPartOfToken($0) } ?? text.endIndex
  }

  /// Whether what stands before this place is no letter of the word there, though it looks like one: an escape, as JSON writes a
  /// line feed or a control, or the end of what colours or clears in a terminal. Backslashes are not counted, because JSON often holds JSON.
  private static func isBehindEscape(_ text: ArraySlice<UInt8>, _ index: Int) -> Bool {
    let before = text[..<index]
    if before.dropLast().last == UInt8(ascii: "\\") { return "bfnrt".utf8.contains(before[index - 1]) }
    let number = before.suffix(6)
    if number.starts(with: "\\u".utf8) {
      return number.dropFirst(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    guard let last = before.last, "mKJH".utf8.contains(last) else { return false }
    let parameters = before.dropLast().reversed().drop { $0 == UInt8(ascii: ";") || (0x30...0x39).contains($0) }
    // Escape and a bracket, or the one control that stands for both, as it is or as JSON writes it.
    return parameters.first == UInt8(ascii: "[") || parameters.first == 0x9B || parameters.starts(with: "b9".utf8)
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
  /// What to take out besides these secrets, by the names of environment variables: those that are known to hold a secret, and those
  /// of the others whose name or value shows that they do.
  package init(
    _ secrets: [String] = [], secretVariables: [String], others: [String], environment: [String: String],
    worded: (String) -> String = { $0 }
  ) {
    let telling = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE", "CREDENTIAL", "AUTH"]
    let secretOthers = others.filter { name in
      telling.contains { name.uppercased().contains($0) }
        || environment[name].map { SecretText.looksLikeKey($0) } == true
    }
    let values = (secretVariables + secretOthers).compactMap { environment[$0]?.trimmingWhitespace() }
    self.init(secrets + values, worded: worded)
  }
}
