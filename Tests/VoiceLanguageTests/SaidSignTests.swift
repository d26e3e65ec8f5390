import Testing
import VoiceLanguage
import VoiceVocabulary

/// Signs that are said belong to what is meant: a path is another one without them.
struct SaidSignTests {
  private let repair = WordRepair(
    ProjectWords(names: [
      "hello.py", "__init__.py", "tests/deep.py", "ErrorMessage", "ClientServer", "user_id", "feature/dark-mode",
      "fix-retry-loop", "v2/core_pool", "SentenceChunker.swift",
    ]))

  @Test(
    arguments: [
      ("open tests slash hello dot py", "open tests slash hello.py"),
      ("delete slash hello dot p y", "delete slash hello.py"),
      ("open dot dot slash hello dot py", "open dot dot slash hello.py"),
      ("open tests dash dash hello dot py", "open tests dash dash hello.py"),
      ("open underscore hello dot py", "open underscore hello.py"),
      ("open tests slash sentence junker dot swift", "open tests slash SentenceChunker.swift"),
      ("open hello dot py slash now", "open hello.py slash now"),
      // In the middle of what has no such sign.
      ("the class error slash message", nil), ("open sentence slash junker dot swift", nil),
      ("merge fix slash retry loop", nil), ("merge fix dash dash retry loop", nil),
      // Another sign names something else.
      ("rename the variable user slash id", nil), ("rename the variable user dash id", nil),
      // As the recogniser may write it.
      ("the class client/server", nil), ("open /hello dot py", "open /hello.py"),
    ] as [(String, String?)])
  func aSignIsNeverSwallowed(_ said: String, _ written: String?) {
    #expect(repair.repair(said).text == written ?? said)
  }

  @Test(
    arguments: [
      ("rename user underscore id", "rename user_id"), ("open tests slash deep dot py", "open tests/deep.py"),
      ("checkout feature slash dark dash mode", "checkout feature/dark-mode"),
      ("checkout feature dark hyphen mode", "checkout feature/dark-mode"),
      ("checkout v two slash core underscore pool", "checkout v2/core_pool"),
      ("open underscore underscore init underscore underscore dot py", "open __init__.py"),
      ("the error-message class", "the ErrorMessage class"),
    ])
  func aSignOfTheNameIsWritten(_ said: String, _ written: String) { #expect(repair.repair(said).text == written) }
}
