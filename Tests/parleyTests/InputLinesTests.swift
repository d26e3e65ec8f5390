import Testing

@testable import parley

struct InputLinesTests {
  private var lines = InputLines()

  private mutating func append(_ text: String) -> [InputLines.Piece] { lines.append(Array(text.utf8)[...]) }

  @Test mutating func linesEndWhereTheyEndHoweverTheyCome() {
    #expect(append("app") == [])
    #expect(append("rove\n\nqu") == [.line("approve"), .line("")])
    #expect(append("it\n") == [.line("quit")])
    #expect(lines.finish() == [])
    #expect(append("halt") == [])
    #expect(lines.finish() == [.line("halt")])
  }

  /// However much comes, no more of it is kept.
  @Test mutating func aLineThatIsTooLongIsToldOnceAndDropped() {
    let part = String(repeating: "x", count: InputLines.longest / 2 + 1)
    #expect(append(part) == [])
    #expect(append(part) == [.tooLong])
    #expect(append(part) == [] && append(part) == [])
    #expect(append("x\nquit\n") == [.line("quit")])
  }
}
