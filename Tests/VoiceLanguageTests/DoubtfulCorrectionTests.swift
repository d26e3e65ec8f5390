import Testing
import VoiceLanguage

struct DoubtfulCorrectionTests {
  @Test(arguments: [
    ("open the test file, no, wait, the other file", "open the other file"),
    ("Open the test file no wait the other file.", "Open the other file."),
    ("Delete, sorry, rename the folder.", "rename the folder."),
    ("Build the client, actually, the server.", "Build the server."),
    ("Build the client actually the server.", "Build the server."),
    ("set the port, no wait the host to local", "set the host to local"),
    ("rename foo to bar, sorry, to baz", "rename foo to baz"),
    ("move it to the left, no, to the right", "move it to the right"),
    ("move it to the left, no to the right", "move it to the right"),
    ("check staging, no, wait, production", "check production"),
    ("set it to thirty, no, make that forty", "set it to forty"),
    ("set the timeout to 30, no, 40.", "set the timeout to 40."),
    ("use three retries, no wait, five", "use five retries"),
    ("Use three retries, no weight, five.", "Use five retries."),
    ("delete the folder, no wait, rename it", "rename the folder"),
    ("Commit this, no wait, revert it.", "revert this."),
    ("open the parser, no, wait, run the tests", "run the tests"),
    ("push the branch, no, sorry, the tag", "push the tag"),
    ("start with the parser, wait, no, with the lexer", "start with the lexer"),
    ("read a file, no wait, a folder, sorry, the settings", "read the settings"),
  ])
  func whatLooksLikeTwoVersionsIsTheLast(_ said: String, _ meant: String) {
    #expect(SelfCorrection.lastVersion(of: said) == meant)
  }

  @Test(arguments: [
    "write a message that says, sorry, the server is down", "make sure there is no wait before the retry",
    "add a test with no wait", "it's actually the server", "check what is actually the problem",
    "open the parser, no wait, I forgot the lexer", "run the tests, no, wait for the build",
    "check for errors, no, wait for the build", "answer yes or no, the default is yes",
    "open the parser, no wait, stop",
    "open the parser, no, never mind", "run the tests, actually, run the linter too",
    "run the tests, wait, the build fails",
    "run the server, no wait, stop it", "add no wait time to the queue", "no, wait, the other file",
    "sorry, the other file",
    "I'm sorry, the build is broken", "there is no error, the test passes", "if the answer is no, the test fails",
    "remove the sorry message", "Actually, the other file", "the retry should be no, wait, the default",
    "run the tests, wait, and then show the summary", "open the file, no, I will do that myself",
    "print \"no\", wait, \"yes\"", "explain what the user actually the sees",
    "set two of them, three of those, no, wait, four",
    "set the timeout to 30, sorry, 40 seconds", "push it, no, don't", "delete it, no, wait", "run it, actually", "no",
    "sorry",
    "no, no, no", "wait, wait, wait", "sorry, no, sorry", "open the file, no, wait, let me think",
    "open it, no, it is fine",
  ])
  func anythingElseStays(_ said: String) { #expect(SelfCorrection.lastVersion(of: said) == said) }
}
