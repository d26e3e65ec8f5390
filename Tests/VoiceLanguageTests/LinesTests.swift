import Testing
import VoiceVocabulary

@Test(arguments: [
  ("", [""]), ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\n\nb\n", ["a", "", "b", ""]),
  ("a\r\nb\r\n", ["a\r", "b\r", ""]), ("\r\n", ["\r", ""]), ("a\rb", ["a\rb"]), ("é\u{301}\nb", ["é\u{301}", "b"]),
])
func aTextIsPartedAtItsLineFeedsWhateverStandsInFrontOfThem(_ text: String, _ lines: [String]) {
  #expect(text.lines.map(String.init) == lines)
  #expect(text.lines.joined(separator: "\n") == text)
}
