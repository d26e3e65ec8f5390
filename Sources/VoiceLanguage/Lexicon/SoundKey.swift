/// How a word sounds, as a short key: words that are easily taken for each other have equal keys.
///
/// The consonants that can be told apart by ear, after the idea of Metaphone (Philips 1990): vowels count only at the
/// beginning, voiced and unvoiced pairs that recognisers confuse are one, and silent letters are nothing.
package struct SoundKey: Hashable, Sendable {
  package let code: String

  /// The key of the letters of one or several words spoken in one go; anything but Latin letters is left out.
  package init(_ text: some StringProtocol) {
    let letters = text.lowercased().utf8.filter { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    var reader = Reader(letters: Array(letters))
    code = reader.read()
  }

  /// The least number of sounds to change, drop or add.
  package func distance(to other: SoundKey) -> Int { EditDistance.between(Array(code.utf8), Array(other.code.utf8)) }

  private struct Reader {
    let letters: [UInt8]
    var index = 0
    var code = ""

    init(letters: [UInt8]) { self.letters = letters }

    func at(_ offset: Int) -> Unicode.Scalar? {
      let place = index + offset
      return letters.indices.contains(place) ? Unicode.Scalar(letters[place]) : nil
    }

    func follows(_ text: String) -> Bool { letters[index...].starts(with: text.utf8) }

    func isVowel(_ letter: Unicode.Scalar?) -> Bool {
      switch letter {
      case "a", "e", "i", "o", "u", "y": true
      default: false
      }
    }

    func isFront(_ letter: Unicode.Scalar?) -> Bool { letter == "e" || letter == "i" || letter == "y" }

    mutating func read() -> String {
      for silent in ["kn", "gn", "pn", "wr", "ps"] where follows(silent) { index = 1 }
      if at(0) == "x", index == 0 { add("S", 1) }
      while let letter = at(0) {
        if isVowel(letter) {
          // A vowel is heard, but not told from another, so it counts only where it begins.
          if index == 0 { code.append("A") }
          index += 1
        } else if at(-1) == letter, letter != "c" {
          index += 1
        } else {
          consonant(letter)
        }
      }
      return code
    }

    mutating func add(_ sound: String, _ count: Int) {
      // A sound that follows itself is heard once.
      if sound.utf8.count > 1 || code.utf8.last != sound.utf8.first { code += sound }
      index += count
    }

    mutating func consonant(_ letter: Unicode.Scalar) {
      switch letter {
      case "b": add(at(-1) == "m" && at(1) == nil ? "" : "P", 1)
      case "c":
        if follows("ch") {
          return add(follows("chr") || follows("chm") ? "K" : "X", 2)
        }
        if follows("ck") || follows("cq") { return add("K", 2) }
        if follows("cia") || follows("cio") { return add("X", 2) }
        add(isFront(at(1)) ? "S" : "K", 1)
      case "d": follows("dge") || follows("dgi") ? add("J", 2) : add("T", 1)
      case "f", "v": add("F", 1)
      case "g":
        if follows("gh") { return add(isVowel(at(2)) && index == 0 ? "K" : "", 2) }
        if follows("gn"), at(2) == nil || follows("gned") { return add("", 1) }
        add(isFront(at(1)) && !follows("get") && !follows("gi") ? "J" : "K", 1)
      case "h": add(index == 0 && isVowel(at(1)) ? "H" : "", 1)
      case "j": add("J", 1)
      case "k", "q": add("K", 1)
      case "l": add("L", 1)
      case "m": add("M", 1)
      case "n": add("N", 1)
      case "p": follows("ph") ? add("F", 2) : add("P", 1)
      case "r": add("R", 1)
      case "s", "z":
        if follows("sh") || follows("sio") || follows("sia") { return add("X", 2) }
        if follows("sch") { return add("SK", 3) }
        if follows("sc"), isFront(at(2)) { return add("S", 2) }
        add("S", 1)
      case "t":
        if follows("th") { return add("0", 2) }
        if follows("tio") || follows("tia") || follows("tch") { return add("X", follows("tch") ? 3 : 2) }
        if follows("ture") { return add("X", 1) }
        add("T", 1)
      case "w": add(isVowel(at(1)) ? "W" : "", 1)
      case "x": add("KS", 1)
      default: index += 1
      }
    }
  }
}
