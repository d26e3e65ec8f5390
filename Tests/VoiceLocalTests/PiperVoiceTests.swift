import Testing

@testable import VoiceLocal

struct PiperVoiceTests {
  private let table = "_ 0\n^ 1\n$ 2\n  3\na 14\nˈ 120\n"

  @Test func aSentenceIsFramedAndHasABlankBehindEachPhoneme() throws {
    let symbols = try #require(PhonemeSymbols(table))
    #expect(symbols.numbers(for: "ˈa a") == [1, 0, 120, 0, 14, 0, 3, 0, 14, 0, 2])
  }

  @Test func aPhonemeThatTheVoiceDoesNotKnowIsLeftOut() throws {
    let symbols = try #require(PhonemeSymbols(table))
    #expect(symbols.numbers(for: "aʔa") == symbols.numbers(for: "aa"))
    #expect(symbols.numbers(for: "ʔ").isEmpty)
  }

  @Test(arguments: ["", "_ 0\n^ 1\na 14\n", "_ 0\n^ 1\n$ two\n", "nothing of the kind"])
  func whatIsNoTableOfPhonemesIsRefused(table: String) {
    #expect(PhonemeSymbols(table) == nil)
  }

  @Test func onlyLongPausesAreShortened() {
    func speech(_ count: Int) -> [Float] { (0..<count).map { $0 % 2 == 0 ? 0.5 : -0.5 } }
    func pause(_ count: Int) -> [Float] { [Float](repeating: 0.005, count: count) }
    let second = PiperVoice.rate
    let sound = speech(100) + pause(second / 5) + speech(50) + pause(second / 2) + speech(10) + pause(second)
    let shortened = speech(100) + pause(second / 5) + speech(50) + pause(second / 10) + speech(10) + pause(second / 5)
    #expect(PiperVoice.shorteningPauses(of: sound) == shortened)
  }
}
