import Testing
import VoiceHistory
import VoiceVocabulary

@testable import parley

private func keys(_ text: String) -> [Key] {
  var decoder = KeyDecoder()
  return decoder.keys(Array(text.utf8))
}

private func edit(_ text: String, _ keys: Key...) -> LineEditor {
  var editor = LineEditor(text)
  for key in keys { _ = editor.press(key) }
  return editor
}

struct KeyDecoderTests {
  @Test(arguments: [
    ("a", [Key.character("a")]), ("é", [.character("é")]), ("👩‍👩‍👧x", [.character("👩‍👩‍👧"), .character("x")]),
    ("\r", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{7}", [.control("g")]), ("\u{1F}", [.control("_")]),
    ("\u{1B}", [.escape]), ("\u{1B}[A\u{1B}[D\u{1B}OC", [.up, .left, .right]),
    ("\u{1B}[3~\u{1B}[H\u{1B}[4~", [.delete, .home, .end]),
    ("\u{1B}[1;5D\u{1B}[1;3C", [.wordLeft, .wordRight]), ("\u{1B}b\u{1B}\u{7F}", [.meta("b"), .deleteWordBack]),
    ("\u{1B}[Z", [.backTab]), ("\u{1B}[?62c", []), ("\u{1B}[99;9X", []),
    // The kitty keyboard protocol: press, repeat, release, with text.
    ("\u{1B}[97;;97u", [.character("a")]), ("\u{1B}[97;2;65u", [.character("A")]), ("\u{1B}[97;1:3u", [.released("a")]),
    ("\u{1B}[32;1:1;32u\u{1B}[32;1:3u", [.character(" "), .released(" ")]),
    ("\u{1B}[32;1:2;32u\u{1B}[97;1:2u", [.repeated(" "), .repeated("a")]), ("\u{1B}[99;5u", [.control("c")]),
    ("\u{1B}[27u\u{1B}[13u\u{1B}[9;2u\u{1B}[127u", [.escape, .enter, .backTab, .backspace]), ("\u{1B}[57441;2u", []),
    ("\u{1B}[1;1:3D", []), ("\u{1B}[?27u", []), ("\u{1B}[1;-9223372036854775808A", [.up]),
    // A sequence without its end waits for nothing that a person presses then.
    ("\u{1B}[\u{7}", [.meta("["), .control("g")]), ("\u{1B}[12\u{3}", [.control("c")]),
    ("\u{1B}[\u{1B}[A", [.meta("["), .up]),
  ])
  func bytesBecomeKeys(_ text: String, _ expected: [Key]) { #expect(keys(text) == expected) }

  @Test func aLetterStaysWholeWhereverItsBytesAreParted() {
    let text = "да日本 🎉é"
    let (bytes, letters) = (Array(text.utf8), text.map { Key.character($0) })
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let found = decoder.keys(Array(bytes[..<cut])) + decoder.keys(Array(bytes[cut...]))
      #expect(found == letters, "cut at \(cut)")
    }
    var decoder = KeyDecoder()
    var found: [Key] = []
    for byte in bytes { found += decoder.keys([byte]) }
    #expect(found == letters)
    // What no more bytes could make a letter is not waited for.
    #expect(decoder.keys([0xD0, 0x61]) == [.character("\u{FFFD}"), .character("a")])
  }

  @Test func aPasteIsOnePieceHoweverItArrives() {
    var decoder = KeyDecoder()
    var found: [Key] = []
    for byte in "\u{1B}[200~a\r\u{1B}[A ü\u{1B}[201~x".utf8 { found += decoder.keys([byte]) }
    // Byte by byte, the first escape byte is the Escape key; the rest of it is text.
    var whole = KeyDecoder()
    #expect(whole.keys(Array("\u{1B}[200~a\r".utf8)).isEmpty)
    #expect(whole.keys(Array("\u{1B}[A ü\u{1B}[2".utf8)).isEmpty)
    #expect(whole.keys(Array("01~x".utf8)) == [.paste("a\r\u{1B}[A ü"), .character("x")])
    #expect(found.first == .escape)
  }

  /// The end of a paste may be lost with a connection: who gives it up has the keys again, and what was pasted.
  @Test(arguments: [("\u{3}", Key.control("c")), ("\u{7}", .control("g"))])
  func aPasteWithoutItsEndIsGivenUp(_ byte: String, _ key: Key) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(Array("\u{1B}[200~run\u{3} all".utf8)) == [])
    #expect(decoder.keys(Array(" tests".utf8)) == [])
    #expect(decoder.keys(Array(byte.utf8)) == [.paste("run\u{3} all tests"), key])
    #expect(decoder.keys(Array("a".utf8)) == [.character("a")])
  }

  @Test func aSequenceThatNeverEndsIsDropped() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(Array("\u{1B}[".utf8) + [UInt8](repeating: 0x31, count: 100)).isEmpty)
    #expect(decoder.keys([0x61]) == [.character("a")])
  }

  /// Whatever came before, the next key is the key that is pressed.
  @Test func noBytesBreakIt() {
    var random: UInt64 = 7
    for _ in 0..<2_000 {
      var decoder = KeyDecoder()
      for _ in 0..<20 {
        var bytes: [UInt8] = []
        for _ in 0..<12 {
          random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let value = UInt8(truncatingIfNeeded: random >> 33)
          bytes.append(value % 3 == 0 ? 0x1B : value % 3 == 1 ? 0x5B : value)
        }
        _ = decoder.keys(bytes)
      }
      #expect(decoder.keys([0x03]).last == .control("c"))
      #expect(decoder.keys([0x61]) == [.character("a")])
    }
  }
}

