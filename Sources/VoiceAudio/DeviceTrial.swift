import VoiceSound
package import VoiceVocabulary

/// Tries the devices themselves: a tone on the speaker, and what the microphone gives. For the thread that calls it.
package struct DeviceTrial {
  /// How long the microphone is listened to, in steps of a tenth of a second.
  package static let steps = 40
  /// How long a sound may take until the speaker has taken it.
  private static let patienceSteps = 30

  private let system: SoundSystem
  /// Never started: the caller's own thread waits with it, as every thread of sound does.
  private let thread: AudioThread

  package init(_ system: SoundSystem) throws(AudioError) {
    self.system = system
    thread = try AudioThread()
  }

  /// Wait on the caller's thread.
  func wait(_ milliseconds: Int) { _ = thread.wait(milliseconds: milliseconds) }

  /// The name of the device that a fragment of it means; of the default one for nil.
  package func name(of kind: SoundDeviceKind, named fragment: String?) throws(AudioError) -> String {
    system.devices[try system.index(of: kind, named: fragment)].name
  }

  /// Open a device, without starting it.
  func open(_ kind: SoundDeviceKind, named fragment: String?) throws(AudioError) -> DeviceStream {
    try DeviceStream(kind, at: try system.index(of: kind, named: fragment), in: system)
  }

  /// Play a sound of 24 kHz and at most a second. Returns whether the device has taken all of it.
  package func play(_ samples: [Int16], on fragment: String?) throws(AudioError) -> Bool {
    let stream = try open(.speaker, named: fragment)
    let resampler = Resampler(from: PCM.speakerRate, to: stream.rate)
    let sound = resampler.process(samples) + resampler.drain()
    let fitting = stream.line.pointee.ring.write(sound)
    if let reason = stream.start() {
      throw AudioError.unusableDevice(.speaker, name: stream.name, reason: reason)
    }
    for _ in 0..<Self.patienceSteps where stream.line.pointee.ring.consumed < fitting { wait(100) }
    defer { stream.giveUp() }
    guard stream.line.pointee.ring.consumed >= fitting else { return false }
    // What the device holds is still to be heard.
    wait(stream.latencyMilliseconds + 100)
    return true
  }

  /// Listen to the microphone.
  ///
  /// - Parameter heard: learns the level of each tenth of a second, in decibels.
  package func listen(
    to fragment: String?, heard: (Int) -> Void
  ) throws(AudioError) -> MicrophoneTrial.Verdict {
    let stream = try open(.microphone, named: fragment)
    if let reason = stream.start() {
      throw AudioError.unusableDevice(.microphone, name: stream.name, reason: reason)
    }
    defer { stream.giveUp() }
    var trial = MicrophoneTrial(rate: stream.rate)
    for _ in 0..<Self.steps {
      wait(100)
      trial.hear(stream.line.pointee.ring.read(atMost: stream.rate))
      heard(trial.decibels)
    }
    return trial.verdict
  }
}
