import VoiceSound
import VoiceVocabulary

/// What a device speaker keeps in step: the queue, what of it is in the device's ring, and how far that has sounded.
/// Used by one thread at a time, under the speaker's lock.
struct DeviceFeeder {
  /// A stretch of sound in the ring.
  private struct Segment {
    /// Indices in the ring, at the device's rate.
    var ring: Range<Int>
    /// Where it begins in the queue's count, at 24 kHz.
    var start: Int
    var samples: [Int16]
  }

  var queue = PlaybackQueue()
  private var segments: [Segment] = []
  /// Queue positions that left for the device, with the moments at which they are heard.
  private var heard: [(position: Int, time: SessionTime)] = []
  private var playedPosition = 0
  private var outPosition = 0
  /// Where the recording of what was played goes on, in samples of the session at 24 kHz.
  private var recorded = 0
  /// Whether the resampler holds back the end of a sound.
  private var isHoldingBack = false
  private var resampler: Resampler
  private var stream: DeviceStream
  private let wiring: AudioWiring

  /// Taken from the queue at once.
  private static let blockSamples = 10 * PCM.speakerRate / 1000
  /// Sound in the ring, beside what the device itself holds: a thread may be this late.
  private static let aheadMilliseconds = 40

  init(stream: DeviceStream, wiring: AudioWiring) {
    self.stream = stream
    self.wiring = wiring
    resampler = Resampler(from: PCM.speakerRate, to: stream.rate)
  }

  /// The device was opened again: what the old stream had not played yet is handed to the new one.
  mutating func move(to stream: DeviceStream) {
    advance(wiring.now())
    let waiting = segments
    segments = []
    self.stream = stream
    resampler = Resampler(from: PCM.speakerRate, to: stream.rate)
    isHoldingBack = false
    for segment in waiting {
      put(resampler.process(segment.samples), from: segment.start, segment.samples)
      isHoldingBack = true
    }
  }

  /// Whether something is on its way to the ear, or a mark is due later.
  var isBusy: Bool { queue.hasSound || !segments.isEmpty || !heard.isEmpty || isHoldingBack }

  /// Move sound on and report what was played.
  mutating func feed() {
    let now = wiring.now()
    advance(now)
    for event in queue.progress(out: outPosition, played: playedPosition) { wiring.post(event) }
    while stream.line.pointee.ring.available < stream.rate * Self.aheadMilliseconds / 1000 {
      let start = queue.handed
      if queue.hasSound {
        let samples = queue.take(Self.blockSamples)
        put(resampler.process(samples), from: start, samples)
        isHoldingBack = true
      } else if isHoldingBack {
        put(resampler.drain(), from: start, [])
        isHoldingBack = false
      } else {
        break
      }
    }
  }

  /// Take back what the device does not have yet, and say how much was heard.
  mutating func clear() {
    stream.line.pointee.ring.dropUnread()
    advance(wiring.now())
    if let cut = segments.first, outPosition > cut.start {
      record(Array(cut.samples.prefix(outPosition - cut.start)))
    }
    for event in queue.clear(out: outPosition) { wiring.post(event) }
    segments = []
    heard = []
    outPosition = queue.handed
    playedPosition = queue.handed
    resampler.reset()
    isHoldingBack = false
  }

  private mutating func put(_ device: [Int16], from start: Int, _ samples: [Int16]) {
    let ringStart = stream.line.pointee.ring.written
    let count = stream.line.pointee.ring.write(device)
    segments.append(Segment(ring: ringStart..<ringStart + count, start: start, samples: samples))
  }

  private mutating func advance(_ now: SessionTime) {
    let consumed = stream.line.pointee.ring.consumed
    while let segment = segments.first, segment.ring.upperBound <= consumed {
      record(segment.samples)
      outPosition = segment.start + segment.samples.count
      heard.append((outPosition, now.advanced(byMilliseconds: stream.latencyMilliseconds)))
      segments.removeFirst()
    }
    if let segment = segments.first, consumed > segment.ring.lowerBound {
      outPosition =
        segment.start + segment.samples.count * (consumed - segment.ring.lowerBound) / segment.ring.count
    }
    while let next = heard.first, next.time <= now {
      playedPosition = next.position
      heard.removeFirst()
    }
  }

  /// Report what was really played; after a pause it goes on at the present moment.
  private mutating func record(_ samples: [Int16]) {
    guard let played = wiring.played, !samples.isEmpty else { return }
    let now = wiring.position(atRate: PCM.speakerRate) - samples.count
    if now - recorded > PCM.speakerRate / 10 { recorded = now }
    played(samples, recorded)
    recorded += samples.count
  }
}
