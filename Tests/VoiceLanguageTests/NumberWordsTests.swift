import Testing
import VoiceLanguage

@Test(
  arguments: [
    (0, "zero"), (19, "nineteen"), (20, "twenty"), (21, "twenty one"), (99, "ninety nine"), (100, "one hundred"),
    (101, "one hundred one"), (999, "nine hundred ninety nine"), (1_000, "one thousand"), (1_001, "one thousand one"),
    (12_345, "twelve thousand three hundred forty five"),
    (999_999, "nine hundred ninety nine thousand nine hundred ninety nine"),
    (1_000_000, "one million"), (2_000_030, "two million thirty"), (1_000_000_000, "one billion"),
    (999_000_000_000, "nine hundred ninety nine billion"),
    (1_000_000_000_000, "one zero zero zero zero zero zero zero zero zero zero zero zero"),
    (-7, "minus seven"),
    (
      .min,
      "minus nine two two three three seven two zero three six eight five four seven seven five eight zero eight"
    ),
  ] as [(Int, String)])
func aNumberIsSaidAsACardinal(_ number: Int, _ words: String) {
  #expect(NumberWords.cardinal(number).joined(separator: " ") == words)
}

@Test(
  arguments: [
    (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (8, "eighth"), (9, "ninth"),
    (12, "twelfth"),
    (20, "twentieth"), (22, "twenty second"), (30, "thirtieth"), (100, "one hundredth"),
    (113, "one hundred thirteenth"),
  ] as [(Int, String)])
func aNumberIsSaidAsAnOrdinal(_ number: Int, _ words: String) {
  #expect(NumberWords.ordinal(number).joined(separator: " ") == words)
}

@Test(
  arguments: [
    (999, "nine hundred ninety nine"), (1_000, "one thousand"), (1_066, "ten sixty six"), (1_900, "nineteen hundred"),
    (1_905, "nineteen oh five"), (1_910, "nineteen ten"), (1_999, "nineteen ninety nine"), (2_000, "two thousand"),
    (2_009, "two thousand nine"), (2_010, "twenty ten"), (2_101, "twenty one oh one"),
    (9_999, "ninety nine ninety nine"),
    (10_000, "ten thousand"),
  ] as [(Int, String)])
func aYearIsSaidInPairs(_ year: Int, _ words: String) {
  #expect(NumberWords.year(year).joined(separator: " ") == words)
}

@Test(
  arguments: [
    ("256", "two fifty six"), ("404", "four oh four"), ("8080", "eighty eighty"), ("1001", "ten oh one"),
    ("200", "two hundred"), ("3000", "three thousand"), ("64", "sixty four"),
    ("12345", "twelve thousand three hundred forty five"),
    ("007", "zero zero seven"), ("0", "zero"), ("410", "four ten"), ("409", "four oh nine"), ("1910", "nineteen ten"),
    ("10000", "ten thousand"),
  ] as [(String, String)])
func aNumberInANameIsSaidInPairs(_ text: String, _ words: String) {
  #expect(NumberWords.label(text).joined(separator: " ") == words)
}

@Test(
  arguments: [
    ("0", "zero"), ("05", "zero five"), ("15", "fifteen"),
    (
      "999999999999",
      "nine hundred ninety nine billion nine hundred ninety nine million nine hundred ninety nine thousand nine hundred ninety nine"
    ),
    ("1234567890123456", "one two three four five six seven eight nine zero one two three four five six"),
    ("1x", "one"),
  ] as [(String, String)])
func digitsAreSaidAsANumberWhereOneCanFollowIt(_ text: String, _ words: String) {
  #expect(NumberWords.cardinal(digits: text).joined(separator: " ") == words)
}

@Test func aPartOfANumberIsKnown() {
  for word in ["zero", "nineteen", "twenty", "ninety", "hundred", "billion", "third", "twentieth", "zeroth"] {
    #expect(NumberWords.isNumberWord(word), "\(word)")
  }
  for word in ["and", "hundreds", "trillion", "oh", "", "Twenty"] {
    #expect(!NumberWords.isNumberWord(word), "\(word)")
  }
}

/// The number at the beginning of what was said, and how many words it takes: the rest is about something else.
@Test(
  arguments: [
    ("ten", 10, 1), ("zero", 0, 1), ("7", 7, 1), ("1000000", 1_000_000, 1), ("twenty five", 25, 2),
    ("twenty-five", 25, 1), ("twenty-nineteen", 39, 1), ("nineteen one", 19, 1), ("twenty ten", 20, 1),
    ("twenty zero", 20, 1), ("forty lines", 40, 1), ("two hundred and six files", 206, 4), ("two hundred six", 206, 3),
    ("nineteen hundred", 1_900, 2), ("two hundred ninety nine", 299, 4), ("two hundred one hundred", 200, 2),
    ("twenty hundred", 20, 1), ("two hundred files", 200, 2),
  ] as [(String, Int, Int)])
func aSpokenNumberIsRead(_ said: String, _ value: Int, _ words: Int) throws {
  let number = try #require(NumberWords.parse(said.split(separator: " ").map(String.init)[...]))
  #expect(number.value == value && number.words == words)
}

@Test(arguments: ["login", "", "ten-five", "twenty-twenty", "twenty-", "1000001", "-1", "hundred", "twenty-five-six"])
func whatIsNoNumberIsNotRead(_ said: String) {
  #expect(NumberWords.parse(said.split(separator: " ").map(String.init)[...]) == nil)
}

/// Each number is said in words that are read as the same number.
@Test func whatIsSaidOfANumberIsReadAsThatNumber() throws {
  for number in 0..<1_000 {
    let words = NumberWords.cardinal(number)
    let read = try #require(NumberWords.parse(words[...]), "\(number)")
    #expect(read.value == number && read.words == words.count, "\(number) is read as \(read)")
    #expect(words.allSatisfy { NumberWords.isNumberWord($0) })
    #expect(NumberWords.ordinal(number).dropLast() == words.dropLast()[...])
  }
}
