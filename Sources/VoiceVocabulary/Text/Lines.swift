extension String {
  /// Up to the end of its first line.
  package var firstLine: String { String(prefix { !$0.isNewline }) }

  /// A number's digits, with as many zeros before them as it takes to be so long.
  package func zeroPadded(to width: Int) -> String { String(repeating: "0", count: max(0, width - count)) + self }
}
