import Testing
import VoiceVocabulary

@testable import VoiceReplay

/// Most fixtures leave it to the server to find the ends of what is said; a session with a cloud model finds them at the microphone.
struct ClientTurnDetectionTests {
  /// What is no speech: there the detector is late, or hears none.
  private static let noises = ["noise", "barge-in-nothing"]

  @Test(arguments: slugs.filter { !noises.contains($0) })
  func noFaultBreaksARuleWhereTheMicrophoneFindsTheEnds(_ slug: String) async throws {
    let folder = try load(slug)
    var fixture = folder.fixture
    (fixture.settings.turnDetection, fixture.settings.interruptedBy) = (.client, .vad)
    let client = FixtureFolder(folder.path, fixture, recordings: folder.recordings)
    let outcome = await ReplayRunner(.perturbed(seeds: 1..<7, faults: [], random: true), jobs: 1)
      .run([.fixture(client)])[0]
    #expect(outcome.broken.isEmpty, "\(outcome.broken.first.map { "\($0.breach.text), \($0.faults)" } ?? "")")
  }
}
