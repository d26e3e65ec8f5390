/// Tells keys and passwords from ordinary text, so that they are neither stored nor shown nor spoken.
package enum SecretText {
  /// What the keys of well-known services begin with.
  package static let beginnings = [
    "sk-", "pk_live_", "sk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "AIza", "AKIA", "ASIA", "xoxb-",
    "xoxp-", "eyJ", "ya29.", "hf_", "npm_", "pypi-",
  ]

  /// What stands of a secret in a Base64 text that holds it, wherever in there it begins and in either alphabet: all digits but those
  /// that are about what is beside it, too.
  package static func base64(of secret: [UInt8]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for alphabet in alphabets {
      for offset in 0..<3 {
        let (first, end) = ((8 * offset + 5) / 6, 8 * (offset + secret.count) / 6)
        let digits = (first..<max(first, end)).map { place in
          let bit = 6 * place - 8 * offset
          let next = bit / 8 + 1 < secret.count ? secret[bit / 8 + 1] : 0
          let window = Int(secret[bit / 8]) << 8 | Int(next)
          return alphabet[window >> (10 - bit % 8) & 0x3F]
        }
        if digits.count >= leastDigits, !result.contains(digits) { result.append(digits) }
      }
    }
    return result
  }

  private static let alphabets = ["+/", "-_"].map { last in
    Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
  }
  /// Fewer may stand anywhere.
  private static let leastDigits = 6

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
