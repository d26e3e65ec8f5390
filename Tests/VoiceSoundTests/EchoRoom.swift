import Foundation
import VoiceReplay
import VoiceSound

/// A loudspeaker, a room and a microphone, made by hand: the direct sound and reflections that die out.
struct EchoRoom {
  /// Milliseconds from the loudspeaker's line to the microphone's.
  var delay = 60
  /// Milliseconds for which the room rings; 0 is the loudspeaker's monitor.
  var ringing = 0
  /// In decibels, what comes in of what is played.
  var volume = 0.0
  /// Samples of noise, at most.
  var noise = 3
  /// So much sooner does it come with every sample, in millionths: two devices have two clocks.
  var drift = 0.0

  /// What the microphone hears of it.
  func hear(_ played: [Int16]) -> [Int16] {
    var chance = SeededGenerator(seed: 7)
    var taps = [(place: delay * 16, strength: 1.0)]
    for _ in 0..<(ringing > 0 ? 12 : 0) {
      let place = 2 + Double(chance.next() % 1_000) / 1_000 * Double(ringing)
      let sign: Double = chance.next() & 1 == 0 ? 1 : -1
      taps.append((delay * 16 + Int(place * 16), sign * 0.5 * power(10, -place / Double(ringing))))
    }
    let scale = power(10, volume / 20) / taps.reduce(0) { $0 + $1.strength * $1.strength }.squareRoot()
    var sound = [Double](repeating: 0, count: played.count)
    for tap in taps {
      for index in tap.place..<max(tap.place, played.count) {
        sound[index] += tap.strength * scale * Double(played[index - tap.place])
      }
    }
    if drift != 0 { sound = drifting(sound) }
    return sound.map { sample in
      let hiss = Double(Int(chance.next() % UInt64(2 * noise + 1)) - noise)
      return Int16(max(-32_768, min(32_767, sample + hiss)))
    }
  }

  private func drifting(_ sound: [Double]) -> [Double] {
    let taps = -8...9
    return sound.indices.map { index in
      let place = Double(index) * (1 + drift * 1e-6)
      let whole = Int(place)
      return taps.reduce(0.0) { sum, tap in
        guard sound.indices.contains(whole + tap) else { return sum }
        let distance = Double(whole + tap) - place
        let sine = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        return sum + sound[whole + tap] * sine * (0.5 + 0.5 * cos(.pi * distance / 9))
      }
    }
  }
}

/// What comes of a reply in a room.
struct Reply {
  /// What the recogniser heard.
  var heard: [Int16] = []
  /// Seconds at which the detector took somebody for the user.
  var starts: [Double] = []
  /// Seconds at which it changed to full (true) or half duplex.
  var changes: [(seconds: Double, isFull: Bool)] = []

  /// Play a reply after half a second of silence, with the user's sound on top from a moment on.
  init(_ played: [Int16], microphone: [Int16], learningAgainAt jump: Int? = nil) {
    var processor = CaptureProcessor()
    for start in stride(from: 0, to: min(played.count, microphone.count) - 159, by: 160) {
      let wasFull = processor.isFullDuplex
      if start / 160 == jump { processor.learnAgain() }
      let block = processor.process(
        Array(microphone[start..<start + 160]), played: Array(played[start..<start + 160]), delayMilliseconds: 60)
      heard += block.samples
      let seconds = Double(start + 160) / 16_000
      if block.changes.contains(.started) { starts.append(seconds) }
      if processor.isFullDuplex != wasFull { changes.append((seconds, processor.isFullDuplex)) }
    }
  }
}

func silence(seconds: Double) -> [Int16] { [Int16](repeating: 0, count: Int(16_000 * seconds)) }

/// One sound on top of another, from a moment on, at so many decibels.
func mix(_ sound: [Int16], into other: [Int16], at seconds: Double, decibels: Double) -> [Int16] {
  var result = other
  let gain = power(10, decibels / 20)
  for (index, sample) in sound.enumerated() where index + Int(seconds * 16_000) < other.count {
    let place = index + Int(seconds * 16_000)
    result[place] = Int16(max(-32_768, min(32_767, Double(other[place]) + gain * Double(sample))))
  }
  return result
}
