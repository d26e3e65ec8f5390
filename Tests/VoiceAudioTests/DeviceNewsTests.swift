import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceAudio

// Tests of `DeviceTests`, which run one after the other: what a real sound server tells of a device that is away.

extension DeviceTests {
  @Test(.timeLimit(.minutes(5))) func aServerTellsThatItHasADeviceAgainAndThatItWasRestarted() async throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let device = try server.plugIn("headset")
    let news = try #require(ServerDevices())
    news.awaitReturn(of: .microphone, named: "headset.monitor")
    news.seek()
    try await waitUntil { news.takeReturn(of: .microphone) }
    try server.unplug(device)
    _ = try server.plugIn("headset")
    try await waitUntil { news.takeReturn(of: .microphone) }
    server.stop()
    // A new outage. The server comes back without the headset.
    news.awaitReturn(of: .microphone, named: "headset.monitor")
    news.awaitReturn(of: .speaker, named: nil)
    let again = try PrivatePulseAudio(folder: bench.path + "/pulse")
    try await waitUntil {
      news.seek()
      return news.takeReturn(of: .speaker)
    }
    _ = try again.plugIn("headset")
    try await waitUntil { news.takeReturn(of: .microphone) }
    again.stop()
  }
}
