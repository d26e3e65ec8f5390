/// Tells the key Enter from the end of a line in a paste that the terminal did not mark as one.
///
/// Several characters in one read were pasted, or come from another program: nobody types so fast. The paste goes on until
/// nothing has come for `gap`. In it the end of a line is a blank, as in a marked one, if anything follows it, if another
/// did before, or if the paste has opened the input line. What is left is Enter: the only one, behind the whole text.
///
/// A value without a clock, as `KeyBurst`. Time passes only where nothing came: what a busy machine reads late may have
/// been there before.
struct UnmarkedPaste {
  /// A paste that crosses a network arrives in pieces; after Enter this is not felt.
  static let gap = Duration.milliseconds(100)

  /// When its last character came; nil if nothing is being pasted.
  private var last: Duration?
  /// Whether it has several lines, or has opened the line it stands on.
  private var hasLines = false
  /// Whether the end of a line came last, which is Enter if nothing follows.
  private var isEnterHeld = false

  /// When `elapse` is to be called unless a key comes; nil if nothing is being pasted.
  var due: Duration? { last.map { $0 + Self.gap } }

  /// Take a key; returns what to press instead, in order.
  /// - Parameter isPasted: whether the same read held other text.
  mutating func press(_ key: Key, at now: Duration, isPasted: Bool) -> [Key] {
    var keys: [Key] = []
    if isEnterHeld {
      isEnterHeld = false
      hasLines = hasLines || key.isText
      keys.append(hasLines ? .lineEnd : .enter)
    }
    if key.isText, isPasted || last != nil { last = now }
    guard key == .enter, last != nil else { return keys + [key] }
    if hasLines { return keys + [.lineEnd] }
    isEnterHeld = true
    return keys
  }

  /// The paste has opened an input line: nothing of it is sent before the user has seen it there.
  mutating func openedLine() { hasLines = last != nil }

  /// Nothing came up to now; returns what to press.
  mutating func elapse(to now: Duration) -> [Key] {
    guard let due, due <= now else { return [] }
    defer { self = Self() }
    return isEnterHeld ? [hasLines ? .lineEnd : .enter] : []
  }
}
