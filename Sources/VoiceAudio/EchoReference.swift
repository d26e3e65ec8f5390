import VoiceSound
import VoiceVocabulary

/// What went to the loudspeaker, at 16 kHz, in step with what the microphone hears. Used by the microphone's thread.
///
/// Both devices run at the same rate but call back at their own moments. So the two are kept in step by how much of
/// each has come and was not used yet: a thread that is late finds more of both, and that changes nothing.
struct EchoReference {
  private let speaker: DeviceStream
  private let resampler: Resampler
  private var waiting: [Int16] = []
  /// The least in hand within the present time of observation, and how much of that is over, in blocks.
  private var leastSurplus = Int.max
  private var blocks = 0
  private var isSettled = false
  /// How often the two had to be brought in step anew: each time the cancellers must learn again.
  private(set) var jumps = 0

  /// This much more of the loudspeaker than of the microphone is kept in hand for uneven callbacks. It is less than the
  /// latency of any pair of devices, so that an echo never comes before its sound.
  private static let reserveSamples = 20 * PCM.microphoneRate / 1000
  /// Each change makes the cancellers learn again, so a little more in hand is left alone.
  private static let toleranceSamples = 20 * PCM.microphoneRate / 1000
  private static let blocksObserved = 100
  /// The first look is short, so that all is in place before the first reply.
  private static let blocksObservedFirst = 20
  /// So much of the microphone waits for its reference; then it goes on without.
  private static let patienceSamples = 50 * PCM.microphoneRate / 1000

  init(speaker: DeviceStream) {
    self.speaker = speaker
    resampler = Resampler(from: speaker.rate, to: PCM.microphoneRate)
    speaker.line.pointee.reference.skip(.max / 2)
  }

  /// Time from here to the loudspeaker, in milliseconds.
  var delayMilliseconds: Int {
    max(0, speaker.latencyMilliseconds - Self.reserveSamples * 1000 / PCM.microphoneRate)
  }

  /// The next block, or nil if it is worth waiting for; `microphoneSamples` is what the microphone has brought and was
  /// not used yet.
  mutating func next(_ count: Int, microphoneSamples: Int) -> [Int16]? {
    let coming = speaker.line.pointee.reference.available * PCM.microphoneRate / speaker.rate
    observe(surplus: waiting.count + coming - microphoneSamples)
    fill(count)
    guard waiting.count >= count else {
      return microphoneSamples < Self.patienceSamples ? nil : [Int16](repeating: 0, count: count)
    }
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  /// What is in hand goes up and down with the callbacks. If even the least of a while is too much, then the devices
  /// did not start together, a clock has drifted, or a device has skipped: an echo would seem to come before its sound.
  private mutating func observe(surplus: Int) {
    leastSurplus = min(leastSurplus, surplus)
    blocks += 1
    guard blocks >= (isSettled ? Self.blocksObserved : Self.blocksObservedFirst) else { return }
    let excess = leastSurplus - Self.reserveSamples
    if excess > (isSettled ? Self.toleranceSamples : 0) {
      fill(excess)
      waiting.removeFirst(min(excess, waiting.count))
      jumps += 1
    }
    isSettled = true
    leastSurplus = .max
    blocks = 0
  }

  /// Take from the device's line until this much is in hand, if there is so much.
  private mutating func fill(_ count: Int) {
    var buffer = [Int16](repeating: 0, count: speaker.rate / 100)
    while waiting.count < count {
      let got = buffer.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { speaker.line.pointee.reference.read(into: $0, count: buffer.count) } ?? 0
      }
      guard got > 0 else { return }
      waiting += resampler.process(Array(buffer.prefix(got)))
    }
  }
}
