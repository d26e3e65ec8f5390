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
    #expect(Keyboard.help.count <= 22)
    for row in Keyboard.help { #expect(row.columns <= 68, "\(row)") }
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
