import Testing
import VoiceCore

struct SoundDeviceEventTests {
  /// A device that falls silent for a while is told, and changes nothing of what is held, said or worked on.
  @Test(arguments: [SoundSide.microphone, .speaker])
  func aDeviceThatIsOpenedAgainIsToldAndEndsNothing(_ kind: SoundSide) throws {
    var talk = Talk()
    talk.say("run the tests")
    let before = talk.controller
    let events: [(VoiceEvent, String)] = [
      (
        .soundDeviceSilent(kind: kind, name: "default"),
        "no sound any more: it is being opened again."
      ),
      (.soundDeviceReturned(kind: kind, name: "default"), "again."),
      (.soundDeviceReplaced(kind: kind, name: "Headset", formerName: "Built-in"), "“Headset” in place of “Built-in”"),
    ]
    for (event, words) in events {
      let actions = talk.give(event)
      guard actions.count == 1, case .show(.warning(let text)) = actions[0] else {
        Issue.record("\(actions)")
        continue
      }
      #expect(text.hasPrefix("The \(kind.rawValue) "), "\(text)")
      #expect(text.contains(words), "\(text)")
    }
    #expect(talk.controller.digest == before.digest, "nothing but the telling")
  }

  @Test func anotherSessionInTheFolderIsToldByName() {
    var talk = Talk()
    #expect(
      talk.give(.otherSessionFound(name: "2026-01-01T120000Z-7", since: "14:05")) == [
        .show(
          notice: .warning(
            text: "Another session works in this folder: “2026-01-01T120000Z-7”, since 14:05. "
              + "Both may hear what you say, and both agents may change the same files."))
      ])
  }
}
