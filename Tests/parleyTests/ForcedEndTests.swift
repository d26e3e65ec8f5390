import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

@testable import parley

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

/// A session that is over, with a part that never ends.
@Suite(.timeLimit(.minutes(5))) struct ForcedEndTests {
  /// A page of Ogg Opus is a second long: what is behind the last whole one would not be in the file, nor that it ends there.
  @Test func whatWasHeardLastIsKept() async throws {
    let home = try TemporaryFolder()
    let path = home.path + "/session"
    await #expect(processExitsWith: .exitCode(69)) { [path = path as String] in
      let recorder = SoundRecorder(try SessionFolder(creating: path), form: .opus) { _ in }
      recorder.heard(MicrophoneFrame(position: 0, samples: [Int16](repeating: 900, count: PCM.microphoneRate / 2)))
      SessionEnd.exitAnyway(after: 0, unless: { false }, keepSound: { recorder.finish() })
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let sound = try Data(contentsOf: URL(filePath: SessionFolder(unchecked: path).opus(.microphone)))
    let bytes = [UInt8](sound)
    let pages = bytes.indices.filter { bytes[$0...].starts(with: Array("OggS".utf8)) }
    #expect(pages.count > 2, "its head, its comments and its sound")
    #expect(bytes[try #require(pages.last) + 5] & 4 == 4, "the last page says that it is the last")
  }

  /// A disk that takes nothing is not waited for without end.
  @Test func soundThatCannotBeKeptHoldsUpNothing() async {
    await #expect(processExitsWith: .exitCode(69)) {
      SessionEnd.exitAnyway(after: 0, unless: { false }, keepSound: { while true { pause() } })
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }
}
