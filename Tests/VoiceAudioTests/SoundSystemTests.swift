import Testing
import VoiceVocabulary

@testable import VoiceAudio

/// What the library of sound devices lists beside a sound server, which needs neither.
struct SoundSystemTests {
  private static func device(_ name: String, inputs: Int = 1, outputs: Int = 1, serverName: String? = nil)
    -> SoundDevice
  {
    SoundDevice(
      name: name, hostAPI: serverName == nil ? "ALSA" : SoundDevice.serverAPI, inputChannels: inputs,
      outputChannels: outputs, defaultRate: 48_000, serverName: serverName)
  }

  private let card = device("USB Headset: Audio (hw:1,0)")
  private let plugin = device("pulse", inputs: 32, outputs: 32)
  private let server = [
    device("Headset (headset.monitor)", outputs: 0, serverName: "headset.monitor"),
    device("Headset (headset)", inputs: 0, serverName: "headset"),
  ]

  /// What is listed where the library finds this, one after the other, and how often it begins again.
  private func list(_ library: [[SoundDevice]], beside server: [SoundDevice]) throws -> ([SoundDevice], Int) {
    var beginnings = 0
    let devices = try SoundDevice.list(library: { library[min(beginnings, library.count - 1)] }, server: { server }) {
      beginnings += 1
    }
    return (devices, beginnings)
  }

  /// The server began to answer between the two.
  @Test func aLibraryThatCameTooSoonForTheServerLooksAgain() throws {
    let (devices, beginnings) = try list([[card], [card, plugin]], beside: server)
    #expect(devices == [card, plugin] + server && beginnings == 1)
    for kind in [SoundDeviceKind.microphone, .speaker] { #expect(SoundDevice.wayToServer(kind, in: devices) == 1) }
  }

  @Test func aWayForOneSideIsNoneForTheOther() throws {
    let half = Self.device("default", inputs: 0)
    let (devices, beginnings) = try list([[half], [half], [half, plugin]], beside: server)
    #expect(devices == [half, plugin] + server && beginnings == 2)
    #expect(try list([[half]], beside: [server[1]]).1 == 0, "the server has no microphone either")
  }

  @Test func withoutAPluginItLooksTwiceMoreAndTheErrorSaysWhatToInstall() throws {
    let (devices, beginnings) = try list([[card]], beside: server)
    #expect(devices == [card] + server && beginnings == 2)
    for kind in [SoundDeviceKind.microphone, .speaker] { #expect(SoundDevice.wayToServer(kind, in: devices) == nil) }
    #expect(SoundDevice.noWayToServer.contains("libasound2-plugins"))
  }

  @Test(arguments: ["pulse", "default"]) func whereThereIsAWayOrNoServerItLooksOnce(_ name: String) throws {
    let (devices, beginnings) = try list([[card, Self.device(name)]], beside: server)
    #expect(beginnings == 0 && SoundDevice.wayToServer(.microphone, in: devices) == 1)
    #expect(try list([[card]], beside: []).1 == 0)
    #expect(try list([[]], beside: []).1 == 0)
  }

  @Test func aLibraryThatDoesNotBeginAgainIsAnError() {
    let reason = "the sound server does not answer; restart it"
    let (card, server) = (card, server)
    #expect(throws: AudioError.noSoundSystem(reason: reason)) {
      try SoundDevice.list(library: { [card] }, server: { server }) { () throws(AudioError) in
        throw AudioError.noSoundSystem(reason: reason)
      }
    }
  }
}
