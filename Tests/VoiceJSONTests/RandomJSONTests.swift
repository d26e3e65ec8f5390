import Testing
import VoiceReplay

@testable import VoiceJSON

/// What holds of every value and of every text.
struct RandomJSONTests {
  @Test func whateverIsWrittenIsReadAsTheSame() {
    var random = RandomJSON(seed: 1)
    for round in 0..<4_000 {
      let value = random.value(depth: 0)
      let bytes = value.bytes
      let again = JSON(parsing: bytes)
      #expect(again == value, "round \(round)")
      #expect(again?.bytes == bytes, "round \(round)")
      #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F }, "round \(round)")
    }
  }

  @Test func bothReadersAgreeOnEveryText() {
    var random = RandomJSON(seed: 2)
    var (taken, refused) = (0, 0)
    for round in 0..<4_000 {
      var text = random.value(depth: 0).bytes
      if round % 4 != 0 { random.damage(&text) }
      let value = JSON(parsing: text)
      let inPlace: JSON?
      do { inPlace = try JSONNode(parsing: text).json } catch { inPlace = nil }
      #expect(inPlace == value, "round \(round): \(String(decoding: text, as: UTF8.self))")
      if value == nil { refused += 1 } else { taken += 1 }
    }
    // Otherwise little was tried.
    #expect(taken > 1_000 && refused > 1_000, "\(taken) taken, \(refused) refused")
  }

  @Test func damagedTextsAreGoneThrough() {
    var random = RandomJSON(seed: 3)
    for _ in 0..<2_000 {
      var text = random.value(depth: 0).bytes
      random.damage(&text)
      #expect(JSONTexts.rewrite(text) { _, text in Array(text) } == text)
      #expect(
        JSON(parsing: [0x22] + JSONTexts.escaped(text) + [0x22]) == .string(String(decoding: text, as: UTF8.self)))
    }
  }
}

/// The same values in every run.
private struct RandomJSON: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func value(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &self) {
    case 0: return .null
    case 1: return .bool(.random(using: &self))
    case 2: return .integer(Int(truncatingIfNeeded: next() >> UInt64.random(in: 0..<64, using: &self)))
    case 3:
      let number = Double(bitPattern: next())
      return .number(number.isFinite ? number : 0.5)
    case 4, 5: return .string(text())
    case 6: return .array((0..<Int.random(in: 0..<5, using: &self)).map { _ in value(depth: depth + 1) })
    default:
      let members = (0..<Int.random(in: 0..<5, using: &self)).map { _ in (text(), value(depth: depth + 1)) }
      return .object(Dictionary(members) { _, last in last })
    }
  }

  private mutating func text() -> String {
    var text = ""
    let count = Bool.random(using: &self) ? 8 : 90
    for _ in 0..<Int.random(in: 0..<count, using: &self) {
      let number: UInt32 =
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .random(in: 0..<0x20, using: &self)
        case 1: [0x22, 0x5C, 0x7F, 0x2F, 0x75].randomElement(using: &self) ?? 0
        case 2: .random(in: 0x80..<0x800, using: &self)
        case 3: .random(in: 0x2000..<0x2070, using: &self)
        case 4: .random(in: 0..<0x11_0000, using: &self)
        default: .random(in: 0x20..<0x7F, using: &self)
        }
      text.unicodeScalars.append(Unicode.Scalar(number) ?? "\u{FFFD}")
    }
    return text
  }

  /// Cut, change, repeat or take out some of it.
  mutating func damage(_ text: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...2, using: &self) where !text.isEmpty {
      let index = Int.random(in: text.indices, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: text = Array(text[..<index])
      case 1: text[index] = .random(in: 0...255, using: &self)
      case 2: text[index] = Array("{}[]:,\"\\eu0 ".utf8).randomElement(using: &self) ?? 0
      case 3: text.insert(text[index], at: Int.random(in: text.indices, using: &self))
      default: text.remove(at: index)
      }
    }
  }
}
