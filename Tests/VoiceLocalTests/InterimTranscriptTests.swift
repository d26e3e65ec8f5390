import Testing

@testable import VoiceLocal

@Test(arguments: [
  ("login mem mem mem Mem mem", "login mem"), ("Why is it red? Why is it red? Why", "Why is it red?"),
  ("it is very, very slow", "it is very, very slow"), ("ha ha, no no", "ha ha, no no"), ("", ""),
  ("add one and add two and add", "add one and add two and add"), ("go on go on go on", "go on"),
  ("no no no don't delete it", "no no no don't delete it"), ("add - - - and go", "add - - - and go"),
  ("login mem mem mem me", "login mem"), ("Why is it red? Why is it red? Wh", "Why is it red?"),
  ("mem mem mem -", "mem"), ("no no no don't", "no no no don't"),
  ("the number is 0 0 0 7", "the number is 0 0 0 7"), ("the number is 0 0 0", "the number is 0"), ("- - -", "- - -"),
])
func whatIsGuessedDoesNotLoop(_ guessed: String, _ shown: String) {
  #expect(InterimTranscript.withoutLoop(guessed) == shown)
}
