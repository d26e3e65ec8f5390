import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

let slugs: [String] = {
  let folder = Repository.path + "/audio-fixtures"
  do {
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)/fixture.json5")
    }.sorted()
  } catch {
    return []
  }
}()

func load(_ slug: String) throws -> FixtureFolder {
  try FixtureFolder(Repository.path + "/audio-fixtures/" + slug) { try WaveFile.samples($0) }
}

@Test func thereAreAtLeastSixtyFixtures() { #expect(slugs.count >= 60) }

@Test(arguments: slugs) func theFixtureGivesItsExpectedLogToTheByte(_ slug: String) async throws {
  let folder = try load(slug)
  let replay = await folder.replay()
  #expect(folder.compare(replay) == .same)
}

@Test(arguments: slugs) func theDecisionsOfALogAreTheSameWhenOnlyItsEventsAreGiven(_ slug: String) async throws {
  let (verdict, duration) = try await LogReplay(load(slug).expectedPath).run()
  #expect(verdict == .same)
  #expect(duration > .zero)
}
