import Testing
import VoiceLanguage

/// What a recogniser made of echoes, against what users say over a reply.
struct SoundAlikeTests {
  /// Each sentence among others of the same reply, as it would be said.
  private let replies: [String: SpokenWords]

  init() {
    var sentences: [String] = []
    for echo in misheardEchoes where !sentences.contains(echo.said) { sentences.append(echo.said) }
    var replies: [String: SpokenWords] = [:]
    for (index, sentence) in sentences.enumerated() {
      let around = (-2...1).map { sentences[(index + $0 + sentences.count) % sentences.count] }
      replies[sentence] = SpokenWords(around.joined(separator: ". "))
    }
    self.replies = replies
  }

  @Test func mostMisheardEchoesAreKnownAndHardlyAnyUserIsTakenForOne() throws {
    var known = 0
    var knownByWords = 0
    for echo in misheardEchoes {
      let reply = try #require(replies[echo.said])
      if SpokenWords(echo.heard).soundAsPart(of: reply) { known += 1 }
      if reply.contains(SpokenWords(echo.heard)) { knownByWords += 1 }
    }
    var tried = 0
    var mistaken: [String] = []
    for said in spokenOverReplies + Array(replies.keys) {
      for (_, reply) in replies where !reply.contains(SpokenWords(said)) {
        tried += 1
        if SpokenWords(said).soundAsPart(of: reply) { mistaken.append(said) }
      }
    }
    print(
      "of \(misheardEchoes.count) echoes \(known) are known by their sounds (\(knownByWords) by their words); of \(tried) "
        + "sentences of users \(mistaken.count) were mistaken for one: \(Set(mistaken).sorted())")
    #expect(known * 100 >= misheardEchoes.count * 65)
    #expect(knownByWords * 100 <= misheardEchoes.count * 40, "the guard by words was not enough")
    #expect(mistaken.count * 100 <= tried * 2)
  }

  /// Heard beside a loudspeaker by sessions that took them for instructions.
  @Test(arguments: [
    "I am a small guy without a language.",
    "I am a small guide without a language model. I can listen.",
    "Search there text and count lines",
  ]) func whatWasTakenOnceIsKnown(heard: String) {
    let reply = SpokenWords(
      "I am a small guide without a language model. I can list, find and read files, search their text, and count "
        + "lines.")
    #expect(SpokenWords(heard).soundAsPart(of: reply))
  }

  @Test(arguments: ["yes", "no", "stop", "yes, run the tests", "do it in another way", "list the tests"])
  func anAnswerIsNoEcho(said: String) {
    #expect(!SpokenWords(said).soundAsPart(of: SpokenWords("I can list and find files. Is that what you need?")))
  }
}
