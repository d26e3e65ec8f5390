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

@Test(
  arguments: [
    ("One. Two! Three?", ["One.", "Two!", "Three?"]),
    ("Version 1.2.3 is out. See e.g. the notes.", ["Version 1.2.3 is out.", "See e.g. the notes."]),
    ("# Title\n- first\n- second\n", ["Title", "first", "second"]),
    ("Use `swift test` **now**.", ["Use `swift test` **now**."]),
    ("**Done.** All `1. 2` pass (today.) Yes.", ["**Done.**", "All `1. 2` pass (today.)", "Yes."]),
    ("1. Build it.\n2) Test it\n   - nested", ["One: Build it.", "Two: Test it", "nested"]),
    ("- [ ] open\n- [x] closed", ["To do: open", "Done: closed"]),
    ("> quoted text\n\n---\n\nNext one.", ["quoted text", "Next one."]),
    ("No. I will not.", ["No.", "I will not."]),
    ("<!-- hidden\nstill --> \nShown.", ["Shown."]),
    (
      "This is a rather long line of prose that was broken where the line was\nfull. Short\nlines",
      ["This is a rather long line of prose that was broken where the line was full.", "Short", "lines"]
    ),
    ("", []),
    ("\n\n--- \n", []),
    ("没有空格。第二句。", ["没有空格。", "第二句。"]),
  ] as [(String, [String])])
func textIsCutIntoSentencesForTheEar(_ text: String, _ expected: [String]) {
  #expect(pieces(text, by: 1_000) == expected)
}

@Test(
  arguments: [
    ("Before.\n```swift\nlet x = 1. \nprint(x)\n```\nAfter.", ["Before.", "A two-line Swift block.", "After."]),
    ("```swift title=\"Sources/Replay.swift\"\na\n\nb\n```", ["A two-line Swift block in Sources/Replay.swift."]),
    ("```py\n# tools/run.py\nx = 1\n```", ["A two-line Python block in tools/run.py."]),
    ("```sh\n$ swift test\n```", ["The command: swift test"]),
    ("```\nls\n```", ["A line: ls"]),
    ("```\n\n```", []),
    ("~~~~js\nfoo\n~~~\nbar\n~~~~\nend", ["A three-line JavaScript block.", "end"]),
    ("Look:\n```c\none\ntwo", ["Look:", "A two-line C block."]),
    (
      "```diff\n--- a/x.swift\n+++ b/x.swift\n+one\n+two\n-three\n```",
      ["A diff that adds two lines and removes one line in x.swift."]
    ),
    ("```\nx\nx\nx\nx\nx\nx\nx\nx\n```", ["An eight-line block."]),
  ] as [(String, [String])])
func aBlockOfCodeIsSummedUp(_ text: String, _ expected: [String]) { #expect(pieces(text, by: 1_000) == expected) }

@Test(
  arguments: [
    (
      "| Name | Size |\n|---|---:|\n| a.swift | 3 KB |\n| `a\\|b` | |\n\nDone.",
      ["a.swift: Size 3 KB.", "`a\\|b`.", "Done."]
    ),
    ("| A | B |\n|--|--|\n|1|2|\n|1|2|\n|1|2|\n|1|2|\n|1|2|\n|1|2|", ["A table of six rows and two columns: A, B."]),
    ("| A | B |\nText behind it.", ["A, B.", "Text behind it."]),
  ] as [(String, [String])])
func aSmallTableIsReadAndALargeOneDescribed(_ text: String, _ expected: [String]) {
  #expect(pieces(text, by: 1_000) == expected)
}

@Test(arguments: [1, 2, 3, 7])
func whereTheTextIsCutOnItsWayDoesNotMatter(_ size: Int) {
  let text = """
    Let me look, I will read it. The file e.g. README.md has 12 lines.
    ```
    code. x
    ```
    # Done, all of it!
    1. The first, which goes on and on and on until its line is as good as full, and
       then ends. **Bold.** - no item
    * * *
    | a | b |
    |---|---|
    | 1 | 2 |
    <!-- not this -->
    - [x] that
    """
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
