import Testing
import VoiceVocabulary

@testable import parley

struct NoticeJSONTests {
  /// C1 drives a terminal as C0 does, and a mark of direction shows another order than the one that is there.
  @Test func noLineDrivesATerminalOrTurnsItsText() {
    let text = "a\u{1B}[2J\u{9B}31m\u{90}\u{202E}b\u{2066}\u{7F}\u{2028}c"
    let written = #"a\u001b[2J\u009b31m\u0090\u202eb\u2066\u007f\u2028c"#
    #expect(NoticeJSON.line("note", text) == "{\"label\":\"note\",\"text\":\"\(written)\"}\n")
    #expect(NoticeJSON.line(.warning(text: text)).contains(written))
  }
}
