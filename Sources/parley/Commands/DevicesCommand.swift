import ArgumentParser
import VoiceAudio

/// `parley devices`: the sound devices of this machine.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the sound devices; any part of a name chooses one.",
    discussion: "Exits with 69 if there is no microphone or no speaker.")

  func run() throws {
    let devices = try Exit.starting { try SoundSystem().devices }
    for device in devices { printRow(Self.row(device)) }
    let missing = [
      ("microphone", devices.contains { $0.inputChannels > 0 }),
      ("speaker", devices.contains { $0.outputChannels > 0 }),
    ]
    .filter { !$0.1 }.map(\.0)
    guard missing.isEmpty else {
      throw Exit.failure(
        Exit.unavailable,
        "no \(missing.joined(separator: " and no ")) was found. Connect one, or use a sound file: --microphone FILE.")
    }
  }

  private static func row(_ device: SoundDevice) -> String {
    let marks = [
      device.isDefaultMicrophone ? "default microphone" : nil, device.isDefaultSpeaker ? "default speaker" : nil,
    ].compactMap { $0 }
    let end = marks.isEmpty ? "" : "  (\(marks.joined(separator: ", ")))"
    return "\(device.name)  [\(device.hostAPI)]  \(device.inputChannels) in, \(device.outputChannels) out, "
      + "\(device.defaultRate) Hz\(end)"
  }
}
