import Testing

@testable import VoiceLanguage

/// What may begin an answer; `SpokenPiecesTests` has whole answers.
@Test(
  arguments: [
    ("It reads every file to the end of it.", 0, "It reads every file"),
    ("Parser objects read every token near certain files today.", 0, nil),
    (
      "Parser objects read every token near certain files today and later.", 0,
      "Parser objects read every token near certain files"
    ),
    ("They were changed because the limit is lower now.", 0, "They were changed"),
    // What comes behind the first piece is cut only where a clause begins.
    ("Parser objects read every token of it near the files of today.", 3, nil),
    ("Parser objects read every token twice because limits are lower.", 3, "Parser objects read every token twice"),
  ] as [(String, Int, String?)])
func anAnswerBeginsWithAPhrase(_ text: String, _ spoken: Int, _ piece: String?) {
  let end = OpeningCut.end(in: text[...], after: spoken)
  #expect(end.map { String(text[..<$0]) } == piece)
}
