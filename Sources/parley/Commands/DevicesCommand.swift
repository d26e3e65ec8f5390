import ArgumentParser
import VoiceAudio
import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// `parley devices`: the sound devices of this machine.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the sound devices; any part of a name chooses one.",
    discussion: """
      What only a sound server knows, such as a monitor, is listed behind the others. Exits with 69 if there is no microphone \
      or no speaker, or, with --test, if one of them does not work.
      """)

  @Flag(
    help: "Play a tone on the speaker, listen to the microphone for four seconds, and say what is wrong with either.")
  var test = false

  @Flag(help: "Keep running and print which devices come and go.")
  var watch = false

  @Option(help: ArgumentHelp("With --test: part of a microphone's name; else the default one.", valueName: "name"))
  var microphone: String?

  @Option(help: ArgumentHelp("With --test: part of a speaker's name; else the default one.", valueName: "name"))
  var speaker: String?

  func validate() throws {
    if test, watch { throw ValidationError("Choose --test or --watch.") }
    if !test, microphone != nil || speaker != nil {
      throw ValidationError("--microphone and --speaker name what --test tries.")
    }
  }

  func run() throws {
    if test { return try tryDevices() }
    var devices = try Exit.starting { try SoundSystem().devices }
    for device in devices { printRow(Self.row(device)) }
    while watch {
      flushOutput()
      sleep(Self.watchSeconds)
      let now = try Exit.starting { try SoundSystem().devices }
      for device in devices where !now.contains(where: { $0.isSame(as: device) }) { printRow("- \(Self.row(device))") }
      for device in now where !devices.contains(where: { $0.isSame(as: device) }) { printRow("+ \(Self.row(device))") }
      for device in now where devices.contains(where: { $0.isSame(as: device) && $0 != device }) {
        printRow("= \(Self.row(device))")
      }
      devices = now
    }
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

  /// Listing all devices takes a tenth of that.
  private static let watchSeconds: UInt32 = 1

  private func tryDevices() throws {
    let trial = try Exit.starting { try DeviceTrial(try SoundSystem()) }
    let isPlayed = try Exit.starting {
      printRow("speaker     \(try trial.name(of: .speaker, named: speaker)): a tone …")
      return try trial.play(Earcon.done.samples, on: speaker)
    }
    printRow("speaker     " + (isPlayed ? "it took the tone; you should have heard it." : "dead: it takes no sound."))
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let verdict = try Exit.starting {
      printRow("microphone  \(try trial.name(of: .microphone, named: microphone)): say something …")
      return try trial.listen(to: microphone) { decibels in
        guard isTerminal else { return }
        let width = max(0, min(40, (decibels + 60) * 2 / 3))
        let bar = String(repeating: "#", count: width) + String(repeating: "-", count: 40 - width)
        print("\rmicrophone  \(bar) \(decibels) dB   ", terminator: "")
        flushOutput()
      }
    }
    if isTerminal { print("\r\u{1B}[K", terminator: "") }
    printRow("microphone  \(verdict.advice)")
    guard isPlayed, verdict == .good else { throw Exit.unavailable }
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

extension SoundDevice {
  /// Whether it is the same device, whatever became of it.
  fileprivate func isSame(as other: SoundDevice) -> Bool { name == other.name && hostAPI == other.hostAPI }
}
