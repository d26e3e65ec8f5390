import VoiceConfiguration
import VoiceVocabulary

/// A setting for people without what may be secret in it: in addresses, behind an option, a variable or a header of an agent's command
/// that is named after a secret (`--api-key …`, `--token=…`, `API_KEY=…`, `'Authorization: …'`), and whatever looks like a key.
func withoutSecrets(_ text: String) -> String {
  var command = CommandText(rest: withoutSecretsInAddresses(text)[...])
  return command.shown()
}

extension Plan {
  /// The agent as it is named to people: what its command is given may be secret.
  var shownAgent: String { withoutSecrets(self.agent) }
}

/// Goes through the words of a command, or of a text with one in it.
private struct CommandText {
  /// What the next word is.
  private enum Next {
    case ordinary
    /// It is hidden whatever it is; or only if it looks like a secret.
    case secret, perhaps
  }

  var rest: Substring
  /// Whether this is a quoted word, such as a header.
  var isQuoted = false
  private var next = Next.ordinary

  init(rest: Substring, isQuoted: Bool = false) {
    self.rest = rest
    self.isQuoted = isQuoted
  }

  mutating func shown() -> String {
    var result = ""
    while !rest.isEmpty {
      let blanks = rest.prefix(while: \.isWhitespace)
      result += blanks
      rest = rest.dropFirst(blanks.count)
      if !rest.isEmpty { result += shown(takeWord()) }
    }
    return result
  }

  /// Up to a blank that is in no quotes. A quotation mark that is never closed is an ordinary sign, unless a secret stands behind it.
  private mutating func takeWord() -> Substring {
    var end = rest.startIndex
    var last: Character?
    while end < rest.endIndex, !rest[end].isWhitespace {
      let mark = rest[end]
      let after = rest.index(after: end)
      if mark == "'" || mark == "\"", last.map({ "=:,".contains($0) }) ?? true {
        if let close = rest[after...].firstIndex(of: mark) {
          end = close
        } else if next == .secret {
          end = rest.firstIndex(of: "”") ?? rest.endIndex
          break
        }
      }
      last = rest[end]
      end = rest.index(after: end)
    }
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  private mutating func shown(_ word: Substring) -> String {
    let expected = next
    next = .ordinary
    let mark = word.first.flatMap { "'\"".contains($0) ? String($0) : nil } ?? ""
    let end = mark.isEmpty || word.count == 1 || String(word.suffix(1)) != mark ? "" : mark
    let bare = word.dropFirst(mark.count).dropLast(end.count)
    if bare.hasPrefix(hidden) { return String(word) }
    if isQuoted, expected == .secret, Self.schemes.contains(bare.lowercased()) {
      next = .secret
      return String(word)
    }
    if expected == .secret || expected == .perhaps && looksLikeSecret(bare) { return hidden }
    if let sign = bare.firstIndex(where: { "=:".contains($0) }) {
      let (name, value) = (bare[..<sign], bare[bare.index(after: sign)...])
      let isSecret = bare[sign] == "=" ? isNamedAfterSecret(name) : isHeaderOfSecret(name)
      if isSecret, !value.isEmpty, !value.hasPrefix(" ") || bare[sign] == "=" {
        return mark + bare[...sign] + hidden + end
      }
      if isSecret, isQuoted, value.isEmpty { next = .secret }
    }
    if bare.contains(where: \.isWhitespace) { return mark + Self.shownInside(bare, isQuoted: !mark.isEmpty) + end }
    if bare.hasPrefix("-"), !bare.contains("=") {
      next = isNamedAfterSecret(bare) ? .secret : Self.perhaps.contains(String(bare)) ? .perhaps : .ordinary
    } else if bare.lowercased() == "bearer" {
      next = .perhaps
    } else if !bare.contains("/"), SecretText.looksLikeKey(bare) {
      return mark + hidden + end
    }
    return String(word)
  }

  /// Several words in one: what is quoted, or behind a sign of its own, as in `NAME='a b'`.
  private static func shownInside(_ word: Substring, isQuoted: Bool) -> String {
    guard !isQuoted, let quote = word.firstIndex(where: { "'\"".contains($0) }) else {
      var inner = CommandText(rest: word, isQuoted: true)
      return isQuoted ? inner.shown() : String(word)
    }
    // Only behind the quotation mark is it shorter than before.
    let quoted = word[word.index(after: quote)...]
    let isClosed = quoted.last == word[quote]
    var inner = CommandText(rest: quoted.dropLast(isClosed ? 1 : 0), isQuoted: true)
    return word[...quote] + inner.shown() + (isClosed ? String(word[quote]) : "")
  }

  /// How a header says what follows.
  private static let schemes: Set<String> = ["bearer", "basic", "token", "digest"]
  /// Options that have a secret behind them in some programs, and in others a port or a name.
  private static let perhaps: Set<String> = ["-p", "-u", "--user", "--auth", "--basic", "--basic-auth"]
}

private let hidden = "(secret)"

private func isNamedAfterSecret(_ name: Substring) -> Bool {
  let name = name.lowercased()
  let last = name.split { !$0.isLetter }.last ?? ""
  return ["key", "token", "password", "passwd", "passphrase", "secret"].contains { name.hasSuffix($0) }
    || ["pass", "dbpass", "pgpass", "sshpass", "pwd", "credential", "credentials"].contains(last)
}

/// Whether a header of this name, such as `Authorization` or `X-Api-Key`, is one that lets somebody in.
private func isHeaderOfSecret(_ name: Substring) -> Bool {
  let name = name.lowercased()
  return ["authorization", "cookie", "-key", "-token", "-secret"].contains { name.hasSuffix($0) }
}

/// Whether this is no port, name or path: letters and digits in one longer word, or a user with a password.
private func looksLikeSecret(_ word: Substring) -> Bool {
  if let colon = word.firstIndex(of: ":"), colon > word.startIndex {
    return word[colon...].contains { $0.isLetter }
  }
  // A shorter one may be a name with a number.
  let isOneWord = word.count >= 8 && !word.contains { "/.".contains($0) }
  return isOneWord && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
    || SecretText.looksLikeKey(word)
}

/// A text for people without what may be secret in the addresses that it names: user and password, and what follows a
/// question mark.
func withoutSecretsInAddresses(_ text: String) -> String {
  var result = ""
  var rest = text[...]
  while let scheme = rest.firstRange(of: "://") {
    result += rest[..<scheme.upperBound]
    rest = rest[scheme.upperBound...]
    let end = rest.firstIndex { $0.isWhitespace || "\"“”".contains($0) } ?? rest.endIndex
    var address = rest[..<end]
    if let at = address.lastIndex(of: "@") {
      result += "(secret)"
      address = address[at...]
    }
    let question = address.firstIndex(of: "?") ?? address.endIndex
    result += address[..<question]
    if address[question...].count > 1 { result += "?(secret)" } else { result += address[question...] }
    rest = rest[end...]
  }
  return result + rest
}
