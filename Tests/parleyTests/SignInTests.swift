import Subprocess
import Testing
import VoiceTesting

@testable import parley

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Signing in at a terminal: the password is asked for, and stands nowhere but at the server.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: Program.isInstalled("tmux") && Program.isInstalled("python3"),
    "tmux or python3 is missing; see script/bootstrap"))
struct SignInTests {
  @Test(arguments: [("open sesame", "Signed in."), ("open barley", "Invalid email or password")])
  func aPasswordIsTypedUnseen(_ password: String, _ words: String) async throws {
    let home = try TemporaryFolder()
    let (port, log, cookies) = (home.path + "/port", home.path + "/log", home.path + "/cookies")
    // The server lasts as long as its input does.
    let command =
      "mkfifo \(home.path)/in; python3 \(Repository.path)/Tests/servers/http_agents.py --log \(log) "
      + "<\(home.path)/in >\(port) & exec 9>\(home.path)/in; while ! test -s \(port); do :; done; "
      + "HOME=\(home.path) \(Program.path) agents page-space:http://127.0.0.1:$(head -1 \(port)) "
      + "--sign-in me@example.com --cookie-file \(cookies); ended=$?; exec 9>&-; (exit $ended)"
    try await Terminal.run(command, home: home) { terminal in
      try await terminal.look(for: "Password:")
      try await terminal.type(password)
      try await terminal.press("Enter")
      try await terminal.waitFor(words)
      try await terminal.waitFor("code \(words == "Signed in." ? 0 : 69)")
      let shown = try await terminal.screen() + terminal.journal.all.joined(separator: "\n")
      #expect(!shown.contains(password.split(separator: " ")[1]), "\(shown)")
    }
    let sent = String(decoding: try #require(FileManager.default.contents(atPath: log)), as: UTF8.self)
    #expect(sent.contains(password))
    if words == "Signed in." {
      let kept = try #require(FileManager.default.contents(atPath: cookies))
      #expect(String(decoding: kept, as: UTF8.self) == "accessToken=a.b.c; refreshToken=r\n")
      let permissions = try FileManager.default.attributesOfItem(atPath: cookies)[.posixPermissions] as? Int
      #expect(permissions == 0o600)
    } else {
      #expect(!FileManager.default.fileExists(atPath: cookies))
    }
  }
}

/// Whoever ends it while a slow server is waited for leaves no file that would be in the way of the next try.
@Test(.timeLimit(.minutes(5))) func aSignInThatIsInterruptedLeavesNoFile() async throws {
  let home = try TemporaryFolder()
  try Data("open sesame\n".utf8).write(to: URL(filePath: home.path + "/password"))
  try FileManager.default.createDirectory(atPath: home.path + "/keys", withIntermediateDirectories: false)
  let server = SilentListener()
  let arguments = [
    "agents", "page-space:http://127.0.0.1:\(server.port)", "--sign-in", "me@example.com", "--password-file",
    home.path + "/password", "--cookie-file", home.path + "/keys/cookies",
  ]
  try await Program.run(arguments, home: home, environment: [:], errors: home.path + "/errors") { execution in
    try await server.wait()
    try execution.send(signal: .interrupt)
  }
  #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/keys") == [])
}

@Test(arguments: ["", "\n", "\r\n", "\n\n"]) func aPasswordInAFileKeepsItsBlanks(_ end: String) {
  for password in [" open sesame ", "\topen", ""] {
    #expect(AgentsCommand.password(inFile: Array((password + end).utf8)) == password)
  }
}
