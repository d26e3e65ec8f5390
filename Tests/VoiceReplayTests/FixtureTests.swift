import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

let slugs: [String] = {
  let folder = ProjectFolder.path + "/audio-fixtures"
  do {
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)/fixture.json5")
    }.sorted()
  } catch {
    return []
  }
}()

func load(_ slug: String) throws -> FixtureFolder {
  try FixtureFolder(ProjectFolder.path + "/audio-fixtures/" + slug) { try WaveFile.samples($0) }
}

@Test func thereAreAtLeastTwelveFixtures() { #expect(slugs.count >= 12) }

@Test(arguments: slugs) func theFixtureGivesItsExpectedLogToTheByte(_ slug: String) async throws {
  let folder = try load(slug)
  let replay = await folder.replay()
  #expect(folder.compare(replay) == .same)
}

@Test(arguments: slugs) func aReplayGivesTheSameBytesEachTime(_ slug: String) async throws {
  let folder = try load(slug)
  let first = await folder.replay()
  let second = await folder.replay()
  #expect(first.log == second.log)
}

@Test(arguments: slugs) func theDecisionsOfALogAreTheSameWhenOnlyItsEventsAreGiven(_ slug: String) async throws {
  let replay = try await load(slug).replay()
  var controller = InteractionController()
  let codec = LogCodec()
  for line in replay.lines {
    for step in line.steps {
      var again = step
      again.actions = controller.handle(step.event, at: step.time)
      again.reasons = controller.takeReasons()
      again.state = step.event.isSound ? nil : controller.digest
      // As lines, which name sound by its place: a log holds no samples.
      #expect(codec.encode(LogLine(step: again)) == codec.encode(LogLine(step: step)), "\(slug), step \(step.sequence)")
    }
  }
  #expect(controller.outcome == replay.outcome)
}
