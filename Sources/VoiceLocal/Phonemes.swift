import CFlite
import VoiceVocabulary

/// Pronounces English text, in the phonemes that the Piper voice was trained on, with flite's dictionary and rules.
///
/// flite writes ARPAbet; the voice was trained on the International Phonetic Alphabet as another program writes it,
/// so the table below follows that program's habits: long marks, r-coloured vowels, the stress mark before the vowel.
enum Phonemes {
  /// Whether flite is there. One thread; loading it again costs nothing.
  static func load() throws(SpeechFailure) {
    if let reason = flite_engine_load() {
      throw SpeechFailure(
        "flite cannot be loaded (\(String(cString: reason))): install it, on Debian with apt-get install libflite1")
    }
  }

  /// How a plain text is pronounced, ending in punctuation; empty when there is nothing to say. After `load`.
  static func of(_ text: String) -> String {
    guard let pointer = flite_engine_pronounce(text) else { return "" }
    defer { flite_engine_text_free(pointer) }
    return ipa(String(cString: pointer))
  }

  /// One word of flite's transcription.
  private struct Word {
    var text: String
    var partOfSpeech: String
    var punctuation: String
    var syllables: [(isStressed: Bool, phones: [String])] = []
  }

  /// The line form of `flite_engine_pronounce` as IPA.
  static func ipa(_ transcription: String) -> String {
    var words: [Word] = []
    for line in transcription.lines {
      let value = line.dropFirst(2)
      switch line.first {
      case "w":
        let fields = value.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3 else { continue }
        words.append(Word(text: fields[0], partOfSpeech: fields[1], punctuation: fields[2]))
      case "s" where !words.isEmpty: words[words.count - 1].syllables.append((value == "1", []))
      case "p" where words.last?.syllables.isEmpty == false:
        let last = words[words.count - 1].syllables.count - 1
        words[words.count - 1].syllables[last].phones.append(String(value))
      default: break
      }
    }
    var result = ""
    for (index, word) in words.enumerated() {
      let joins = result.isEmpty || word.text.hasPrefix("'")
      let next = index + 1 < words.count ? words[index + 1] : nil
      result += (joins ? "" : " ") + pronounce(word, before: next)
      if let mark = word.punctuation.first(where: { ".,;:!?".contains($0) }) { result.append(mark) }
    }
    if let last = result.last, !".,;:!?".contains(last) { result += "." }
    return result
  }

  private static func pronounce(_ word: Word, before next: Word?) -> String {
    let nextPhone = next?.syllables.first?.phones.first
    if let known = words[word.text] { return known }
    if word.text == "the" { return nextPhone.map(isVowel) ?? false ? "ðɪ" : "ðə" }
    if word.text == "a", word.partOfSpeech == "det" { return "ɐ" }
    if word.text == "to" { return "tə" }
    let isWeak = word.syllables.count == 1 && (word.partOfSpeech != "content" || weakWords.contains(word.text))
    let phones = word.syllables.flatMap { syllable in
      syllable.phones.map { (phone: $0, isStressed: syllable.isStressed && !isWeak) }
    }
    var result = ""
    var index = 0
    while index < phones.count {
      let (phone, isStressed) = phones[index]
      let following = index + 1 < phones.count ? phones[index + 1].phone : nil
      if isStressed, isVowel(phone) { result += "ˈ" }
      if following == "r", let coloured = beforeR[phone] {
        result += coloured
        index += 2
        continue
      }
      let isBetweenVowels =
        index > 0 && isVowel(phones[index - 1].phone) && following.map(isVowel) ?? false
        && !phones[index + 1].isStressed
      if phone == "t", isBetweenVowels {
        result += "ɾ"
      } else if phone == "iy", following == nil, !isStressed, phones.count > 1 {
        result += "i"
      } else if phone == "ax", index == 0, word.text.hasPrefix("u") {
        // "unused", "upgrade": flite's dictionary weakens these too much to be told from "a".
        result += "ʌ"
      } else if phone == "er", isStressed {
        result += "ɜː"
      } else {
        result += table[phone] ?? ""
      }
      index += 1
    }
    return result
  }

  /// Words of this trade that flite's dictionary does not know and its rules get wrong.
  static let words: [String: String] = [
    "git": "ɡˈɪt", "github": "ɡˈɪthʌb", "gitlab": "ɡˈɪtlæb", "json": "dʒˈeɪsɑːn", "yaml": "jˈæməl",
    "toml": "tˈɑːməl", "gui": "ɡˈuːi", "async": "ˈeɪsɪŋk", "config": "kˈɑːnfɪɡ", "configs": "kˈɑːnfɪɡz",
    "repo": "ɹˈiːpoʊ", "repos": "ɹˈiːpoʊz", "enum": "ˈiːnʌm", "enums": "ˈiːnʌmz", "auth": "ˈɔːθ", "linux": "lˈɪnəks",
    "nginx": "ˈɛndʒɪn ˈɛks", "regex": "ɹˈɛdʒɛks", "tuple": "tˈuːpəl", "tuples": "tˈuːpəlz", "mutex": "mjˈuːtɛks",
    "utils": "jˈuːtɪlz", "util": "jˈuːtɪl", "verbose": "vɚbˈoʊs", "debug": "diːbˈʌɡ", "boolean": "bˈuːliən",
    "integer": "ˈɪntɪdʒɚ", "integers": "ˈɪntɪdʒɚz", "kubernetes": "kuːbɚnˈɛɾiz", "param": "pˈæɹæm",
    "params": "pˈæɹæmz", "wifi": "wˈaɪfaɪ", "mac": "mˈæk",
  ]

  private static func isVowel(_ phone: String) -> Bool { vowels.contains(phone) }

  private static let vowels: Set<String> = [
    "aa", "ae", "ah", "ao", "aw", "ax", "axr", "ay", "eh", "er", "ey", "ih", "iy", "ow", "oy", "uh", "uw",
  ]

  /// One-syllable words that flite calls content, but that a speaker does not stress.
  private static let weakWords: Set<String> = ["it", "he", "she", "we", "they", "them", "him", "us", "its", "i", "you"]

  private static let beforeR = ["aa": "ɑːɹ", "ao": "oːɹ", "eh": "ɛɹ", "ih": "ɪɹ", "iy": "ɪɹ", "uh": "ʊɹ", "ow": "oːɹ"]

  private static let table = [
    "aa": "ɑː", "ae": "æ", "ah": "ʌ", "ao": "ɔː", "aw": "aʊ", "ax": "ə", "axr": "ɚ", "ay": "aɪ", "b": "b", "ch": "tʃ",
    "d": "d", "dh": "ð", "dx": "ɾ", "eh": "ɛ", "el": "əl", "em": "əm", "en": "ən", "er": "ɚ", "ey": "eɪ", "f": "f",
    "g": "ɡ", "hh": "h", "hv": "h", "ih": "ɪ", "iy": "iː", "jh": "dʒ", "k": "k", "l": "l", "m": "m", "n": "n",
    "ng": "ŋ", "nx": "n", "ow": "oʊ", "oy": "ɔɪ", "p": "p", "r": "ɹ", "s": "s", "sh": "ʃ", "t": "t", "th": "θ",
    "uh": "ʊ", "uw": "uː", "v": "v", "w": "w", "y": "j", "z": "z", "zh": "ʒ",
  ]
}
