/// Tells keys and passwords from ordinary text, so that they are neither stored nor shown nor spoken.
package enum SecretText {
  /// What the keys of well-known services begin with.
  package static let beginnings = [
    "sk-", "pk_live_", "sk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "AIza", "AKIA", "ASIA", "xoxb-",
    "xoxp-", "eyJ", "ya29.", "hf_", "npm_", "pypi-",
  ]

  /// Whether a word looks like a key: it begins like one, or it is long and mixes digits with both sorts of letters.
  package static func looksLikeKey(_ word: some StringProtocol) -> Bool {
    if word.utf8.count >= 16, beginnings.contains(where: { word.hasPrefix($0) }) { return true }
    guard word.utf8.count >= 32 else { return false }
    var (hasDigit, hasUpper, hasLower) = (false, false, false)
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUpper = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLower = true
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): break
      default: return false
      }
    }
    return hasDigit && hasUpper && hasLower
  }
}
