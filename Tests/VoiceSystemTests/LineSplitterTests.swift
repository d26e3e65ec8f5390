import Testing
import VoiceSystem

struct LineSplitterTests {
  @Test(arguments: [1, 2, 3, 100])
  func linesAreCutAtLineFeedsOnly(_ step: Int) {
    var splitter = LineSplitter(limit: 1 << 20)
    var pieces: [LineSplitter.Piece] = []
    let bytes = Array("one\r\n\n\r\ntwo\u{2028}\u{85}more\nrest".utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      pieces += splitter.append(Array(bytes[start..<min(start + step, bytes.count)]))
    }
    #expect(pieces == [.line(Array("one".utf8)), .line(Array("two\u{2028}\u{85}more".utf8))])
    #expect(splitter.finish() == .line(Array("rest".utf8)) && splitter.finish() == nil)
  }

  @Test func aLineBeyondTheLimitIsToldOnceAndTheNextOneIsRead() {
    var splitter = LineSplitter(limit: 4)
    let pieces = splitter.append(Array("12345".utf8)) + splitter.append(Array("67\nok\n".utf8))
    #expect(pieces == [.overlong, .line(Array("ok".utf8))])
    #expect(splitter.append(Array("12345".utf8)) == [.overlong] && splitter.finish() == nil)
  }
}
