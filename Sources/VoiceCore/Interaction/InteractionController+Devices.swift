import VoiceVocabulary

/// Sound devices that go away and come back while the session goes on.
extension InteractionController {
  /// A device is away. The user is told a moment later, together with the other one if that follows.
  mutating func deviceLost(_ kind: SoundDeviceKind, _ name: String) {
    let isNew = kind == .microphone ? input.microphoneLost() : speech.speakerLost()
    guard isNew else { return because("Ignored: that device is away already, or not used any more.") }
    because("Waited for: a sound device is away, and is being opened again.")
    if kind == .microphone, input.isListening { sound.missed(at: now) }
    let next = outage.next
    outage.began(kind, name, at: now)
    if outage.next != next { awaitDevices() }
  }

  /// A device is back. An earcon tells once all are; a line, too, where the user was told nothing yet, or long ago. Of one
  /// that keeps dropping out he is told that, once.
  mutating func deviceReturned(_ kind: SoundDeviceKind, _ name: String) {
    let wasAway = kind == .microphone ? input.microphoneReturned() : speech.speakerReturned()
    guard wasAway else { return because("Ignored: that device was not away.") }
    let next = outage.next
    let ended = outage.returned(kind, at: now)
    if outage.next != next { awaitDevices() }
    guard input.microphone != .lost, speech.speaker != .lost else {
      return because("Waited for: the other sound device is still away.")
    }
    guard let (summary, stage) = ended else { return }
    if let unsteady = summary.unsteady { show(.warning(text: unsteady.keepDroppingOut)) }
    guard let told = summary.told else { return because(Self.knownToDropOut) }
    if stage != .told { show(.warning(text: told.wereAway)) }
    if speech.speaker == .present { act(.playEarcon(earcon: .soundReturned)) }
  }

  private static let knownToDropOut = "Not told anew: the device keeps dropping out, and the user is told that once."

  private mutating func awaitDevices() {
    guard let next = outage.next else { return disarm(.soundDevices) }
    arm(.soundDevices, milliseconds: max(0, next.milliseconds(since: now)))
  }

  /// The microphone is there, and gives nothing that could be heard, or does again.
  mutating func muteChanged(_ isMuted: Bool, _ name: String) {
    show(
      .warning(
        text: isMuted
          ? "The microphone “\(name)” gives no sound at all: it is muted, or not plugged in."
          : "The microphone “\(name)” is not muted any more."))
  }

  /// The user is noticed who spoke already while the program did, and was not heard then: his words are not all that he says.
  mutating func beginningLost() {
    guard input.isListening else { return }
    because("What the user began to say was not heard: it could not be told from the program's own voice.")
    sound.missed(at: now)
  }

  /// The microphone is too loud to be understood well.
  mutating func microphoneClips(_ name: String) {
    let remedy = "Turn its level down, or move it further away."
    show(.warning(text: "The microphone “\(name)” is too loud: the loudest parts are cut off. \(remedy)"))
  }

  /// A device is still away: tell the user, and after a while stop waiting for it.
  mutating func deviceStillAway() {
    while let (summary, stage) = outage.advance(at: now) { tell(summary, stage) }
    if outage.next != nil { awaitDevices() }
  }

  private mutating func tell(_ summary: DeviceOutage.Summary, _ stage: DeviceOutage.Stage) {
    switch stage {
    case .new: break
    case .told:
      if let told = summary.told { show(.warning(text: told.areAway)) }
      if let unsteady = summary.unsteady { show(.warning(text: unsteady.keepDroppingOut)) }
      if summary.told == nil { because(Self.knownToDropOut) }
    case .long:
      guard summary.told != nil else { return because(Self.knownToDropOut) }
      guard speech.speaker == .present else { return }
      because("Told by an earcon, too: who speaks does not look at the screen.")
      act(.playEarcon(earcon: .error))
    case .tooLong:
      for device in summary.devices { giveUp(device, summary.goneFor(device)) }
    }
  }

  private mutating func giveUp(_ device: DeviceOutage.Device, _ reason: String) {
    guard device.kind == .microphone else { return speakerFailed(reason) }
    guard input.takesCommands else { return microphoneFailed(reason) }
    because("Not ended: somebody is here to type, and the microphone may come back.")
    show(.warning(text: "\(reason) Press i to type meanwhile."))
  }
}

extension DeviceOutage.Summary {
  fileprivate var areAway: String {
    "The \(names) \(isOne ? "gives" : "give") no sound; \(isOne ? "it is" : "they are") being opened again."
  }

  fileprivate var keepDroppingOut: String {
    "The \(names) \(isOne ? "keeps" : "keep") dropping out: check plug, battery and distance, or use another device. "
      + "You are told no more of it until \(isOne ? "it has" : "they have") worked for a minute."
  }

  fileprivate var wereAway: String {
    let seconds = "\(milliseconds / 1000).\(milliseconds / 100 % 10)"
    return "The \(names) \(isOne ? "was" : "were") away for \(seconds) s and \(isOne ? "works" : "work") again."
  }

  fileprivate func goneFor(_ device: DeviceOutage.Device) -> String {
    "The \(device.kind.rawValue) “\(device.name)” has been gone for \(milliseconds(device) / 1000) s. Plug it in again; it is "
      + "used as soon as it is there."
  }
}
