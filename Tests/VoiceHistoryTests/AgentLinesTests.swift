import Testing
import VoiceHistory
import VoiceVocabulary

/// What is shown of pieces that arrive one by one, and what is left when something else is shown.
private func shown(_ pieces: String...) -> (lines: [String], rest: String) {
  var gatherer = AgentLines()
  let lines = pieces.flatMap { gatherer.append($0) }.map(\.text)
  return (lines, gatherer.rest)
}

struct AgentLinesTests {
  @Test func aLineIsASentenceOrARow() {
    #expect(shown("One. Two! Three? Four\nFive").lines == ["One.", "Two!", "Three?", "Four"])
    #expect(shown("One. Two").rest == " Two")
  }

  @Test func aStopInsideAWordEndsNothing() {
    #expect(shown("Swift 6.2 reads a.swift and ").lines == [])
  }

  /// Whether a stop ends a sentence shows in the next piece.
  @Test func aStopAtTheEndOfAPieceWaitsForTheNext() {
    #expect(shown("Version 6", ".", "2 is out", ".", " It runs").lines == ["Version 6.2 is out."])
  }

  @Test func theNumberOfAnItemIsNoSentence() {
    #expect(
      shown("Run it. 1. First. 2. Second.\n10. Tenth.\n").lines == ["Run it.", "1. First.", "2. Second.", "10. Tenth."])
    #expect(
      shown("1", ".", " First. The answer is 42. 2024. Then").lines == ["1. First.", "The answer is 42.", "2024."])
  }

  /// In code the margin has a meaning, and a stop has none.
  @Test func codeStaysInItsRowsAndKeepsItsMargin() {
    let answer = "  So.  It is:\n\n```python\ndef f(x):\n    # Twice. Really.\n\treturn x\n\n```\n  Done. Now."
    let code = ["```python", "def f(x):", "    # Twice. Really.", "    return x", "```"]
    let whole = ["So.", "It is:"] + code + ["Done."]
    #expect(shown(answer).lines == whole)
    var gatherer = AgentLines()
    #expect(answer.flatMap { gatherer.append(String($0)) }.map(\.text) == whole)
    #expect(whole.map { NoticeText("agent", $0).indent } == [0, 0, 0, 0, 4, 4, 0, 0])
    #expect(NoticeText("held", "    x").indent == 0)
  }

  @Test func aFenceIsClosedByItsLike() {
    let answer = "~~~~\n  a\n~~~\n  ```\n~~~~ x\n  b\n  ~~~~~\n  c\n```no `fence\n  d\n"
    #expect(shown(answer).lines == ["~~~~", "  a", "~~~", "  ```", "~~~~ x", "  b", "~~~~~", "c", "```no `fence", "d"])
    #expect(shown("See ```\n  a. b\n").lines == ["See ```", "a.", "b"])
  }

  /// An answer may break off in its code.
  @Test func theNextAnswerIsNoCode() {
    let (run, other) = (RunID(rawValue: 1), Notice.agentStatus(text: "busy"))
    var gatherer = AgentLines()
    #expect(gatherer.append("```\n  a\n").count == 2)
    #expect(gatherer.flush(before: other).isEmpty && gatherer.append("  b. c\n").map(\.text) == ["  b. c"])
    #expect(gatherer.flush(before: .runEnded(run: run, end: .cancelled)).isEmpty)
    #expect(gatherer.append("  b. c\n").map(\.text) == ["b.", "c"])
  }

  @Test func blankRowsAreNoLines() { #expect(shown("a\n\n \n\nb\n").lines == ["a", "b"]) }

  @Test func aTextWithoutAnEndIsCutAtABlank() {
    let word = String(repeating: "a", count: 99) + " "
    let (lines, rest) = shown(String(repeating: word, count: 2 * Limits.shownLineBytes / 100))
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.utf8.count < Limits.shownLineBytes && $0.utf8.count.isMultiple(of: 100) == false })
    #expect(lines.joined().count + rest.count > Limits.shownLineBytes)
    #expect(lines.allSatisfy { $0.split(separator: " ").allSatisfy { $0.count == 99 } })
  }

  @Test func aWordWithoutAnEndIsCutWhereItIsTooLong() {
    let (lines, rest) = shown(String(repeating: "a", count: Limits.shownLineBytes + 7))
    #expect(lines.map(\.utf8.count) == [Limits.shownLineBytes])
    #expect(rest.count == 7)
  }

  @Test func whatIsLeftIsToldOnce() {
    var gatherer = AgentLines()
    _ = gatherer.append("not yet over")
    #expect(gatherer.flush().map(\.text) == ["not yet over"])
    #expect(gatherer.flush().isEmpty && gatherer.rest.isEmpty)
  }
}

// MARK: Lines in colour

@Test(arguments: [
  (Notice.error(text: "no"), "\u{1B}[31m"), (.warning(text: "no"), "\u{1B}[31m"),
  (.runEnded(run: .init(rawValue: 1), end: .failed(reason: "no")), "\u{1B}[31m"),
  (.runEnded(run: .init(rawValue: 1), end: .unconfirmed(reason: "no")), "\u{1B}[31m"), (.heard(text: "no"), ""),
  (
    .held(
      item: HeldItem(
        id: .init(rawValue: 1),
        content: .instruction(
          instruction: Instruction(id: .init(rawValue: 1), text: "no", heard: nil, source: .keyboard)), since: .zero),
      position: 1), "\u{1B}[33m"
  ),
])
func whatNeedsTheUserAndWhatFailedHasAColour(_ notice: Notice, _ colour: String) throws {
  let text = try #require(NoticeText(notice))
  #expect(!text.line.contains("\u{1B}"))
  #expect(text.coloured(text.line) == (colour.isEmpty ? text.line : colour + text.line + "\u{1B}[0m"))
}

@Test func whatIsRightAsItIsIsNotToldAsACorrection() {
  #expect(
    NoticeText(.learned(correction: Correction(heard: "u", meant: "u")))?.text == "“u” is right as it is.")
}
