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
