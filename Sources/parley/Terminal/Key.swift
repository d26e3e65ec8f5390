/// A key of the terminal.
enum Key: Hashable {
  case character(Character)
  case control(Character)
  /// With the Alt key, or behind Escape.
  case meta(Character)
  case enter, escape, tab, backTab, backspace, delete, left, right, up, down, home, end
  /// Alt or Control with an arrow, or Alt with Backspace.
  case wordLeft, wordRight, deleteWordBack
  /// Text that was pasted, in one piece.
  case paste(String)
  /// The end of a line in text that was pasted and came as keys.
  case lineEnd
  /// A character's key is held down, or was let go; only terminals with the kitty keyboard protocol tell.
  case repeated(Character)
  case released(Character)

  /// Whether this may be part of a text.
  var isText: Bool {
    switch self {
    case .character, .enter, .tab, .paste, .lineEnd: true
    default: false
    }
  }
}

/// Turns the bytes of a terminal into keys. A value; bytes may come in any pieces.
///
/// Knows the sequences of xterm and its likes, bracketed paste, and the kitty keyboard protocol
/// (`CSI code ; modifiers : event ; text u`).
struct KeyDecoder {
  private var pending: [UInt8] = []
  /// Pasted bytes, while a paste is going on.
  private var pasted: [UInt8]?
  /// Whether the terminal has shown that it speaks the kitty keyboard protocol.
  private(set) var reportsReleases = false

  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// What is pasted beyond this is dropped: an instruction could not be so long either.
  private static let longestPaste = 400_000

