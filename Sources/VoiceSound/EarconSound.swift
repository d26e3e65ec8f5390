package import VoiceVocabulary

// How the earcons sound: soft sine tones that swell and fade along a raised cosine, so that nothing clicks. They differ
// in pitch, direction and length, which is heard even on a poor loudspeaker.

extension Earcon {
  /// The sound itself: 24 kHz, at most 200 ms, at most -14 dBFS, silent at both ends.
  package var samples: [Int16] {
    var mix = [Double](repeating: 0, count: milliseconds * PCM.speakerRate / 1000)
    for tone in tones { tone.add(to: &mix) }
    return mix.map { PCM.sample(Float($0)) }
  }

  /// How long the sound lasts.
  package var milliseconds: Int { tones.map { $0.startMilliseconds + $0.milliseconds }.max() ?? 0 }

  private var tones: [Tone] {
    switch self {
    // One high note: "yes?"
    case .heardYou: [Tone(at: 0, for: 90, hertz: 1047, level: 0.16)]
    // A low, quiet tick that does not get on the nerves when it comes again and again.
    case .working: [Tone(at: 0, for: 70, hertz: 392, level: 0.09)]
    // The same note twice: a knock at the door.
    case .waiting: [Tone(at: 0, for: 85, hertz: 784, level: 0.16), Tone(at: 95, for: 85, hertz: 784, level: 0.16)]
    // A step up, which sounds finished.
    case .done: [Tone(at: 0, for: 90, hertz: 523, level: 0.15), Tone(at: 80, for: 110, hertz: 698, level: 0.15)]
    // A wide step up, quick.
    case .soundReturned:
      [Tone(at: 0, for: 60, hertz: 494, level: 0.15), Tone(at: 60, for: 80, hertz: 988, level: 0.15)]
    // Up an octave, and down again.
    case .microphoneOpened:
      [Tone(at: 0, for: 70, hertz: 587, level: 0.15), Tone(at: 70, for: 90, hertz: 1175, level: 0.14)]
    case .microphoneClosed:
      [Tone(at: 0, for: 70, hertz: 1175, level: 0.14), Tone(at: 70, for: 90, hertz: 587, level: 0.15)]
    // A step down, low.
    case .error: [Tone(at: 0, for: 100, hertz: 311, level: 0.16), Tone(at: 90, for: 110, hertz: 220, level: 0.16)]
    }
  }
}

/// One sine tone under a raised-cosine envelope.
private struct Tone {
  var startMilliseconds: Int
  var milliseconds: Int
  var hertz: Double
  /// Peak amplitude, 1 being full scale.
  var level: Double

  init(at startMilliseconds: Int, for milliseconds: Int, hertz: Double, level: Double) {
    self.startMilliseconds = startMilliseconds
    self.milliseconds = milliseconds
    self.hertz = hertz
    self.level = level
  }

  func add(to mix: inout [Double]) {
    let first = startMilliseconds * PCM.speakerRate / 1000
    let count = milliseconds * PCM.speakerRate / 1000
    for index in 0..<count {
      let envelope = (1 - sine(turns: Double(index) / Double(count - 1) + 0.25)) / 2
      mix[first + index] += level * envelope * sine(turns: hertz * Double(index) / Double(PCM.speakerRate))
    }
  }
}

/// The sine of an angle in whole turns. The standard library has none; the error of this one is below 1e-7.
func sine(turns: Double) -> Double {
  let turn = turns - turns.rounded()
  // Fold into a quarter turn to either side, where the power series converges fast.
  let folded = turn > 0.25 ? 0.5 - turn : turn < -0.25 ? -0.5 - turn : turn
  let angle = folded * 2 * Double.pi
  let square = angle * angle
  var term = angle
  var sum = angle
  for divisor in [6.0, 20, 42, 72, 110, 156] {
    term *= -square / divisor
    sum += term
  }
  return sum
}
