package import VoiceSound
import VoiceVocabulary

/// Tries a loudspeaker and a microphone together: plays the sound of an `EchoTrial`, and feeds it with what comes back and with
/// what really played, as a session's microphone does.
extension DeviceTrial {
  /// The room alone, and how long the echo may take behind the end.
  private static let roomMilliseconds = 700
  private static let tailMilliseconds = 500
  /// No device needs so long for the sound.
  private static let limitMilliseconds = 15_000
  private static let tickMilliseconds = 10

  /// Play and listen, about ten seconds; a name is part of a device's, nil the default one. Nil if the speaker takes no sound.
  package func echo(microphone: String?, speaker: String?) throws(AudioError) -> EchoTrial? {
    let loudspeaker = try open(.speaker, named: speaker)
    let ear = try open(.microphone, named: microphone)
    defer {
      loudspeaker.giveUp()
      ear.giveUp()
    }
    var trial = EchoTrial()
    var reference = EchoReference(speaker: loudspeaker)
    for (kind, stream) in [(SoundDeviceKind.speaker, loudspeaker), (.microphone, ear)] {
      if let reason = stream.start() { throw AudioError.unusableDevice(kind, name: stream.name, reason: reason) }
    }
    let resampler = Resampler(from: PCM.speakerRate, to: loudspeaker.rate)
    var sound = (resampler.process(EchoTrial.sound) + resampler.drain())[...]
    let total = sound.count
    let hearing = Resampler(from: ear.rate, to: PCM.microphoneRate)
    var captured: [Int16] = []
    var (waited, tail) = (0, 0)
    while waited < Self.limitMilliseconds, tail < Self.tailMilliseconds {
      wait(Self.tickMilliseconds)
      waited += Self.tickMilliseconds
      if waited >= Self.roomMilliseconds { sound = sound.dropFirst(write(sound, to: loudspeaker)) }
      captured += hearing.process(ear.line.pointee.ring.read(atMost: ear.rate))
      feed(&trial, &captured, &reference, ear)
      if loudspeaker.line.pointee.ring.consumed >= total { tail += Self.tickMilliseconds }
    }
    return loudspeaker.line.pointee.ring.consumed >= total ? trial : nil
  }

  private func feed(
    _ trial: inout EchoTrial, _ captured: inout [Int16], _ reference: inout EchoReference, _ ear: DeviceStream
  ) {
    while captured.count >= CaptureProcessor.blockSamples {
      let coming = ear.line.pointee.ring.available * PCM.microphoneRate / ear.rate
      guard
        let played = reference.next(CaptureProcessor.blockSamples, microphoneSamples: captured.count + coming)
      else { return }
      trial.hear(
        Array(captured.prefix(CaptureProcessor.blockSamples)), played: played,
        delayMilliseconds: ear.latencyMilliseconds + reference.delayMilliseconds)
      captured.removeFirst(CaptureProcessor.blockSamples)
    }
  }

  /// As much as is to be in hand; the result is how much was taken.
  private func write(_ sound: ArraySlice<Int16>, to stream: DeviceStream) -> Int {
    let wanted = stream.rate / 10 - stream.line.pointee.ring.available
    guard wanted > 0 else { return 0 }
    return stream.line.pointee.ring.write(Array(sound.prefix(wanted)))
  }
}
