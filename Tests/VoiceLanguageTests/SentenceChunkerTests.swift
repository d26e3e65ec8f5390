import Testing
import VoiceLanguage
import VoiceVocabulary

private func pieces(_ text: String, by size: Int, behind beginning: String = "") -> [String] {
  var chunker = SentenceChunker()
  var result = chunker.append(beginning)
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
      ["This is a rather long line of prose,", "that was broken where the line was full.", "Short", "lines"]
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
    ("```sh\n\(String(repeating: "x", count: 60))\n```", ["The command: \(String(repeating: "x", count: 60))"]),
    ("```sh\n\(String(repeating: "x", count: 61))\n```", ["A one-line shell block."]),
    ("``\nls\n``", ["ls"]),
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
    ("| A | B |\n|--|--|\n|1|2|\n|3|4|\n|5|6|\n|7|8|\n|9|0|", ["1: B 2.", "3: B 4.", "5: B 6.", "7: B 8.", "9: B 0."]),
    ("|A|B|C|D|\n|1|2|3|4|", ["1: B 2, C 3, D 4."]),
    ("|A|B|C|D|E|\n|1|2|3|4|5|", ["A table of one row and five columns: A, B, C, D, E."]),
    ("|A|\n|1|2|", ["1: 2."]),
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
  let beginning = "There is a beginning of \(String(repeating: "many ", count: 20)) words, for which that is not so. "
  #expect(pieces(text, by: size, behind: beginning) == pieces(text, by: 1_000, behind: beginning))
}

@Test(
  arguments: [
    // At a clause, and before a word that begins a phrase.
    ("I looked at all of it, and none fits you.", ["I looked at all of it,", "and none fits you."]),
    ("The build failed because a file is missing.", ["The build failed,", "because a file is missing."]),
    ("I renamed the old session to make it clear.", ["I renamed the old session,", "to make it clear."]),
    // After some words anyway, if the language is one of which that is known.
    (
      "The long suite takes roughly eleven minutes here today.",
      ["The long suite takes roughly eleven minutes here today."]
    ),
    (
      "Then every single session test passed quickly again even here somehow today.",
      ["Then every single session test passed quickly again,", "even here somehow today."]
    ),
    (
      "Eins zwei drei vier fünf sechs sieben acht neun zehn.", ["Eins zwei drei vier fünf sechs sieben acht neun zehn."]
    ),
    // What is left is more than two words.
    ("I looked at it, no luck.", ["I looked at it, no luck."]),
    ("I looked at it, with no luck.", ["I looked at it,", "with no luck."]),
    ("The build fails without it now.", ["The build fails,", "without it now."]),
    ("The build fails without it.", ["The build fails without it."]),
    // Not behind an article or a preposition, in a number, a name, an abbreviation.
    ("I put it into the old one for you here.", ["I put it into the old one for you here."]),
    ("It took 4, 12 and 2.5 minutes with all tests.", ["It took 4, 12 and 2.5 minutes,", "with all tests."]),
    ("We now use Swift Package Manager for all of it.", ["We now use Swift Package Manager,", "for all of it."]),
    ("Call it dry e.g. with a second run of it.", ["Call it dry e.g. with a second run of it."]),
    // Not in code, brackets, quotations, emphasis or a link.
    (
      "Call `swift test --filter with it` and then look again.",
      ["Call `swift test --filter with it` and then look again."]
    ),
    (
      "You now see (a file because of it) and then more of it.",
      ["You now see (a file because of it),", "and then more of it."]
    ),
    (
      "It says \"no file because of it\" and then no more.",
      ["It says \"no file because of it\",", "and then no more."]
    ),
    ("See **the docs and the code** and then ask me.", ["See **the docs and the code**,", "and then ask me."]),
    (
      "See [the docs and code](http://a.b) and then ask me.",
      ["See [the docs and code](http://a.b),", "and then ask me."]
    ),
    // One or two words are no beginning: what follows them is cut, too.
    ("Done. The parser reads it, and the tests pass.", ["Done.", "The parser reads it,", "and the tests pass."]),
  ] as [(String, [String])])
func anAnswerBeginsWithAFewWordsThatBelongTogether(_ text: String, _ expected: [String]) {
  for size in [1, 3, 7] { #expect(pieces(text, by: size) == expected, "by \(size)") }
  #expect(pieces(text, by: 1_000).joined(separator: " ") == text, "what has come is not cut")
}

@Test func whatFollowsTheBeginningIsCutOnceMoreOnlyIfItIsLong() {
  let text = """
    The test fails because the timer is armed twice when the connection is cut in the middle of a long answer and nobody \
    has seen it before. I can mend that, and I would, because it is in the way.
    """
  #expect(
    pieces(text, by: 5) == [
      "The test fails,", "because the timer is armed twice,",
      "when the connection is cut in the middle of a long answer and nobody has seen it before.",
      "I can mend that, and I would, because it is in the way.",
    ])
}

@Test func theFirstPieceIsGivenOutAsSoonAsTwoMoreWordsHaveCome() {
  var chunker = SentenceChunker()
  #expect(chunker.append("The test fails because the").isEmpty)
  #expect(chunker.append(" timer") == ["The test fails,"])
  #expect(chunker.flush() == ["because the timer"])
}

@Test func anAnswerThatGoesOnAfterAToolBeginsSoonAgain() {
  var chunker = SentenceChunker()
  let text = "The build fails without a further file and nobody knows why"
  let beginning = ["The build fails,", "without a further file and nobody knows why"]
  #expect(
    chunker.append(text) + chunker.pause() == beginning)
  #expect(
    chunker.append(text) + chunker.flush() == beginning)
  #expect(chunker.append(text) + chunker.flush() == [text], "a paragraph is no pause")
}

/// Code, a row and a comment may go on without a line's end: they take no room, and what comes behind them is said.
@Test(
  arguments: [
    ("```c\n", "\n```\nNext.", ["A one-line C block.", "Next."]), ("<!-- ", "-->\nNext.", ["Next."]),
    ("<!-- ", "\nstill-->\nNext.", ["Next."]),
  ] as [(String, String, [String])])
func aLineWithoutAnEndTakesNoRoom(_ beginning: String, _ end: String, _ said: [String]) {
  var chunker = SentenceChunker()
  var pieces = chunker.append(beginning)
  for _ in 0..<200 {
    pieces += chunker.append(String(repeating: "x ", count: 100))
    #expect(chunker.waitingBytes <= 2 * Limits.spokenLineBytes)
  }
  pieces += chunker.append(end) + chunker.flush()
  #expect(pieces == said)
}

@Test func aSentenceWithoutAnEndIsCutAtAWord() {
  let result = pieces(String(repeating: "word ", count: 200), by: 1_000)
  #expect(result.count > 3)
  #expect(result.allSatisfy { $0.count <= Limits.spokenPieceCharacters && $0.hasSuffix("word") })
  let letters = pieces(String(repeating: "x", count: 2 * Limits.spokenPieceCharacters + 1), by: 1_000)
  #expect(letters.map(\.count) == [Limits.spokenPieceCharacters, Limits.spokenPieceCharacters, 1])
}

@Test(arguments: [
  ("run the tests", "Run the tests.", 100),
  ("run the tests", "delete everything", 0),
  ("", "", 100),
  ("run", "", 0),
  ("go go", "go", 66),
  ("go", "go go", 66),
  ("go and go", "go go and", 100),
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
