/// A setting for people without what may be secret in it: in addresses, and behind an option or a variable of an agent's command
/// that is named after a secret (`--api-key …`, `--token=…`, `API_KEY=…`).
func withoutSecrets(_ text: String) -> String {
  var isBehindOption = false
  let words = withoutSecretsInAddresses(text).split(separator: " ", omittingEmptySubsequences: false).map { word in
    if isBehindOption, !word.isEmpty {
      isBehindOption = false
      return "(secret)"
    }
    if let sign = word.firstIndex(of: "="), isNamedAfterSecret(word[..<sign]) {
      return String(word[...sign]) + "(secret)"
    }
    if word.hasPrefix("-"), isNamedAfterSecret(word) { isBehindOption = true }
    return String(word)
  }
  return words.joined(separator: " ")
}

private func isNamedAfterSecret(_ name: Substring) -> Bool {
  let name = name.lowercased()
  return ["key", "token", "password", "passwd", "secret"].contains { name.hasSuffix($0) }
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
