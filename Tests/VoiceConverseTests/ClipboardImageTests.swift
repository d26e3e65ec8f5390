import Testing
import VoiceConverse
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct ClipboardImageTests {
  /// A folder with a stand-in for each of these programs. It is no copy: what has just been written may be busy.
  private static func folder(_ programs: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for program in programs {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + program, withDestinationPath: Fixtures.tests + "/servers/clipboard")
    }
    return folder
  }

  private static func write(_ bytes: [UInt8], _ name: String, _ folder: TemporaryFolder) throws {
    try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
  }

  @Test(arguments: ["wl-paste", "xclip", "pngpaste", "pbpaste"]) func whatWasCopiedLastIsAttached(_ program: String)
    throws
  {
    let folder = try Self.folder(program)
    func find() throws -> AgentAttachment { try AgentAttachment(clipboardBy: SearchPath("/nowhere:\(folder.path)")) }
    for nothing in ["words", ""] {
      try Self.write(Array(nothing.utf8), "copied", folder)
      let refusal = #expect(throws: AgentError.self) { try find() }
      #expect(refusal?.description.hasPrefix("There is no image in the clipboard.") == true)
    }
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    try Self.write(bytes, "copied", folder)
    let image = try find()
    #expect(image.mediaType == "image/png" && image.base64 == Data(bytes).base64EncodedString())
  }

  /// From the clipboard or from a file: what is larger would be refused by the server, long after.
  @Test(arguments: [0, 1]) func anImageMayBeAsLargeAsTheLimit(_ more: Int) throws {
    let folder = try Self.folder("wl-paste")
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    try Self.write(
      bytes + [UInt8](repeating: 0, count: ConverseLimits.attachmentBytes + more - bytes.count), "copied", folder)
    func refusal(_ body: () throws -> AgentAttachment) -> String? {
      do {
        _ = try body()
        return nil
      } catch {
        return "\(error)"
      }
    }
    let clipboard = refusal { try AgentAttachment(clipboardBy: SearchPath(folder.path)) }
    let file = refusal { try AgentAttachment(readingFile: folder.path + "/copied") }
    for said in [clipboard, file] { #expect(said?.contains("is larger than 14 MiB") == (more == 0 ? nil : true)) }
  }

  @Test func whereNothingReadsItThatIsSaid() throws {
    let folder = try TemporaryFolder()
    let none = #expect(throws: AgentError.self) { try AgentAttachment(clipboardBy: SearchPath(folder.path)) }
    #expect(none?.description.contains("Install wl-clipboard, xclip or pngpaste, or name a file.") == true)
  }

  @Test(.timeLimit(.minutes(5))) func whatDoesNotAnswerIsEndedWithAllThatItStartedAndThatIsSaid() async throws {
    let folder = try Self.folder("wl-paste")
    try Self.write([], "hang", folder)
    // Long enough to have started something, on the busiest machine as well.
    var (milliseconds, left): (Int, pid_t?) = (50, nil)
    while left == nil {
      milliseconds *= 2
      let late = #expect(throws: AgentError.self) {
        try AgentAttachment(clipboardBy: SearchPath(folder.path), within: milliseconds)
      }
      #expect(
        late?.description.contains("/wl-paste was asked for the clipboard and has not answered in \(milliseconds) ms")
          == true)
      left = FileManager.default.contents(atPath: folder.path + "/left")
        .flatMap { pid_t(String(decoding: $0, as: UTF8.self).trimmingWhitespace()) }
    }
    // Killed; who buries it may take a moment.
    let program = try #require(left)
    try await waitUntil { kill(program, 0) != 0 || isDead(program) }
  }

  /// Whether a process has ended and only waits to be buried.
  private func isDead(_ process: pid_t) -> Bool {
    let state = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
    return String(decoding: state, as: UTF8.self).split(separator: " ").dropFirst(2).first == "Z"
  }
}
