extension String {
  /// A piece of a path or a query with everything escaped that has a meaning there.
  ///
  /// - Parameter marks: what stands there as it is, beside ASCII letters and digits.
  package func percentEncoded(keeping marks: String = "-._~") -> String {
    utf8.reduce(into: "") { text, byte in
      if byte.isASCIILetterOrDigit || marks.utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%\(String(UInt16(byte) + 0x100, radix: 16, uppercase: true).suffix(2))"
      }
    }
  }
}