struct LineEditorTests {
  @Test func theUsualKeysDoTheUsualThings() {
    #expect(edit("one two three", .control("w")).text == "one two ")
    #expect(edit("one two.three", .deleteWordBack).text == "one two.")
    #expect(edit("one two", .control("a"), .meta("d")).text == " two")
    #expect(edit("one two", .control("a"), .meta("f"), .control("k")).text == "one")
    #expect(edit("one two", .meta("b"), .control("u")).text == "two")
    #expect(edit("one two", .control("u"), .character("x"), .control("y")).text == "xone two")
    #expect(edit("ab", .control("t")).text == "ba")
    #expect(edit("ab", .left, .control("d")).text == "a")
    #expect(edit("ab", .home, .delete, .end, .backspace).text == "")
    #expect(edit("one two", .control("w"), .control("w"), .control("_"), .control("_")).text == "one two")
    #expect(edit("a", .paste("b\nc\u{1B}[2J")).text == "ab c[2J")
    #expect(edit("a", .up, .tab, .released("a"), .meta("x")).text == "a")
  }

  @Test(arguments: [Key.escape, .control("g"), .control("c")]) func aKeyDropsTheChange(_ key: Key) {
    var editor = LineEditor("a")
    #expect(editor.press(key) == .dropped)
  }

  @Test func whatIsShownFitsAndHoldsTheCursor() {
    let long = String(repeating: "word ", count: 100) + "日本語 🎉 שלום"
    for start in [0, 3, 250, 500, 512] {
      var editor = LineEditor(long)
      _ = editor.press(.home)
      for _ in 0..<start { _ = editor.press(.right) }
      for columns in [8, 20, 79] {
        let window = editor.window(columns: columns)
        #expect(window.text.columns <= columns, "\(window) in \(columns)")
        #expect(window.cursorColumn <= columns)
      }
    }
    #expect(LineEditor("short").window(columns: 20) == ("short", 5))
  }

  @Test func whatElseWasHeardIsShownOneAfterTheOtherAndTakenBack() {
    var editor = LineEditor("clear the cash", alternatives: ["clear the cache", "clear the catch"])
    func next() -> String? { editor.showNextAlternative() ? editor.text : nil }
    #expect(
      [next(), next(), next(), next()] == [
        "clear the cache", "clear the catch", "clear the cash", "clear the cache",
      ])
    _ = editor.press(.control("_"))
    #expect(editor.text == "clear the cash")
    editor = LineEditor("clear the cash")
    #expect(next() == nil)
  }

  /// What a terminal does not mark as pasted comes as keys.
  @Test func aLineThatIsTooLongIsNotKept() {
    let long = String(repeating: "x", count: Limits.instructionCharacters)
    var editor = LineEditor(long)
    #expect(editor.press(.enter) == .kept(long))
    for _ in 0..<3 { _ = editor.press(.character("é")) }
    #expect(editor.press(.enter) == .refused)
    #expect(editor.text == long + "é")
    _ = editor.press(.backspace)
    #expect(editor.press(.enter) == .kept(long))
  }

  /// A part of it would be sent for the whole.
  @Test(arguments: [(0, false), (1, true)]) func whatIsPastedIsTakenWholeOrNotAtAll(_ more: Int, _ isRefused: Bool) {
    let text = String(repeating: "x", count: Limits.instructionCharacters - 2 + more)
    for (before, pasted) in [("ab", text), ("é", text)] {
      var editor = LineEditor(before)
      let outcome = editor.press(.paste(pasted))
      #expect(outcome == (isRefused ? .refused : .editing))
      #expect(editor.text == (isRefused ? before : before + pasted))
    }
  }
}

