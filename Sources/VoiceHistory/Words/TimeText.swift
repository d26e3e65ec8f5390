package import VoiceVocabulary

// Times as people read them.

extension SessionTime {
  /// Minutes, seconds and milliseconds: `00:03.480`.
  package var clock: String {
    let milliseconds = microseconds / 1000
    return [(milliseconds / 60_000, 2, ":"), (milliseconds / 1000 % 60, 2, "."), (milliseconds % 1000, 3, "")]
      .map { value, width, end in String(value).zeroPadded(to: width) + end }.joined()
  }

  /// How long it is from another moment to this one, in words.
  package func duration(since earlier: SessionTime) -> String {
    durationText(microseconds: microseconds - earlier.microseconds)
  }
}

/// A duration in words: `250 ms`, `2.7 s`, `1 min 5 s`, `2 h 10 min`.
package func durationText(microseconds: Int64) -> String {
  let milliseconds = (microseconds.magnitude / 500 + 1) / 2
  switch milliseconds {
  case ..<1000: return "\(milliseconds) ms"
  case ..<60_000:
    let tenths = (milliseconds + 50) / 100
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  case ..<3_600_000: return "\(milliseconds / 60_000) min \(milliseconds / 1000 % 60) s"
  default: return "\(milliseconds / 3_600_000) h \(milliseconds / 60_000 % 60) min"
  }
}

/// A number of bytes in words: `812 B`, `3.4 MB`.
package func sizeText(bytes: Int64) -> String {
  var (value, unit) = (Double(bytes), 0)
  let units = ["B", "kB", "MB", "GB", "TB"]
  while value >= 1000, unit < units.count - 1 {
    value /= 1000
    unit += 1
  }
  let tenths = Int64((value * 10).rounded())
  return unit == 0 || tenths % 10 == 0
    ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
}
