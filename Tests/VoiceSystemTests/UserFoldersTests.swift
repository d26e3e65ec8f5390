import Testing

@testable import VoiceSystem

@Test(arguments: [
  ("/home/dev/.local/state", "~/.local/state"), ("/home/dev", "/home/dev"), ("/home/developer/x", "/home/developer/x"),
  ("/tmp/x", "/tmp/x"),
])
func aPathBelowTheHomeFolderIsAbbreviated(_ path: String, _ expected: String) {
  #expect(UserFolders(["HOME": "/home/dev"]).abbreviated(path) == expected)
  #expect(UserFolders([:]).abbreviated(path) == path)
  #expect(UserFolders(["HOME": "/"]).abbreviated(path) == path)
}
