import Testing
import VoiceTesting
import VoiceVocabulary

@testable import parley

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct KeyboardTests {
  private let readme: [Substring]

  init() throws {
    let text = try String(contentsOfFile: "\(Repository.path)/README.md", encoding: .utf8)
    readme = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func noKeyDoesTwoThings() {
    let keys = Keyboard.bindings.flatMap(\.keys)
    #expect(keys.count == Set(keys).count)
  }

  @Test func theHelpFitsOnASmallScreen() {
    #expect(Keyboard.help(columns: 80).count <= 22)
    for columns in 16...120 {
      let rows = Keyboard.help(columns: columns)
      for row in rows { #expect(row.columns < min(columns, 80), "\(columns): \(row)") }
      let words = rows.flatMap { $0.split { " …".contains($0) } }
      #expect(words == Keyboard.help(columns: 80).flatMap { $0.split(separator: " ") }, "\(columns)")
    }
  }

  @Test(arguments: [(80, 24, 1), (60, 24, 2), (40, 24, 3), (40, 100, 1), (20, 10, nil), (20, 3, nil)])
  func theHelpIsShownInPagesThatFit(_ columns: Int, _ rows: Int, _ count: Int?) {
    let (whole, pages) = (Keyboard.help(columns: columns), Keyboard.helpPages(columns: columns, rows: rows))
    if let count { #expect(pages.count == count) }
    guard pages.count > 1 else { return #expect(pages == [whole]) }
    // Nothing is left out, nor shown twice.
    let places = pages.map { page in page.lastIndex { $0.contains("turns") } ?? page.endIndex }
    #expect(zip(pages, places).flatMap { $0[..<$1] } == whole)
    if rows > 3 { #expect(pages.allSatisfy { $0.count <= rows - 2 }) }
    for row in pages.joined() { #expect(row.columns < columns, "\(row)") }
    guard columns > 30 else { return }
    for (number, page) in pages.enumerated() {
      #expect(page.last?.trimmingWhitespace() == "? turns the page (\(number + 1) of \(pages.count))")
    }
  }

  @Test func whoTypesQuitIsAskedAsByTheKey() {
    for text in ["quit", " Quit "] { #expect(Keyboard.Purpose.instruction.command(text) == .leave) }
    for text in ["quit it", "say quit", "approve"] {
      #expect(Keyboard.Purpose.instruction.command(text) == .say(text: text))
    }
    #expect(Keyboard.Purpose.answer.command("quit") == .answer(text: "quit"))
  }

  @Test func readmeHasTheKeysThatThereAre() {
    let table = readme.drop { $0 != "| keys | |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let keys = table.compactMap { $0.split(separator: "|").first }.flatMap { $0.split { " ,`".contains($0) } }
    #expect(keys.filter { $0 != "or" }.sorted() == Keyboard.bindings.flatMap(\.names).map { $0[...] }.sorted())
  }

  @Test func readmeHasTheLinesThatThereAre() {
    let paragraph = readme.drop { !$0.hasPrefix("**Without a terminal**") }.prefix { !$0.isEmpty }
    let code = paragraph.joined(separator: " ").split(separator: "`", omittingEmptySubsequences: false).enumerated()
    let words = code.filter { $0.offset % 2 == 1 }.compactMap { $0.element.split(separator: " ").first }
    #expect(
      words.filter { !$0.hasPrefix("--") }.sorted() == UserCommand.grammar.map { $0.prefix { $0 != " " } }.sorted())
  }
}
