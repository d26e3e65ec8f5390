import VoiceCore

/// One line of text being edited. A value: keys go in, the text and the cursor come out.
struct LineEditor: Equatable {
  private(set) var characters: [Character]
  /// How many characters stand before the cursor.
  private(set) var cursor: Int

  init(_ text: String = "") {
    characters = Array(text.harmless(limit: 100_000))
    cursor = characters.count
  }

  var text: String { String(characters) }

  enum Outcome: Equatable {
    case editing
    case kept(String)
    case dropped
  }

  /// Take a key, with the usual Emacs meanings.
  mutating func press(_ key: Key) -> Outcome {
    switch key {
    case .enter: return .kept(text)
    case .escape, .control("c"), .control("g"): return .dropped
    case .character(let character):
      characters.insert(character, at: cursor)
      cursor += 1
    case .backspace:
      if cursor > 0 {
        cursor -= 1
        characters.remove(at: cursor)
      }
    case .delete, .control("d"):
      if cursor < characters.count { characters.remove(at: cursor) }
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("k"): characters.removeSubrange(cursor...)
    case .control("u"):
      characters.removeSubrange(..<cursor)
      cursor = 0
    case .control("w"): deleteWord()
    case .control: break
    }
    return .editing
  }

  private mutating func deleteWord() {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    characters.removeSubrange(start..<cursor)
    cursor = start
  }
}

/// A key of the terminal.
enum Key: Equatable {
  case character(Character)
  case control(Character)
  case enter, escape, backspace, delete, left, right, home, end
}

/// Turns the bytes of a terminal into keys.
enum KeyDecoder {
  /// - Parameter bytes: what one read gave. A key that sends several bytes sends them at once, so an escape byte alone
  ///   is the Escape key.
  static func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == 0x1B, rest.count > 1,
        rest[rest.startIndex + 1] == UInt8(ascii: "[") || rest[rest.startIndex + 1] == UInt8(ascii: "O")
      {
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { (0x40...0x7E).contains($0) } ?? rest.endIndex
        let sequence = String(decoding: rest[..<min(end + 1, rest.endIndex)], as: UTF8.self)
        rest = rest[min(end + 1, rest.endIndex)...]
        if let key = named[sequence] { keys.append(key) }
        continue
      }
      switch byte {
      case 0x1B: keys.append(.escape)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0..<0x20: keys.append(.control(Character(UnicodeScalar(byte + 0x60))))
      default:
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let character = String(decoding: rest.prefix(length), as: UTF8.self)
        keys += character.map { .character($0) }
        rest = rest.dropFirst(length)
        continue
      }
      rest = rest.dropFirst()
    }
    return keys
  }

  private static let named: [String: Key] = [
    "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "4~": .end, "3~": .delete,
  ]
}
