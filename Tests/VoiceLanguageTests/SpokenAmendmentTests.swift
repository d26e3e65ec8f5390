import Testing
import VoiceLanguage
import VoiceVocabulary

/// What is held and what is said of it are seldom written alike.
struct SpokenAmendmentTests {
  private let repair = WordRepair(ProjectWords(names: ["Package.swift", "hello.py", "user_id", "ErrorMessage"]))

  private func amended(_ held: String, _ said: String) throws -> String? {
    let amendment = try #require(SpokenAmendment(utterance: said))
    return amendment.applied(to: held, with: repair)
  }

  @Test(
    arguments: [
      ("open hello.py and explain it", "change hello dot pie to parser dot pie", "open parser dot pie and explain it"),
      ("open hello.py and explain it", "Change hello.py to package dot swift.", "open Package.swift and explain it"),
      ("Open hello dot rb.", "Change hello.rb to parser.rb.", "Open parser.rb."),
      ("Use the read-only mode.", "Change read-only to write.", "Use the write mode."),
      ("Use the read-only mode.", "change read only to write", "Use the write mode."),
      ("Use the read only mode.", "Change read-only to write.", "Use the write mode."),
      ("Use user_id there.", "Change user_id to account_id.", "Use account_id there."),
      ("Use user_id there.", "change user underscore id to account", "Use account there."),
      ("Use userId there.", "change user id to account", "Use account there."),
      ("Open src/main.swift.", "Change src/main.swift to test.", "Open test."),
      ("Open src/main.swift.", "change source slash main dot swift to test", "Open test."),
      ("read ~/.zshrc", "change tilde slash dot zshrc to it", "read it"),
      ("git push --force now", "change dash dash force to dash n", "git push dash n now"),
      ("write C++ code", "change C plus plus to Rust", "write Rust code"),
      ("the A P I fails", "Change API to client.", "the client fails"),
      ("open the user's file", "change users to account", "open the account file"),
      ("restart silero now", "change sillero to piper", "restart piper now"),
    ])
  func signsAreMatchedHoweverTheyAreWritten(_ held: String, _ said: String, _ meant: String) throws {
    #expect(try amended(held, said) == meant)
  }

  @Test(
    arguments: [
      ("Increase it to thirty.", "Change 30 to 40.", "Increase it to 40."),
      ("wait 30 seconds", "change thirty to forty", "wait forty seconds"),
      ("wait 30% longer", "change thirty percent to half", "wait half longer"),
      ("Use version 2.1 of it.", "Change 2.1 to 2.2.", "Use version 2.2 of it."),
      ("Use version 2.1 of it.", "change two point one to 2.2", "Use version 2.2 of it."),
      ("Use version two point one.", "Change 2.1 to 2.2.", "Use version 2.2."),
      ("wait thirty-five seconds", "Change 35 to 40.", "wait 40 seconds"),
      ("listen on port 8080", "change eighty eighty to 9000", "listen on port 9000"),
      ("listen on port 8080", "change eight thousand eighty to 9000", "listen on port 9000"),
      ("go to line 307", "change three hundred and seven to 308", "go to line 308"),
      ("go to line three hundred and seven", "Change 307 to 308.", "go to line 308"),
      ("add a hundred and five rows", "Change 105 to 106.", "add 106 rows"),
      ("wait 1,500 ms", "change fifteen hundred to 2000", "wait 2000 ms"),
      ("wait 1500 ms", "Change 1,500 to 2000.", "wait 2000 ms"),
      ("run the 2nd test", "change second to third", "run the third test"),
      ("since the year 2024", "change twenty twenty four to 2025", "since the year 2025"),
      ("call 007", "change zero zero seven to Q", "call Q"),
      ("use utf8", "change utf eight to ASCII", "use ASCII"),
    ])
  func numbersAreMatchedHoweverTheyAreWritten(_ held: String, _ said: String, _ meant: String) throws {
    #expect(try amended(held, said) == meant)
  }

  @Test(
    arguments: [
      ("Explain hello.py's tests (in hello.py).", "change hello.py to it", "Explain hello.py's tests (in it)."),
      ("Explain hello.py's tests.", "change hello.py to parser", "Explain parser's tests."),
      ("add “to do” here", "change to do to done", "add “done” here"),
      ("say \"hello, world\" twice", "change hello world to bye", "say \"bye\" twice"),
      ("call foo() now", "change foo to bar", "call bar() now"),
      ("call foo(bar) now", "change foo bar to baz", "call baz now"),
      ("git push --force now", "change force to no verify", "git push --no verify now"),
      ("a   b\nc  d", "change b to e", "a   e\nc  d"),
      ("Wait: 30, then 30!", "change thirty to 40", "Wait: 30, then 40!"),
      ("wait 30 seconds", "change uh thirty to forty, please", "wait forty seconds"),
    ])
  func nothingElseIsReplaced(_ held: String, _ said: String, _ meant: String) throws {
    #expect(try amended(held, said) == meant)
  }

  @Test(
    arguments: [
      ("Use user_id or user-id.", "change user id to x"), ("Use user_id there.", "change user dash id to x"),
      ("force a rebuild", "change dash dash force to dash dash quick"), ("wait 3.5 seconds", "change 3 to 4"),
      ("set it to -3", "change three to four"), ("pages 20 1", "Change 21 to 22."), ("it's done", "change it to they"),
      ("open hello.py", "change hello to parser"), ("open test_utils.py", "change test to spec"),
      ("wait 300 seconds", "change thirty to forty"), ("wait sixty seconds", "change six to seven"),
      ("run (the first) test", "change first test to second"), ("run it", "change nightly to daily"),
    ])
  func whatIsNotThereOrNotClearIsLeftAlone(_ held: String, _ said: String) throws {
    #expect(try amended(held, said) == nil)
  }

  /// A live model writes down what was said in its own way.
  @Test(
    arguments: [
      ("change thirty to forty", "Change 30 to 40.", true),
      ("change hello dot py to it", "Change hello.py to it.", true),
      ("change thirty to forty", "Change 30 to 50.", false), ("change thirty to forty", "add and forty", false),
      ("add and wait 30 s", "Add and wait thirty s.", true),
    ])
  func theSameIsAskedForHoweverItIsWritten(_ said: String, _ proposed: String, _ isSame: Bool) throws {
    let decision = try #require(SpokenDecision(utterance: said))
    #expect(decision.isSame(as: try #require(SpokenDecision(utterance: proposed))) == isSame)
  }

  @Test func aLongTextIsSearched() throws {
    let many = String(repeating: "one 1 two-two 22 ", count: 5_000)
    #expect(try amended(many + "last 2.5", "change last two point five to end") == many + "end")
  }
}
