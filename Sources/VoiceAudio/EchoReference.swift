import VoiceCore
import VoiceSound

/// What went to the loudspeaker, at 16 kHz, in step with what the microphone hears. Used by the microphone's thread.
struct EchoReference {
  private let speaker: DeviceStream
  private let resampler: Resampler
  private var waiting: [Int16]

  /// The two devices call back at their own moments; this much in hand evens that out. It is less than the latency of
  /// any pair of devices, so that an echo never comes before its sound.
  private static let reserveSamples = 20 * PCM.microphoneRate / 1000
  private static let mostWaitingSamples = 100 * PCM.microphoneRate / 1000

  init(speaker: DeviceStream) {
    self.speaker = speaker
    resampler = Resampler(from: speaker.rate, to: PCM.microphoneRate)
    waiting = [Int16](repeating: 0, count: Self.reserveSamples)
    speaker.line.pointee.reference.skip(.max / 2)
  }

  /// Time from here to the loudspeaker, in milliseconds.
  var delayMilliseconds: Int {
    max(0, speaker.latencyMilliseconds - waiting.count * 1000 / PCM.microphoneRate)
  }

  /// The next block.
  mutating func next(_ count: Int) -> [Int16] {
    var buffer = [Int16](repeating: 0, count: speaker.rate / 10)
    let got = buffer.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { speaker.line.pointee.reference.read(into: $0, count: buffer.count) } ?? 0
    }
    if got > 0 { waiting += resampler.process(Array(buffer.prefix(got))) }
    // The clocks of two devices drift apart; start over before the canceller looks in the wrong place.
    if waiting.count > Self.mostWaitingSamples { waiting.removeFirst(waiting.count - Self.reserveSamples) }
    guard waiting.count >= count else { return [Int16](repeating: 0, count: count) }
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }
}
