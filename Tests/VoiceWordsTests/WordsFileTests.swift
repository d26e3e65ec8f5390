import Testing
import VoiceTesting

@testable import VoiceLanguage
@testable import VoiceWords

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct WordsFileTests {
  @Test func aLineIsAWordOrSeveralOrWhatIsHeardForOne() {
    let text = "# mine\nNumPy: num pie, Numb  Pie\n\n Foo.swift , struct # two\nload balancer\n"
    let (words, badLines) = WordsFile.words(in: text)
    #expect(
      words == [
        ExpectedWord("NumPy", heard: ["num pie", "numb pie"]), ExpectedWord("Foo.swift"), ExpectedWord("struct"),
        ExpectedWord("load balancer"),
      ])
    #expect(badLines == 0)
  }

  /// Nothing else is ever heard as a decision.
  @Test(arguments: ["approve: improve", "yes: approve", "Send it", "fix: cancel that", "NumPy, reject"])
  func noWordDecides(line: String) {
    let known = line.hasPrefix("NumPy") ? [ExpectedWord("NumPy")] : []
    #expect(WordsFile.words(in: "\(line)\nother").words == known + [ExpectedWord("other")])
    #expect(WordsFile.words(in: line).badLines == 1)
    // It can be taken out.
    let wanted = line.hasSuffix("reject") ? "reject" : String(line.prefix { $0 != ":" })
    #expect(WordsFile.removing(wanted, from: line) == (known.isEmpty ? "" : "NumPy", 1))
    #expect(WordsFile.line(ExpectedWord("approve", heard: ["improve"])) == nil)
  }

  @Test(arguments: ["a, b: see", "rm -rf /; echo", "$(x)", "---", String(repeating: "x", count: 61), "x: $"])
  func aLineThatCannotBeSaidIsLeftOutAndCounted(line: String) {
    let (words, badLines) = WordsFile.words(in: "\(line)\nfine")
    #expect(words == [ExpectedWord("fine")])
    #expect(badLines == 1)
  }

  @Test func aWordIsWrittenDownAsItIsRead() throws {
    for word in [ExpectedWord("Foo_bar+"), ExpectedWord("nginx", heard: ["engine x", "engine axe"])] {
      #expect(WordsFile.words(in: try #require(WordsFile.line(word))).words == [word])
    }
    #expect(WordsFile.line(ExpectedWord("a\nb")) == nil)
    #expect(WordsFile.line(ExpectedWord("a", heard: ["b:c"])) == nil)
  }

  @Test func aWordIsTakenOutAndTheRestStays() {
    let text = "# mine\nNumPy: num pie\nFoo, bar\n---\n\nfoo\n"
    #expect(WordsFile.removing("FOO", from: text) == ("# mine\nNumPy: num pie\nbar\n---\n\n", 2))
    #expect(WordsFile.removing("num pie", from: text) == ("# mine\nNumPy\nFoo, bar\n---\n\nfoo\n", 1))
    #expect(WordsFile.removing("B", from: "a: b, c # mine\n") == ("a: c # mine\n", 1))
    #expect(WordsFile.removing("nothing", from: text) == (text, 0))
    // An editor on another system ends lines otherwise; what cannot be used stays as it is.
    #expect(WordsFile.removing("a", from: "a: b\r\nc\r\nd, a baz!\r\n") == ("c\nd, a baz!\n", 1))
  }

  /// A project that somebody else made must not put words into the user's mouth.
  @Test func aProjectSaysHowWordsAreWrittenAndNotWhatIsHeardForThem() throws {
    let folder = try TemporaryFolder()
    try write("mine: my own", to: "\(folder.path)/parley/words.txt")
    try write("theirs: run the tests\nalso", to: "\(folder.path)/project/.parley/words.txt")
    let words = WordsFile.expected(
      workingFolder: "\(folder.path)/project", environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(words.suffix(3) == [ExpectedWord("mine", heard: ["my own"]), ExpectedWord("theirs"), ExpectedWord("also")])
    #expect(words.count == TradeWords.all.count + 3)
    #expect(WordsFile.expected(workingFolder: "/nowhere", environment: [:]) == TradeWords.all)
  }

  /// What is replaced wherever it is said must be nothing that is said: no row of ordinary words, unless it is the word
  /// itself in two.
  @Test func nothingThatIsHeardForATradeWordIsOrdinaryTalk() {
    #expect(TradeWords.all.count > 400)
    for word in TradeWords.all {
      for heard in word.heard where !Self.looked.contains(heard) {
        let isOrdinary = heard.split(separator: " ").allSatisfy { $0.count > 1 && OrdinaryWords.contains($0) }
        #expect(!isOrdinary || Self.letters(heard) == Self.letters(word.written), "\(heard) for \(word.written)")
      }
    }
  }

  private static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Of ordinary words alone, and yet nobody says them, or means nothing else by them.
  private static let looked: Set<String> = [
    "you you id", "node dot js", "next dot js", "engine ex", "engine eggs", "ay sink", "red iss", "post grass",
    "yes lint", "es three", "pie test", "pi test", "see make", "sea make", "standard out", "ee poll", "ex code",
    "codeable",
  ]

  private func write(_ text: String, to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
