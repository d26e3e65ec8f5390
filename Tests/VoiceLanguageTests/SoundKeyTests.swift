import Testing
import VoiceLanguage

/// Each rule of how English is spelled, by words that need it: what is silent, what two letters sound like, and where it begins.
@Test(
  arguments: [
    // Vowels are heard where they begin.
    ("edge", "AJ"), ("acquire", "AKR"), ("asia", "AX"), ("ahead", "AT"), ("own", "AN"), ("egg", "AK"), ("queue", "K"),
    // Silent at the beginning.
    ("knight", "NT"), ("gnome", "NM"), ("pneumonia", "NMN"), ("wrap", "RP"), ("psalm", "SLM"), ("xylophone", "SLFN"),
    // What belongs together.
    ("bomb", "PM"), ("number", "NMPR"), ("chrome", "KRM"), ("chip", "XP"), ("tech", "TX"), ("back", "PK"),
    ("social", "SXL"), ("suspicion", "SPXN"), ("cell", "SL"), ("cat", "KT"), ("accent", "AKSNT"), ("judging", "JNK"),
    ("ghost", "KST"), ("high", "H"), ("sign", "SN"), ("signed", "SNT"), ("signal", "SKNL"), ("gem", "JM"),
    ("get", "KT"), ("give", "KF"), ("gym", "JM"), ("bigger", "PKR"), ("phone", "FN"), ("shop", "XP"),
    ("vision", "FXN"), ("school", "SKL"), ("scene", "SN"), ("scan", "SKN"), ("thin", "0N"), ("nation", "NXN"),
    ("partial", "PRXL"), ("match", "MX"), ("nature", "NXR"), ("box", "PKS"), ("hat", "HT"), ("water", "WTR"),
    // One sound, however it is written, and nothing else.
    ("zoo", "S"), ("letter", "LTR"), ("vase", "FS"), ("Jazz 2!", "JS"), ("", ""), ("42", ""),
  ] as [(String, String)])
func aWordSoundsAsItIsSaid(_ word: String, _ code: String) { #expect(SoundKey(word).code == code) }

/// The fewer sounds there are, the fewer may differ.
@Test(arguments: [
  (3, 0, false), (4, 0, true), (5, 1, false), (6, 1, false), (7, 1, true), (8, 1, true), (8, 2, false), (9, 2, true),
  (9, 3, false), (10, 3, true), (10, 4, false), (13, 3, true), (13, 4, false), (14, 5, true), (14, 6, false),
])
func soManySoundsOfAnEchoMayDiffer(_ count: Int, _ changes: Int, _ isEcho: Bool) {
  let sounds = ["to", "ko", "lo", "mo", "no", "ro", "fo", "so", "jo", "sho", "tho", "ho", "wo", "po"].prefix(count)
  let heard = sounds.enumerated().map { place, sound in
    place.isMultiple(of: 2) && place / 2 < changes ? "poo" : sound + "o"
  }
  let said = SpokenWords("well " + sounds.joined(separator: " ") + " then")
  #expect(SpokenWords(heard.joined(separator: " ")).soundAsPart(of: said) == isEcho)
}

/// Of a reply that is only beginning, an echo may bring as much more as may differ.
@Test(arguments: [(7, true), (6, false)]) func anEchoMayBringMoreThanWasSaid(_ said: Int, _ isEcho: Bool) {
  let sounds = ["to", "ko", "lo", "mo", "no", "ro", "fo", "so", "jo", "sho"]
  let heard = SpokenWords(sounds.map { $0 + "o" }.joined(separator: " "))
  #expect(heard.soundAsPart(of: SpokenWords(sounds.prefix(said).joined(separator: " "))) == isEcho)
}
