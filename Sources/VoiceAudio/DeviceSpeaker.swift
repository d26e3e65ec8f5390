import VoiceSound
import VoiceSystem
package import VoiceVocabulary

/// A loudspeaker or headphones.
///
/// When the device falls silent, it is opened again, and what is to be played waits for it; earcons do not, they are of their
/// moment. Where it never worked, `speakerFailed` is posted once and playback goes on by the clock, so that nobody waits for
/// the end of a piece.
package final class DeviceSpeaker: Speaker {
  let device: ReopeningDevice
  private let feeder: Locked<DeviceFeeder>
  private let thread: AudioThread

  private static let tickMilliseconds = 10
  private static let idleMilliseconds = 250

  /// Open the device with this fragment in its name, or the default one, or say what is wrong.
  package init(named fragment: String?, in system: SoundSystem, wiring: AudioWiring) throws(AudioError) {
    device = try ReopeningDevice(.speaker, named: fragment, in: system, wiring: wiring)
    feeder = Locked(DeviceFeeder(stream: device.stream, wiring: wiring))
    thread = try AudioThread()
    thread.start { [device, feeder] thread in
      Self.pump(device: device, feeder: feeder, wiring: wiring, thread: thread)
    }
  }

  package func play(_ audio: SpeechAudio, of speech: SpeechID) {
    feeder.withLock { $0.queue.append(audio.samples, of: speech) }
    thread.wake()
  }

  package func finishPlaying(_ speech: SpeechID) {
    feeder.withLock { $0.queue.finish(speech) }
    thread.wake()
  }

  package func clearPlayback() { feeder.withLock { $0.clear() } }

  package func duckPlayback() { feeder.withLock { $0.queue.lower() } }

  package func resumePlayback() {
    feeder.withLock { $0.queue.restore() }
    thread.wake()
  }

  package func play(_ earcon: Earcon) {
    guard !device.isAway else { return }
    let samples = earcon.samples
    feeder.withLock { $0.queue.mix(samples) }
    thread.wake()
  }

  package func stop() { thread.stop() }

  private static func pump(
    device: ReopeningDevice, feeder: Locked<DeviceFeeder>, wiring: AudioWiring, thread: AudioThread
  ) {
    var isWorking = device.start()
    var deadSince: SessionTime?
    while !thread.isStopped {
      let now = wiring.now()
      device.reportReplacement(at: now)
      if let since = deadSince {
        // Nobody takes sound any more: let it run off as fast as it would have played.
        let stream = device.stream
        let elapsed = Int(now.microseconds - since.microseconds)
        stream.line.pointee.ring.skip(elapsed * stream.rate / 1_000_000)
        deadSince = now
      } else if !isWorking || device.isSilent(at: now) {
        if device.reopen(on: thread) {
          feeder.withLock { $0.move(to: device.stream) }
          isWorking = device.start()
        } else {
          deadSince = now
        }
        continue
      }
      let isBusy = feeder.withLock { feeder in
        feeder.feed()
        return feeder.isBusy
      }
      _ = thread.wait(milliseconds: isBusy ? tickMilliseconds : idleMilliseconds)
    }
  }
}
