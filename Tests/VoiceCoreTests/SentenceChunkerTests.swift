import Testing
import VoiceCore

private func pieces(_ text: String, by size: Int) -> [String] {
  var chunker = SentenceChunker()
  var result: [String] = []
  var rest = text[...]
  while !rest.isEmpty {
    result += chunker.append(String(rest.prefix(size)))
    rest = rest.dropFirst(size)
  }
  return result + chunker.flush()
}

@Test(arguments: [
  ("One. Two! Three?", ["One.", "Two!", "Three?"]),
  ("Version 1.2.3 is out. See e.g. the notes.", ["Version 1.2.3 is out.", "See e.g. the notes."]),
  ("# Title\n- first\n- second\n", ["Title", "first", "second"]),
  ("Use `swift test` **now**.", ["Use swift test now."]),
  ("See [the docs](https://example.org/a).", ["See the docs."]),
  ("Before.\n```swift\nlet x = 1. \nprint(x)\n```\nAfter.", ["Before.", "After."]),
  ("", []),
  ("\n\n--- \n", []),
  ("没有空格。", ["没有空格。"]),
])
func textIsCutIntoSentencesForTheEar(_ text: String, _ expected: [String]) {
  #expect(pieces(text, by: 1_000) == expected)
}

@Test(arguments: [1, 2, 3, 7])
func whereTheTextIsCutOnItsWayDoesNotMatter(_ size: Int) {
  let text = "Let me look, I will read it. The file e.g. README.md has 12 lines.\n```\ncode. x\n```\nDone, all of it!"
  #expect(pieces(text, by: size) == pieces(text, by: 1_000))
}

@Test func theFirstPieceMayEndAtACommaSoThatSpeechBeginsSoon() {
  let result = pieces("I looked through all of the files, and none of them, as it seems, fits.", by: 1_000)
  #expect(result == ["I looked through all of the files,", "and none of them, as it seems, fits."])
}

@Test func aSentenceWithoutAnEndIsCutAtAWord() {
  let result = pieces(String(repeating: "word ", count: 200), by: 1_000)
  #expect(result.count > 3)
  #expect(result.allSatisfy { $0.count <= Limits.spokenPieceCharacters && $0.hasSuffix("word") })
}

@Test(arguments: [
  ("run the tests", "Run the tests.", 100),
  ("run the tests", "delete everything", 0),
  ("", "", 100),
  ("run", "", 0),
])
func agreementCountsSharedWords(_ left: String, _ right: String, _ percent: Int) {
  #expect(Agreement.percent(left, right) == percent)
}

@Test(arguments: [
  ("approve", UserCommand.approve), (" Reject not now ", .reject(reason: "not now")), ("reject", .reject(reason: nil)),
  ("amend run all tests", .amend(text: "run all tests")), ("mode DIRECT", .mode(mode: .direct)), ("?", .help),
  ("say hello there", .say(text: "hello there")),
])
func aLineIsReadAsACommand(_ line: String, _ command: UserCommand) { #expect(UserCommand(line: line) == command) }

@Test(arguments: ["", "approve it", "okay", "amend", "mode fast", "yes"])
func anythingElseIsNoCommand(_ line: String) { #expect(UserCommand(line: line) == nil) }
