package import VoiceCore

/// A loudspeaker or headphones.
///
/// When the device is gone, `speakerFailed` is posted once and playback goes on by the clock, so that nobody waits for
/// the end of a piece.
package final class DeviceSpeaker: Speaker {
  /// The device's name.
  package var name: String { stream.name }

  let stream: DeviceStream
  private let feeder: Locked<DeviceFeeder>
  private let thread: AudioThread

  private static let tickMilliseconds = 10
  private static let idleMilliseconds = 500

  /// Open the device with this fragment in its name, or the default one, or say what is wrong.
  package init(named fragment: String?, in system: SoundSystem, wiring: AudioWiring) throws(AudioError) {
    stream = try DeviceStream(.speaker, named: fragment, in: system)
    feeder = Locked(DeviceFeeder(stream: stream, wiring: wiring))
    thread = try AudioThread()
    thread.start { [stream, feeder] thread in
      Self.pump(stream: stream, feeder: feeder, wiring: wiring, thread: thread)
    }
  }

  package func play(_ audio: SpeechAudio, of speech: SpeechID) {
    feeder.withLock { $0.queue.append(audio.samples, of: speech) }
    thread.ring()
  }

  package func finishPlaying(_ speech: SpeechID) {
    feeder.withLock { $0.queue.finish(speech) }
    thread.ring()
  }

  package func clearPlayback() { feeder.withLock { $0.clear() } }

  package func duckPlayback() { feeder.withLock { $0.queue.lower() } }

  package func resumePlayback() {
    feeder.withLock { $0.queue.restore() }
    thread.ring()
  }

  package func play(_ earcon: Earcon) {
    let samples = earcon.samples
    feeder.withLock { $0.queue.mix(samples) }
    thread.ring()
  }

  package func stop() { thread.stop() }

  private static func pump(
    stream: DeviceStream, feeder: Locked<DeviceFeeder>, wiring: AudioWiring, thread: AudioThread
  ) {
    var watch = DeviceWatch()
    var deadSince: SessionTime?
    if let reason = stream.start() {
      fail(reason)
    }
    func fail(_ reason: String) {
      stream.giveUp()
      deadSince = wiring.now()
      wiring.post(.speakerFailed(reason: reason))
    }
    while !thread.isStopped {
      let now = wiring.now()
      if let since = deadSince {
        // Nobody takes sound any more: let it run off as fast as it would have played.
        let elapsed = Int(now.microseconds - since.microseconds)
        stream.line.pointee.ring.skip(elapsed * stream.rate / 1_000_000)
        deadSince = now
      } else if watch.isGone(
        stream, now: now.microseconds, limitMilliseconds: Limits.deviceSilenceMilliseconds)
      {
        fail("the speaker \"\(stream.name)\" takes no sound any more: plug it in again and start anew")
      }
      let isBusy = feeder.withLock { feeder in
        feeder.feed()
        return feeder.isBusy
      }
      _ = thread.wait(milliseconds: isBusy ? tickMilliseconds : idleMilliseconds)
    }
  }
}
