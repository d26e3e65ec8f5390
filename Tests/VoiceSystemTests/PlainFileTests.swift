import Testing
import VoiceTesting

@testable import VoiceSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct PlainFileTests {
  @Test(arguments: [("a/b", "a"), ("/a/b/c", "/a/b"), ("/a", "/"), ("a", "."), ("", "."), ("a/", "a")])
  func aFileIsInAFolder(_ path: String, _ folder: String) { #expect(PlainFile.folder(of: path) == folder) }

  @Test func whatHasANameIsToldFromWhatItLeadsTo() throws {
    let folder = try TemporaryFolder()
    let (file, link, pipe) = (folder.path + "/file", folder.path + "/link", folder.path + "/pipe")
    close(try PlainFile.open(writing: file))
    #expect(symlink(file, link) == 0 && mkfifo(pipe, 0o600) == 0)
    let names = [folder.path, file, link, pipe, folder.path + "/none"]
    #expect(names.map { PlainFile.kind($0) } == [.folder, .file, .link, .special, .nothing])
    #expect(PlainFile.real(link) == PlainFile.real(file) && PlainFile.real(file) != nil)
    #expect(PlainFile.real(folder.path + "/none") == nil)
    // To the system the name would end there.
    #expect(PlainFile.real(file + "\0.txt") == nil)
  }
}
