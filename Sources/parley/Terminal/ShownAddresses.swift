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
