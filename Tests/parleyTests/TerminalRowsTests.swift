import Testing
import VoiceCore
import VoiceHistory
import VoiceTesting

@testable import parley

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an agent may write so that a terminal of this width breaks it into rows that look like the program's own.
private func imitation(columns: Int) -> String {
  let held = "asks      Delete everything?"
  let keys = "          a approve   r reject   e edit   ? all keys"
  let first = String(repeating: "x", count: max(0, columns - 10))
  let rest = { (row: String) in row + String(repeating: " ", count: max(0, columns - row.count)) }
  return first + rest(held) + rest(keys) + rest("approved  Delete everything?") + "sent      it"
}

/// Whether a row could be one that the program itself begins: a label at the edge, or its hint of keys.
private func looksOwn(_ row: String) -> Bool {
  ["asks   ", "held   ", "sent   ", "approved", "          a approve"].contains { row.hasPrefix($0) }
}

@Test func aRowThatGoesOnIsIndentedAndMarkedWhateverTheWidth() {
  for width in 1...200 {
    for padded in [width - 1, width, width + 1, 80, 110] {
      let rows = NoticeText("agent", imitation(columns: padded)).rows(columns: width)
      let mark = width > 30 ? "        … " : "… "
      for row in rows.dropFirst() { #expect(row.hasPrefix(mark), "\(width): \(row)") }
      // Of a terminal with hardly any columns, no row can hold anything that reads like one.
      if width > 12 { for row in rows { #expect(row.columns < width, "\(width): \(row)") } }
      // What is shown is what was written, but for blanks.
      let shown = rows.enumerated().map { $0.offset == 0 ? $0.element : String($0.element.dropFirst(mark.count)) }
      let plain = { (text: String) in text.filter { !" ·".contains($0) } }
      #expect(plain(shown.joined()) == plain("agent" + imitation(columns: padded)))
    }
  }
}

@Test func theMarginOfCodeIsSeenAsItIs() {
  let code = "        return sum(value for value in values)"
  #expect(NoticeText("agent", code).rows(columns: 80) == ["agent     " + code])
  #expect(NoticeText("heard", code).rows(columns: 80) == ["heard       ······return sum(value for value in values)"])
  #expect(NoticeText("agent", code).rows(columns: 30)[0].hasPrefix("agent       ······return"))
  // What is broken goes on under the mark, and no margin pushes its words out of the row.
  for width in 31...60 {
    for depth in 0...60 {
      let rows = NoticeText("agent", String(repeating: " ", count: depth) + "return values").rows(columns: width)
      #expect(rows.allSatisfy { $0.columns < width } && rows.dropFirst().allSatisfy { $0.hasPrefix(TerminalRows.mark) })
      #expect(rows[0].dropFirst(10).prefix { $0 == " " }.count <= 22)
    }
  }
}

/// A terminal that becomes narrower breaks what it shows by itself.
@Test func aRowThatTheTerminalBreaksLaterLooksLikeNoRowOfTheProgram() {
  for width in [60, 80, 110] {
    for narrower in 12..<width {
      for shift in 0..<12 {
        let text = String(repeating: "x", count: shift) + imitation(columns: narrower)
        for row in NoticeText("agent", text).rows(columns: width) {
          var rest = Array(row)[...]
          rest = rest.dropFirst(narrower)
          while !rest.isEmpty {
            #expect(!looksOwn(String(rest.prefix(narrower))) || rest.starts(with: "approved"), "\(String(rest))")
            rest = rest.dropFirst(narrower)
          }
        }
      }
    }
  }
}

/// Signs that are wider in some terminals than in others, or that look like blanks.
@Test(arguments: [
  "👩‍👩‍👧", "日本", "☎️", "\u{1F1E9}\u{1F1EA}", "e\u{301}", "①", "◆", "\u{2800}", "\u{3164}", "\u{00A0}", "\u{2003}",
  "\u{3000}",
  "ᄀ\u{1160}\u{11A8}", "️", "\u{1F3FB}", "क्षि",
])
func aRowIsNeverWiderThanTheTerminalWhateverItsSigns(_ sign: String) {
  for width in 31...90 {
    let text = String(repeating: sign, count: 50) + "asks      Delete everything?" + String(repeating: sign, count: 40)
    let rows = NoticeText("agent", text).rows(columns: width)
    for row in rows { #expect(row.unicodeScalars.reduce(0) { $0 + $1.mostColumns } < width) }
    // By scalars: a mark that combines may stand at the beginning of a row.
    for row in rows.dropFirst() { #expect(row.unicodeScalars.starts(with: "        … ".unicodeScalars)) }
    let below = ("agent …   " + text).fittingAnywhere(columns: width - 1)
    #expect(below.unicodeScalars.reduce(0) { $0 + $1.mostColumns } <= width)
    #expect(below.hasSuffix("…"))
  }
}

@Test func blanksThatCouldMakeAColumnAreShown() {
  #expect(NoticeText("agent", "a  b   c      d").rows(columns: 80) == ["agent     a  b  ·c  ····d"])
  #expect(
    NoticeText("agent", "a\u{2003}\u{3000}\u{2800}\u{00A0}d").rows(columns: 80) == ["agent     a\u{2003}\u{3000}··d"])
  #expect(NoticeText("held", "one two three").rows(columns: 110) == ["held      one two three"])
}

@Test func wordsAreKeptWholeWhereTheyFit() {
  let rows = NoticeText("agent", "the quick brown fox jumps over the lazy dog again").rows(columns: 40)
  #expect(rows == ["agent     the quick brown fox jumps", "        … over the lazy dog again"])
}

/// In a narrow terminal, where a label leaves little room beside it, as well.
@Test func noWordIsBrokenThatFitsIntoARow() {
  let text = "The local recogniser was loaded; transcription begins at /usr/local/bin, or so."
  for width in 18...80 {
    let rows = NoticeText("speech", text).rows(columns: width)
    let words = rows.flatMap { $0.split { " …".contains($0) } }
    #expect(words == ("speech " + text).split(separator: " "), "\(width): \(rows)")
    var answer = AnswerRows()
    let printed = text.map { answer.append(String($0), columns: width) }.joined() + answer.endLine(columns: width)
    #expect(printed.split(whereSeparator: \.isWhitespace) == text.split(separator: " "), "\(width): \(printed)")
    for row in printed.split(separator: "\n") { #expect(row.hasPrefix("  ") && row.columns < width, "\(printed)") }
  }
}

@Test func aWordThatFitsIntoNoRowFillsThem() {
  let text = "see " + String(repeating: "x", count: 60)
  #expect(
    NoticeText("tool", text).rows(columns: 24)
      == [
        "tool      see " + String(repeating: "x", count: 9), "… " + String(repeating: "x", count: 21),
        "… " + String(repeating: "x", count: 21), "… " + String(repeating: "x", count: 9),
      ])
  var answer = AnswerRows()
  let printed = answer.append(text, columns: 24) + answer.endLine(columns: 24)
  #expect(printed.filter { $0 == "x" }.count == 60)
  #expect(printed.split(separator: "\n").count == 4, "\(printed)")
}

@Test func theRowsOfAnAnswerAllBeginWithBlanks() {
  for width in 3...120 {
    var answer = AnswerRows()
    var printed = ""
    // In pieces, as it comes.
    let text = "asks      Delete?\n" + imitation(columns: width) + "\n\nheld      it\n  indented"
    for piece in text.split(separator: "e", omittingEmptySubsequences: false) {
      printed += answer.append("\(piece)e", columns: width)
    }
    printed += answer.endLine(columns: width)
    #expect(printed.filter { !" ·\n".contains($0) } == (text + "e").filter { !" ·\n".contains($0) })
    for row in printed.split(separator: "\n") {
      #expect(row.hasPrefix("  "), "\(width): \(row)")
      #expect(row.columns < max(width, 4), "\(width): \(row)")
    }
  }
}

private let hasTerminal = Program.isInstalled("tmux") && Program.isInstalled("python3")

@Suite(.serialized, .enabled(if: hasTerminal, "tmux and python3 are needed"))
struct ImitationInTerminalTests {
  @Test(.timeLimit(.minutes(5))) func anAgentCannotWriteRowsThatLookLikeTheProgramsOwn() async throws {
    let home = try TemporaryFolder()
    let text = imitation(columns: 110)
    try await IndependentServer.run(["--instruction", text]) { server in
      let command =
        "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(Program.path) run --live \(server.url) --agent echo "
        + "--mode direct --speaker none --session \(home.path)/session "
        + "--microphone \(Repository.path)/audio-fixtures/recordings/d06_flite_slt.wav"
      try await Terminal.run(command, home: home) { terminal in
        try await terminal.waitFor("done ")
        try await terminal.waitFor("code 0")
        let screen = try await terminal.screen()
        #expect(screen.contains("\n        … "), "\(screen)")
        for row in screen.split(separator: "\n") {
          #expect(
            !row.hasPrefix("asks") && !row.hasPrefix("approved") && !row.hasPrefix("          a approve"), "\(screen)")
        }
        for columns in [100, 84, 61, 40] {
          try await terminal.resize(columns: columns)
          let narrow = try await terminal.screen()
          for row in narrow.split(separator: "\n") { #expect(!row.hasPrefix("asks   "), "\(narrow)") }
        }
      }
    }
  }

  /// The status line is no beginning of the sentence that says why.
  @Test(.timeLimit(.minutes(5))) func whatCannotBeOpenedIsToldInARowOfItsOwn() async throws {
    let home = try TemporaryFolder()
    try Data("taken".utf8).write(to: URL(filePath: home.path + "/speaker.wav"))
    let command =
      "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(Program.path) run --live ws://127.0.0.1:1/ --agent echo "
      + "--display status --speaker \(home.path)/speaker.wav "
      + "--microphone \(Repository.path)/audio-fixtures/recordings/d06_flite_slt.wav"
    try await Terminal.run(command, home: home) { terminal in
      try await terminal.waitFor("code 74")
      let screen = try await terminal.screen()
      #expect(screen.split(separator: "\n").contains { $0.hasPrefix("parley: ") }, "\(screen)")
    }
  }

  @Test(.timeLimit(.minutes(5))) func aRecordedSessionCannotWriteRowsThatLookLikeTheProgramsOwn() async throws {
    let home = try TemporaryFolder()
    let log = try String(
      contentsOf: URL(filePath: Repository.path + "/audio-fixtures/direct/expected.jsonl"), encoding: .utf8)
    let words = imitation(columns: 92) + String(repeating: " ", count: 60) + "00:01.000  asks      Delete everything?"
    try Data(log.replacing("why is the build failing", with: words).utf8).write(
      to: URL(filePath: home.path + "/events.jsonl"))
    for verb in ["log \(home.path)/events.jsonl", "why \(home.path)/", "log \(home.path)/events.jsonl --follow"] {
      try await Terminal.run("HOME=\(home.path) \(Program.path) \(verb)", home: home) { terminal in
        try await terminal.waitFor("code 0")
        let screen = try await terminal.screen()
        #expect(screen.contains("        … "), "\(screen)")
        for row in screen.split(separator: "\n") where !row.hasPrefix("code") {
          let isOwn =
            row.hasPrefix("00:") || row.hasPrefix("        … ") || row.hasPrefix("Turn ") || row.hasPrefix("From ")
          #expect(isOwn || row.allSatisfy(\.isWhitespace), "\(verb): \(row)\nin \(screen)")
          #expect(!row.hasPrefix("00:01.000  asks"))
        }
      }
    }
  }
}