  /// - Parameter bytes: what one read gave. A key that sends several bytes sends them at once, so that an escape byte at
  ///   the end of a read is the Escape key.
  mutating func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    if let text = pasted, [[0x03], [0x07]].contains(bytes) {
      // A person gives up what lost its end: of what is pasted, no read is one such byte.
      keys.append(.paste(String(decoding: text + pending, as: UTF8.self)))
      (pending, pasted) = ([], nil)
    }
    pending += bytes
    while !pending.isEmpty, let key = next() { keys += key }
    return keys
  }

  /// The keys of the next sequence, none if it means nothing; nil if more bytes are needed.
  private mutating func next() -> [Key]? {
    if pasted != nil { return nextOfPaste() }
    guard pending[0] == 0x1B else { return nextPlain() }
    guard pending.count > 1 else { return take(1, [.escape]) }
    switch pending[1] {
    case UInt8(ascii: "["): return nextControlSequence()
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return take(2, [.meta("O")]) }
      return take(3, Self.named["\(Character(UnicodeScalar(pending[2])))"].map { [$0] } ?? [])
    case 0x1B: return take(1, [.escape])
    case 0x08, 0x7F: return take(2, [.deleteWordBack])
    case 0x20..<0x7F: return take(2, [.meta(Character(UnicodeScalar(pending[1])))])
    default: return take(1, [.escape])
    }
  }

  private mutating func take(_ count: Int, _ keys: [Key]) -> [Key] {
    pending.removeFirst(count)
    return keys
  }

  private mutating func nextPlain() -> [Key]? {
    let byte = pending[0]
    switch byte {
    case 0x09: return take(1, [.tab])
    case 0x0A, 0x0D: return take(1, [.enter])
    case 0x08, 0x7F: return take(1, [.backspace])
    case 0x1F: return take(1, [.control("_")])
    case 0..<0x20: return take(1, [.control(Character(UnicodeScalar(byte + 0x60)))])
    case 0x20..<0x80: return take(1, [.character(Character(UnicodeScalar(byte)))])
    default:
      // All bytes above ASCII together: an emoji may be made of several scalars, and stays one character.
      let end = pending.firstIndex { $0 < 0x80 } ?? pending.count - Self.begun(pending)
      guard end > 0 else { return nil }
      return take(end, String(decoding: pending[..<end], as: UTF8.self).map { .character($0) })
    }
  }

  /// How many bytes at the end are the beginning of a scalar whose rest is still to come.
  private static func begun(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte >= 0xC0 {
      let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return index + 1 < length ? index + 1 : 0
    }
    return 0
  }

  private mutating func nextControlSequence() -> [Key]? {
    guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) || $0 < 0x20 || $0 == 0x7F }) else {
      // A sequence without an end is noise.
      return pending.count > 64 ? take(pending.count, []) : nil
    }
    // Alt with a bracket, or a sequence that lost its end: no key of a person waits for that.
    if !(0x40...0x7E).contains(pending[end]) { return take(end, end == 2 ? [.meta("[")] : []) }
    let sequence = String(decoding: pending[2...end], as: UTF8.self)
    pending.removeSubrange(...end)
    if sequence == "200~" {
      pasted = []
      return []
    }
    if sequence.hasSuffix("u") { return kitty(sequence.dropLast()) }
    return Self.named[sequence].map { [$0] } ?? modified(sequence)
  }

  /// An arrow or the like with modifiers, such as `1;5D`; with the kitty protocol, with an event behind the modifiers.
  private func modified(_ sequence: String) -> [Key] {
    guard let last = sequence.last else { return [] }
    let parts = sequence.dropLast().split(separator: ";")
    let (modifiers, event) = Self.modifiers(parts.count > 1 ? parts[1] : "")
    guard event != 3 else { return [] }
    let name = last == "~" ? "\(parts.first ?? "")~" : String(last)
    switch Self.named[name] {
    case .left? where modifiers & 6 != 0: return [.wordLeft]
    case .right? where modifiers & 6 != 0: return [.wordRight]
    case let key?: return [key]
    case nil: return []
    }
  }

  private mutating func kitty(_ sequence: Substring) -> [Key] {
    // An answer to a question about the protocol, `?flags u`, is no key.
    guard !sequence.hasPrefix("?") else { return [] }
    reportsReleases = true
    let parts = sequence.split(separator: ";", omittingEmptySubsequences: false)
    let codes = (parts.first ?? "").split(separator: ":")
    guard let code = codes.first.flatMap({ UInt32($0) }), let scalar = UnicodeScalar(code) else { return [] }
    let (modifiers, event) = Self.modifiers(parts.count > 1 ? parts[1] : "")
    let text =
      parts.count > 2 ? parts[2].split(separator: ":").compactMap { UInt32($0).flatMap(UnicodeScalar.init) } : []
    let base = Character(scalar)
    if event == 3 { return (0x20..<0xE000).contains(code) && code != 0x7F ? [.released(base)] : [] }
    let (hasAlt, hasControl) = (modifiers & 2 != 0, modifiers & 4 != 0)
    switch code {
    case 27: return [.escape]
    case 13: return [.enter]
    case 9: return [modifiers & 1 != 0 ? .backTab : .tab]
    case 127: return [hasAlt || hasControl ? .deleteWordBack : .backspace]
    // The private range: keys without text, such as Shift alone.
    case 0xE000...0xF8FF: return []
    default:
      if hasControl { return [.control(base)] }
      if hasAlt { return [.meta(base)] }
      let characters =
        text.isEmpty
        ? [modifiers & 1 != 0 ? Character(String(base).uppercased()) : base]
        : Array(String(String.UnicodeScalarView(text)))
      return characters.map { event == 2 ? .repeated($0) : .character($0) }
    }
  }

  /// What stands in a sequence as `modifiers:event`: the modifiers as bits (1 Shift, 2 Alt, 4 Control), and the event
  /// (1 press, 2 repeat, 3 release).
  private static func modifiers(_ part: Substring) -> (bits: Int, event: Int) {
    let numbers = part.split(separator: ":").map { UInt16($0).map(Int.init) ?? 1 }
    return (max(0, (numbers.first ?? 1) - 1), numbers.count > 1 ? numbers[1] : 1)
  }

  private mutating func nextOfPaste() -> [Key]? {
    guard var text = pasted else { return nil }
    let end = pending.indices.first { pending[$0...].starts(with: Self.pasteEnd) }
    // Without an end, its first bytes may have come already.
    let count = end ?? max(0, pending.count - Self.pasteEnd.count + 1)
    text += pending.prefix(min(count, max(0, Self.longestPaste - text.count)))
    pending.removeFirst(count)
    pasted = text
    guard end != nil else { return nil }
    pending.removeFirst(Self.pasteEnd.count)
    pasted = nil
    return [.paste(String(decoding: text, as: UTF8.self))]
  }

  private static let named: [String: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "4~": .end, "7~": .home,
    "8~": .end, "3~": .delete, "Z": .backTab,
  ]
}
