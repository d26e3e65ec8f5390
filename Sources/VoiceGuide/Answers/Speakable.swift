import VoiceLanguage
import VoiceVocabulary

/// Text made fit for the ear: short, without markdown, without control characters, without secrets.
enum Speakable {
  /// "no files", "one file", "12 files".
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    Counted(number, noun, plural).spoken
  }

  /// "a", "a and b", "a, b and c"; of more than `limit`, the first and "7 more".
  static func list(_ items: [String], limit: Int = GuideLimits.spokenItems) -> String {
    (items.count > limit ? items.prefix(limit) + ["\(items.count - limit) more"] : items).joinedAsList()
  }

  /// "2 seconds", "3 minutes and 5 seconds"; less than a second is said so.
  static func duration(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    if seconds < 1 { return "less than a second" }
    if seconds < 60 { return count(seconds, "second") }
    let rest = seconds % 60
    return count(seconds / 60, "minute") + (rest == 0 ? "" : " and " + count(rest, "second"))
  }

  /// "120 bytes", "4 kilobytes", "12 megabytes".
  static func size(_ bytes: Int) -> String {
    if bytes < 1_000 { return count(bytes, "byte") }
    if bytes < 1_000_000 { return count(bytes / 1_000, "kilobyte") }
    if bytes < 1_000_000_000 { return count(bytes / 1_000_000, "megabyte") }
    return count(bytes / 1_000_000_000, "gigabyte")
  }

  /// One line to be spoken: control characters and markdown gone, secrets hidden, cut at a word.
  static func line(_ text: some StringProtocol, limit: Int = GuideLimits.excerptCharacters) -> String {
    var words: [String] = []
    var length = 0
    let plain = withoutMarkdown(sanitized(text))
    // Nobody is spared anything by a cut right before the end.
    let limit = plain.count <= limit + limit / 4 ? .max : limit
    for word in plain.split(whereSeparator: \.isWhitespace) {
      length += word.count + 1
      if length > limit {
        words.append("and so on")
        break
      }
      words.append(String(word))
    }
    return withoutSecrets(words).joined(separator: " ")
  }

  /// Text to be shown: lines stay, control characters and secrets do not; cut at `limit` characters.
  static func shown(_ text: some StringProtocol, limit: Int = 8_000) -> String {
    let lines = sanitized(text.prefix(limit)).lines
    return lines.map { withoutSecrets($0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) }
      .map { $0.joined(separator: " ") }.joined(separator: "\n")
  }

  /// Every control, format and private-use character becomes a space; line ends and tabs stay.
  static func sanitized(_ text: some StringProtocol) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar != "\n" && scalar != "\t", .format, .privateUse, .surrogate, .unassigned,
        .lineSeparator, .paragraphSeparator:
        clean.append(" ")
      default: clean.append(scalar)
      }
    }
    return String(clean)
  }

  /// Marks that only the eye can use: heading, list and emphasis signs, links and images.
  private static func withoutMarkdown(_ text: String) -> String {
    var plain = ""
    var rest = text.drop { "#>*-+ \t".contains($0) }
    while let character = rest.first {
      rest = rest.dropFirst()
      switch character {
      case "`", "*": break
      case "!" where rest.first == "[": break
      case "[":
        // "[text](address)" is its text.
        if let close = rest.firstIndex(of: "]"), rest[rest.index(after: close)...].first == "(",
          let end = rest[close...].firstIndex(of: ")")
        {
          plain += rest[..<close]
          rest = rest[rest.index(after: end)...]
        } else {
          plain.append(character)
        }
      default: plain.append(character)
      }
    }
    return plain
  }

  // Secrets.

  private static let secretNames = [
    "password", "passwd", "secret", "token", "api_key", "apikey", "private_key", "bearer",
  ]

  /// Hide what looks like a key, and what is assigned to a name such as "password".
  private static func withoutSecrets(_ words: [String]) -> [String] {
    var hidesNext = false
    return words.map { word in
      if word.isEmpty || word == "=" || word == ":" { return word }
      if hidesNext {
        hidesNext = false
        return "(hidden)"
      }
      let lower = word.lowercased()
      if let sign = word.lastIndex(where: { "=:".contains($0) }),
        secretNames.contains(where: { lower.contains($0) })
      {
        let value = word[word.index(after: sign)...]
        if value.isEmpty {
          hidesNext = true
          return word
        }
        return word[...sign] + "(hidden)"
      }
      return word.split(whereSeparator: { "=:,;\"'".contains($0) }).contains(where: { SecretText.looksLikeKey($0) })
        ? "(hidden)" : word
    }
  }
}
