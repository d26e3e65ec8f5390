import Testing

@testable import VoiceLocal

@Test(arguments: [
  "Thank you for watching!", "Thanks for watching.", "\u{266A} Oh the sky \u{266A}", "\u{FFFD}\u{FFFD} la", "Um.", " ",
])
func whatIsSaidToMusicIsNothing(text: String) { #expect(Filler.removed(from: text) == "") }

@Test(arguments: ["Thank you for the test.", "Stop watching the folder.", "Yes.", "okay, stop"])
func whatSomebodySaysStays(text: String) { #expect(Filler.removed(from: text) == text) }
