import Testing
import VoiceHistory
import VoiceRecording
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

/// A file with a hole says that it is of hours, in no room.
@Test(.timeLimit(.minutes(1)), arguments: [(600, true), (3_600, false), (130_000, false)])
func soundThatIsFarLongerThanItsSessionMakesNoConversation(_ seconds: Int, _ isMade: Bool) throws {
  let home = try TemporaryFolder()
  let folder = try Histories.folder("direct", at: home.path + "/session")
  let size = UInt32(seconds * PCM.microphoneRate * 2)
  func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  var head = Array("RIFF".utf8) + little(size + 36) + Array("WAVEfmt ".utf8) + little(16) + [1, 0, 1, 0]
  head += little(UInt32(PCM.microphoneRate)) + little(UInt32(2 * PCM.microphoneRate)) + [2, 0, 16, 0]
  head += Array("data".utf8) + little(size)
  let sound = folder.wave(.microphone)
  try Data(head).write(to: URL(filePath: sound))
  try #require(truncate(sound, off_t(size) + off_t(head.count)) == 0)
  let path = home.path + "/conversation.opus"
  let session = try RecordedSession(folder.path)
  if isMade {
    try ConversationExport.write(session, to: path)
    #expect(FileManager.default.fileExists(atPath: path))
  } else {
    let failure = #expect(throws: FileFailure.self) { try ConversationExport.write(session, to: path) }
    #expect(failure?.description.contains("microphone.wav is longer than 10 min") == true, "\(failure as Any)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
