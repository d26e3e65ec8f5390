import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

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

/// Files of an answer are written beside the conversation, and none of the user's is lost for that.
struct AnswerFileTests {
  private static let conversation = AgentSessionID(rawValue: "c1")
  private static let content = Data("drawn".utf8)

  private func save(_ type: String, _ base64: String? = nil, in folder: TemporaryFolder) throws -> String {
    let file = AnswerFile(mediaType: type, base64: base64 ?? Self.content.base64EncodedString())
    return try ConversationStore(folder: folder.path).save(file, beside: Self.conversation)
  }

  @Test func noFileIsReplaced() throws {
    let folder = try TemporaryFolder()
    let taken = folder.path + "/c1-1.png"
    try Data("mine".utf8).write(to: URL(filePath: taken))
    for number in 2...3 {
      let path = try save("image/png", in: folder)
      #expect(path == folder.path + "/c1-\(number).png")
      #expect(FileManager.default.contents(atPath: path) == Self.content)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    #expect(FileManager.default.contents(atPath: taken) == Data("mine".utf8))
  }

  @Test(arguments: [("IMAGE/PNG", "png"), ("image/jpeg", "jpg"), ("application/x-thing", "bin"), ("", "bin")])
  func aFileIsNamedAfterItsType(_ type: String, _ suffix: String) throws {
    let folder = try TemporaryFolder()
    #expect(try save(type, in: folder) == folder.path + "/c1-1." + suffix)
  }

  /// As the server calls it, which may be anything.
  @Test(arguments: [(79, 79), (200, 81)]) func theTypeOfAFileIsALine(_ count: Int, _ told: Int) {
    let type = AnswerFile(mediaType: String(repeating: "x", count: count), base64: "").mediaType
    #expect(type.count == told && type.hasSuffix("…") == (count > told))
  }

  @Test(arguments: ["", "no Base64!"]) func whatIsNoFileIsNotWritten(_ base64: String) throws {
    let folder = try TemporaryFolder()
    let refusal = #expect(throws: AgentError.self) { try save("image/png", base64, in: folder) }
    #expect(refusal?.description.contains("(image/png) that cannot be read") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func aConversationHasAsManyFilesAsTheLimit() throws {
    let folder = try TemporaryFolder()
    for number in 1..<ConverseLimits.answerFiles {
      #expect(FileManager.default.createFile(atPath: folder.path + "/c1-\(number).png", contents: nil))
    }
    #expect(try save("image/png", in: folder).hasSuffix("/c1-\(ConverseLimits.answerFiles).png"))
    let refusal = #expect(throws: AgentError.self) { try save("image/png", in: folder) }
    #expect(refusal?.description.hasSuffix("no more are kept.") == true)
  }

  @Test func whereNoneCanBeWrittenThatIsSaid() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/file", withIntermediateDirectories: true)
    let store = ConversationStore(folder: folder.path + "/file/" + String(repeating: "x", count: 300))
    let file = AnswerFile(mediaType: "image/png", base64: Self.content.base64EncodedString())
    #expect(throws: AgentError.self) { try store.save(file, beside: Self.conversation) }
  }

  /// The first folder that cannot be made is the cause: those below it are only missing.
  @Test func theFirstFolderThatIsRefusedIsTheCause() throws {
    let folder = try TemporaryFolder()
    for number in [EROFS, EACCES] {
      #expect(ConversationStore.isThere(folder.path, after: number))
      #expect(!ConversationStore.isThere(folder.path + "/below", after: number))
    }
    #expect(ConversationStore.isThere(folder.path, after: EEXIST))
    #expect(!ConversationStore.isThere(folder.path, after: ENOSPC))
  }
}
