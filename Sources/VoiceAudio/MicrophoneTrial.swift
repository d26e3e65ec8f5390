import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// What a microphone gave in a few seconds in which somebody was to speak, and what that says of it. A pure value.
package struct MicrophoneTrial: Equatable, Sendable {
  /// What is to be said of a microphone.
  package enum Verdict: String, Equatable, Sendable {
    /// It is open, and nothing came.
    case dead
    /// Nothing but zeros, which no live microphone gives.
    case muted
    /// Always the same value: a plug without a microphone.
    case stuck
    /// The loudest parts were cut off.
    case clipped
    /// Nobody was heard, or only just.
    case tooQuiet
    /// As it should be.
    case good

    /// What was found, and what to do.
    package var advice: String {
      switch self {
      case .dead: "dead: no sound came. Unplug it and plug it in again, or see whether another program holds it."
      case .muted: "muted: it gives nothing but zeros. Look for a switch on it, and in the sound settings."
      case .stuck: "no sound: it always gives the same value. Nothing may be connected to the plug."
      case .clipped: "too loud: it clips. Turn its level down, or move it away."
      case .tooQuiet: "too quiet: nobody was heard. Speak while it is tried, turn its level up, or come nearer."
      case .good: "good."
      }
    }
  }

  /// Speech at arm's length is louder than this for a twentieth of the time, in the mean of a tenth of a second: -46 dB.
  private static let quietLevel = 164

  private var count = 0
  private var clipped = 0
  private var first: Int16?
  private var isConstant = true
  /// The mean level of each tenth of a second.
  private var levels: [Int] = []
  private var sum = 0
  private var summed = 0
  private let window: Int

  /// - Parameter rate: samples a second.
  package init(rate: Int) { window = rate / 10 }

  /// Take what the microphone gave.
  package mutating func hear(_ samples: some Collection<Int16>) {
    for sample in samples {
      count += 1
      if first == nil { first = sample }
      if sample != first { isConstant = false }
      if ClipWatch.isClipped(sample) { clipped += 1 }
      sum += Int(sample) * Int(sample)
      summed += 1
      guard summed == window else { continue }
      levels.append(sum / summed)
      (sum, summed) = (0, 0)
    }
  }

  /// The level of the last tenth of a second, in decibels below the loudest there is; -96 for silence.
  package var decibels: Int {
    guard let square = levels.last, square > 0 else { return -96 }
    return max(-96, Int(VoiceSound.decibels(meanSquare: Double(square)).rounded()))
  }

  /// What is to be said of it.
  package var verdict: Verdict {
    guard let first, !levels.isEmpty else { return .dead }
    if isConstant { return first == 0 ? .muted : .stuck }
    if clipped * 10_000 > count * Limits.clippedShare { return .clipped }
    let loud = levels.sorted(by: >)[levels.count / 20]
    return loud < Self.quietLevel * Self.quietLevel ? .tooQuiet : .good
  }
}
