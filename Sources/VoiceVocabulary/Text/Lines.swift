extension String {
  /// The lines, empty ones too, as its line feeds part them. To Swift, a line feed behind a carriage return is no character of its
  /// own, so `split` would not cut there; the carriage return stays at the end of its line.
  package var lines: [Substring] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// Up to the end of its first line.
  package var firstLine: String { String(prefix { !$0.isNewline }) }

  /// A number's digits, with as many zeros before them as it takes to be so long.
  package func zeroPadded(to width: Int) -> String { String(repeating: "0", count: max(0, width - count)) + self }
}
