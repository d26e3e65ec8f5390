package import VoiceSound
import VoiceVocabulary

/// A recording as the microphone. After its end come `microphoneEnded`, once, and frames of silence.
package final class FileMicrophone: Microphone {
  /// How fast the recording runs; the silence behind it is always at real pace.
  package enum Pace: String, Sendable, CaseIterable {
    case real
    /// `Limits.fastestPace` times as fast, in small steps.
    case fast
  }

  private let reader: SoundFileReader
  private let pace: Pace
  private let wiring: AudioWiring
  private let makeVAD: (@Sendable () -> LocalVAD)?
  private let thread: AudioThread

  /// One line for people if the recording is usable but not whole.
  package var warning: String? { reader.warning }

  /// Open the recording, or say what is wrong with it. `makeVAD` is called on the microphone's own thread.
  package init(
    path: String, pace: Pace = .real, wiring: AudioWiring, makeVAD: (@Sendable () -> LocalVAD)? = nil
  ) throws(AudioError) {
    do throws(SoundFileError) { reader = try SoundFileReader(path: path) } catch { throw .unusableFile(error) }
    thread = try AudioThread()
    self.pace = pace
    self.wiring = wiring
    self.makeVAD = makeVAD
  }

  package func start() {
    let (reader, pace, wiring, makeVAD) = (reader, pace, wiring, makeVAD)
    thread.start { thread in
      var feed = MicrophoneFeed(wiring: wiring, vad: makeVAD?())
      var due = FramePace(start: wiring.now(), speed: pace == .fast ? Limits.fastestPace : 1)
      do throws(SoundFileError) {
        while true {
          let samples = try reader.read(PCM.frameSamples)
          guard !samples.isEmpty else { break }
          guard due.waitForNext(on: thread, now: wiring.now) else { return }
          feed.deliver(samples)
        }
        wiring.post(.microphoneEnded)
      } catch {
        wiring.post(.microphoneFailed(reason: error.description))
      }
      feed.deliverSilence(on: thread, from: wiring.now())
    }
  }

  package func stop() { thread.stop() }
}
