package import VoiceSound
import VoiceVocabulary

/// A microphone, freed from the echo of the loudspeaker beside it.
package final class DeviceMicrophone: Microphone {
  /// The device's name.
  package var name: String { device.name }

  private let device: ReopeningDevice
  private let speaker: ReopeningDevice?
  private let wiring: AudioWiring
  private let makeVAD: (@Sendable () -> LocalVAD)?
  private let thread: AudioThread

  /// Half of what one callback brings: a frame waits no longer than that.
  private static let tickMilliseconds = 5
  private static let silence = [Int16](repeating: 0, count: CaptureProcessor.blockSamples)

  /// Open the device with this fragment in its name, or the default one, or say what is wrong. The echo of `speaker` is
  /// cancelled. `makeVAD` is called on the microphone's own thread; nil decides by the WebRTC voice detector.
  package init(
    named fragment: String?, in system: SoundSystem, besides speaker: DeviceSpeaker?, wiring: AudioWiring,
    makeVAD: (@Sendable () -> LocalVAD)? = nil
  ) throws(AudioError) {
    device = try ReopeningDevice(.microphone, named: fragment, in: system, wiring: wiring)
    self.speaker = speaker?.device
    self.wiring = wiring
    self.makeVAD = makeVAD
    thread = try AudioThread()
  }

  package func start() {
    thread.start { [self] thread in listen(on: thread) }
  }

  package func stop() { thread.stop() }

  /// The positions go on, however often the device is opened again.
  private func listen(on thread: AudioThread) {
    var feed = MicrophoneFeed(wiring: wiring, vad: nil)
    repeat {
      listen(to: device.stream, &feed, on: thread)
      feed.endVoice()
    } while device.reopen(on: thread)
  }

  /// Returns when the device is silent, and when the thread is to return.
  private func listen(to stream: DeviceStream, _ feed: inout MicrophoneFeed, on thread: AudioThread) {
    var processor = CaptureProcessor(vad: makeVAD?(), silenceMilliseconds: wiring.silenceMilliseconds)
    var speakerOpenings = speaker?.openings
    var reference = speaker.map { EchoReference(speaker: $0.stream) }
    let resampler = Resampler(from: stream.rate, to: PCM.microphoneRate)
    var (captured, frame): ([Int16], [Int16]) = ([], [])
    var (lost, jumps) = (0, 0)
    var duplex: Duplex?
    var delay = stream.latencyMilliseconds + (reference?.delayMilliseconds ?? 0)
    guard device.start() else { return }
    var standstill = Standstill()
    while thread.wait(milliseconds: Self.tickMilliseconds) != .stopped {
      if let speaker, speaker.openings != speakerOpenings {
        speakerOpenings = speaker.openings
        reference = EchoReference(speaker: speaker.stream)
        delay = stream.latencyMilliseconds + (reference?.delayMilliseconds ?? 0)
        jumps = 0
        processor.changeLoudspeaker()
      }
      let heard = stream.line.pointee.ring.read(atMost: stream.rate / 10)
      if !heard.isEmpty, standstill.hasEnded(at: wiring.now(), of: processor) { processor.doubtEcho() }
      captured += resampler.process(heard)
      feed.watch(heard, rate: stream.rate, of: name)
      while captured.count >= CaptureProcessor.blockSamples {
        var played = Self.silence
        if reference != nil {
          let coming = stream.line.pointee.ring.available * PCM.microphoneRate / stream.rate
          guard
            let next = reference?.next(CaptureProcessor.blockSamples, microphoneSamples: captured.count + coming)
          else { break }
          played = next
          if let now = reference?.jumps, now > jumps {
            jumps = now
            processor.learnAgain()
          }
        }
        let block = Array(captured.prefix(CaptureProcessor.blockSamples))
        captured.removeFirst(block.count)
        let result = processor.process(block, played: played, delayMilliseconds: delay)
        if processor.hasPlayed, duplex != processor.duplex {
          duplex = processor.duplex
          wiring.post(.duplexChanged(duplex: processor.duplex))
        }
        frame += result.samples
        if frame.count >= PCM.frameSamples {
          deliver(frame, behind: captured.count, of: stream, lost: lost, to: &feed)
          frame.removeFirst(PCM.frameSamples)
        }
        feed.post(result)
      }
      let lostNow = stream.lostSamples
      if lostNow > lost {
        feed.skip((lostNow - lost) * PCM.microphoneRate / stream.rate)
        lost = lostNow
      }
      let now = wiring.now()
      device.reportReplacement(at: now)
      if device.isSilent(at: now) { return }
    }
  }

  /// Deliver the first frame of what is cleaned; so many samples have come behind it.
  private func deliver(
    _ samples: [Int16], behind count: Int, of stream: DeviceStream, lost: Int, to feed: inout MicrophoneFeed
  ) {
    // What a sound server kept while the program stood still comes when its place has passed.
    guard !feed.isAhead else { return }
    let waiting = samples.count - PCM.frameSamples + count
    feed.deliver(Array(samples.prefix(PCM.frameSamples))) {
      // What was lost lies behind this frame, too.
      let behind = stream.line.pointee.ring.available + stream.lostSamples - lost
      return waiting + behind * PCM.microphoneRate / stream.rate
    }
  }
}

/// Tells when sound comes again after the machine, or its sound server, stood still. The loudspeaker has run dry by then, and what it
/// plays from then on comes later, though as much of it was taken as of the microphone's sound.
private struct Standstill {
  private static let milliseconds = 200
  private var heardAt: SessionTime?
  private var beginnings = 0

  /// There is sound. While the room was learnt anew, nobody looked for any.
  mutating func hasEnded(at now: SessionTime, of processor: CaptureProcessor) -> Bool {
    defer { (heardAt, beginnings) = (now, processor.beginnings) }
    return beginnings == processor.beginnings
      && (heardAt.map { $0.advanced(byMilliseconds: Self.milliseconds) <= now } ?? false)
  }
}

extension CaptureProcessor {
  fileprivate var duplex: Duplex {
    if isEchoUnknown { return .unknown }
    if isDrowned { return .drowned }
    return hearsNoEcho ? .noEcho : isFullDuplex ? .full : .half
  }
}
