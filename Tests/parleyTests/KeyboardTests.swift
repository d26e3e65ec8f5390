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

  /// The next key would land in it.
  @Test func noLineIsOpenedForWhatIsNotThere() {
    let lines = Keyboard.bindings.compactMap { if case .type(let purpose, _) = $0.act { purpose } else { nil } }
    #expect(lines.count == 8)
    let nothing = SessionStatus()
    func opened(_ status: SessionStatus, _ controls: AgentControls = .init()) -> [String] {
      lines.filter { $0.hasSubject(status, controls) }.map(\.label)
    }
    // An instruction can always be typed, one with a slash too, and a new session begun.
    let always = ["say", "say", Keyboard.Purpose.session.label]
    #expect(opened(nothing) == always)
    var held = nothing
    held.held = 1
    #expect(Set(opened(held)).subtracting(always) == [Keyboard.Purpose.reason.label])
    held.asksQuestion = true
    #expect(Set(opened(held)).subtracting(always) == [Keyboard.Purpose.reason.label, Keyboard.Purpose.answer.label])
    var allowed = nothing
    allowed.approvals = 1
    #expect(Set(opened(allowed)).subtracting(always) == [Keyboard.Purpose.approval.label])
    let controls = AgentControls(mode: .init(current: "ask", offered: ["ask", "plan"]))
    #expect(Set(opened(nothing, controls)).subtracting(always) == [Keyboard.Purpose.setting(.mode).label])
    // And either the session is asked, which tells what there is not, or the keyboard tells it.
    for purpose in lines where !purpose.hasSubject(nothing, .init()) {
      #expect(purpose.lack != nil || purpose.opening != nil, "\(purpose)")
    }
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
