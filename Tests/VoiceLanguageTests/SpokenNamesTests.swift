import Testing

@testable import VoiceLanguage

/// Names from code: where people pause in them, and which of their parts they spell.
struct SpokenNamesTests {
  @Test(arguments: [
    ("parseHTTPResponse", "parse HTTP Response"), ("getUserName", "get User Name"), ("utf8", "utf 8"),
    ("a1b2", "a 1 b 2"), ("APIs", "APIs"), ("theAPIs", "the APIs"), ("HTTPServers", "HTTP Servers"),
    ("AFrame", "A Frame"),
    ("isOn", "is On"), ("URL", "URL"), ("don't", "don't"), ("it\u{2019}s", "it\u{2019}s"), ("90's", "90's"),
    ("caf\u{E9}Noir", "caf\u{E9} Noir"), ("\u{C9}cole", "\u{C9}cole"), ("\u{65E5}\u{672C}2", "\u{65E5}\u{672C} 2"),
    ("x\u{663}", "x \u{663}"),
    // A sign is no part of a name, and parts it.
    ("foo-bar", "foo bar"), ("user@home", "user home"), ("a::b", "a b"), ("--verbose", "verbose"), ("end.", "end"),
    ("\u{2713}done", "done"), ("", ""), ("$", ""),
  ])
  func aNameIsCutWherePeoplePause(_ name: String, _ parts: String) {
    #expect(SpokenNames.parts(of: name).joined(separator: " ") == parts)
  }

  /// Whatever the name, nothing of its letters and digits is lost or said twice.
  @Test(arguments: ["fooBar-baz", "A1-b2", "$jQuery$", "x--y__Z9", "Les\u{E9}l\u{E8}ves-2024", "HTTPSProxy:8080"])
  func noLetterOfANameIsLost(_ name: String) {
    #expect(SpokenNames.parts(of: name).joined() == String(name.filter { $0.isLetter || $0.isNumber }))
  }

  @Test(arguments: [
    ("HTTPSServer", "HTTPS server"), ("MEMORYMap", "memory map"), ("AFrame", "a frame"), ("theAPIs", "the APIs"),
    ("isAs", "is as"), ("urlID", "url ID"), ("readmeFile", "read me file"), ("sha256sum", "sha two fifty six sum"),
    ("GitHub", "GitHub"), ("gitHubs", "git hubs"), ("MEMORY", "memory"), ("HTTPS", "HTTPS"), ("todo", "to do"),
    ("404", "four oh four"), ("A", "A"),
  ])
  func whatIsShortAndInCapitalsIsSpelled(_ name: String, _ words: String) {
    #expect(SpokenNames.words(identifier: name).joined(separator: " ") == words)
  }

  @Test(arguments: [
    ("MAX_RETRIES", "max retries"), ("HTTP_PORT", "HTTP port"), ("fetch_user_ID", "fetch user ID"),
    ("MAX_2", "max two"), ("_private_", "private"), ("http_PORT", "http PORT"),
  ])
  func aNameInCapitalsAloneIsNotShouted(_ name: String, _ words: String) {
    #expect(SpokenNames.words(joined: name).joined(separator: " ") == words)
  }

  @Test(arguments: [
    ("Package.swift", "Package dot swift"), ("README.md", "read me dot MD"), (".gitignore", "dot gitignore"),
    ("md", "md"), (".c", "dot C"), ("a.b.json5", "a dot b dot JSON five"), ("json.swift", "json dot swift"),
    ("@main.swift", "at main dot swift"), ("my-file_name.txt", "my file name dot text"), ("end.", "end dot"),
  ])
  func aFileIsSaidWithItsDots(_ name: String, _ words: String) {
    #expect(SpokenNames.words(file: name).joined(separator: " ") == words)
  }

  @Test(arguments: [
    ("main.swift", true), ("a.MD", true), (".env", true), (".md", true), (".c", false), (".h", false), ("swift", false),
    ("a.", false),
    ("a.b", false), ("notes.lock", true), (".zshrc", true), ("a.swift.b", false),
  ])
  func aFileIsKnownByItsEnding(_ name: String, _ isFile: Bool) { #expect(SpokenNames.isFile(name) == isFile) }

  @Test(arguments: [
    ("3e0553d", true), ("3e0553", false), ("abcdefa", false), ("1234567", false), ("3E0553D", false),
    ("3e0553g", false),
    (String(repeating: "a1", count: 32), true), (String(repeating: "a1", count: 32) + "b", false),
  ])
  func aCommitIsKnownByItsDigits(_ text: String, _ isHash: Bool) { #expect(SpokenNames.isHash(text) == isHash) }

  @Test func aCommitIsSaidByItsBeginning() {
    #expect(SpokenNames.words(hash: "3e0553d") == ["three", "E", "zero", "five"])
  }
}
