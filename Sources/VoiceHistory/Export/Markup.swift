/// Words of others in pages that have a structure of their own. Everything here goes by scalars: a sign that means something
/// may be hidden in one character with what stands before or behind it (U+0D4E "<", "<" U+0338), and means it all the same.
extension String {
  /// For HTML and WebVTT: text in elements and in quoted attributes.
  func escapedForMarkup() -> String {
    replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }

  /// For JSON inside an HTML element, which it then cannot end.
  func escapedForScript() -> String {
    replacingScalars { $0 == "<" ? "\\u003c" : nil }
  }

  /// For Markdown: plain text.
  func escapedForMarkdown() -> String {
    replacingScalars { Self.markdownSigns.contains($0) ? "\\" + String($0) : nil }
  }

  private static let markdownSigns = Set("\\`*_{}[]<>#|~&".unicodeScalars)

  /// - Parameter replacement: what stands for a scalar; nil if it stays.
  private func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = replacement(scalar) { result += text.unicodeScalars } else { result.append(scalar) }
    }
    return String(result)
  }
}