struct ScreenTextTests {
  @Test(arguments: [("abc", 3), ("日本", 4), ("🎉", 2), ("👩‍👩‍👧", 2), ("é", 1), ("e\u{301}", 1), ("שלום", 4), ("\u{200B}", 0)])
  func columnsAreCounted(_ text: String, _ columns: Int) { #expect(text.columns == columns) }

  @Test func aLongLineEndsWithAnEllipsis() {
    #expect("abcdef".fitting(columns: 6) == "abcdef")
    #expect("abcdefg".fitting(columns: 6) == "abcde…")
    #expect("日本語日本語".fitting(columns: 6).columns <= 6)
  }

  @Test(arguments: [
    ("a\u{1B}[2Jb", "a[2Jb"), ("a\u{9B}2Jb", "a2Jb"), ("\u{1B}]0;owned\u{7}x", "]0;ownedx"), ("a\rb\nc\td", "a b c d"),
    ("safe\u{202E}fas", "safefas"), ("🎉 שלום", "🎉 שלום"), ("a\u{0}b\u{7F}c", "abc"),
  ])
  func nothingDrivesTheTerminal(_ text: String, _ shown: String) { #expect(text.sanitized() == shown) }

  /// Of an answer, the parameters are no words; of what somebody decides about they stay, as everything that looks like words.
  @Test(arguments: [
    ("\u{1B}[1;31mred\u{1B}[0m", "red"), ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
    ("a\u{9B}2Jb", "ab"), ("a\u{1B}[", "a\u{1B}["), ("a\u{1B}[3é", "a\u{1B}[3é"), ("\u{1B}]no end", "\u{1B}]no end"),
    ("\u{1B}", "\u{1B}"), ("a\u{1B}]x\nb", "a\u{1B}]x\nb"), ("plain", "plain"),
  ])
  func anAnswerIsShownWithoutWhatColoursIt(_ text: String, _ plain: String) {
    #expect(text.withoutTerminalSequences == plain)
    var lines = AgentLines()
    #expect((lines.append(text) + lines.flush()).map(\.text).joined(separator: " ") == plain.sanitized())
    let instruction = Instruction(id: .init(rawValue: 1), text: text, heard: nil, source: .keyboard)
    let item = HeldItem(id: .init(rawValue: 1), content: .instruction(instruction: instruction), since: .zero)
    #expect(NoticeText(.held(item: item, position: 1))?.text == text.sanitized())
  }

  /// Only what is left out is said to be: of hidden characters nothing is missed.
  @Test(arguments: [
    ("abc", "abc"), ("abcd", "abc…"), ("abc\u{7}", "abc"), ("ab\nc", "ab …"), ("", ""),
  ])
  func aTextIsCutBehindItsLimit(_ text: String, _ shown: String) { #expect(text.sanitized(limit: 3) == shown) }

  @Test func theStatusLineTellsWhatIsGoingOn() {
    var line = StatusLine()
    line.session.activity = .working
    line.session.isWorking = true
    line.session.held = 2
    line.session.usage = SessionUsage()
    line.session.usage?.agent = .init(input: 1, output: 1234)
    line.session.usage?.agentCostInDollars = 0.1
    line.peak = 32_767
    line.tick()
    #expect(line.text == "working | review | ######## | 0:00 | run 0:00 | held 2 | $0.10 | 1234 tokens")
    for _ in 0..<304 { line.tick() }
    #expect(line.text.hasPrefix("working | review | -------- | 1:01 | run 1:01"))
    line.session.duplex = .half
    #expect(line.text.hasPrefix("working | review | -------- | 1:01 | half duplex | run 1:01"))
    line.session.duplex = .drowned
    #expect(line.text.hasPrefix("working | review | -------- | 1:01 | loudspeaker too loud | run 1:01"))
    line.session.duplex = .full
    #expect(line.text.hasPrefix("working | review | -------- | 1:01 | run 1:01"))
    #expect(line.streaming(agent: "") == nil)
    #expect(line.streaming(agent: "half a\u{1B}[2J") == "agent …   half a[2J")
    line.session.isListening = false
    line.peak = 32_767
    line.tick()
    #expect(line.text.hasPrefix("working | review | mic off  | 1:01"))
    line.session.transcript = "run the"
    #expect(line.streaming(agent: "half") == "you …     run the")
    line.session.transcript = "run the tests that failed\u{1B}[2J yesterday"
    #expect(line.streaming(agent: "", columns: 31) == "you …     … failed[2J yesterday")
    line.session.transcript = String(repeating: "word ", count: 400) + "end"
    #expect(line.streaming(agent: "", columns: 22) == "you …     … word end")
  }
}
