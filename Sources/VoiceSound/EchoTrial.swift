import VoiceVocabulary

/// What the microphone hears of the loudspeaker while a sound like speech plays, and what a session would make of that. Fed
/// with blocks of 10 ms at 16 kHz, as `CaptureProcessor`; one thread.
package struct EchoTrial {
  /// What is to be expected of a session with these devices.
  package enum Verdict: String, Equatable, Sendable {
    /// The microphone gave nothing but zeros.
    case deaf
    /// Nothing of the loudspeaker comes in.
    case silent
    /// The echo is taken away, and who interrupts is heard.
    case fullDuplex
    /// The echo is taken away, but it is so loud that who speaks over it may be taken away with it.
    case loudFullDuplex
    /// The echo is not taken away; who is clearly louder than it interrupts.
    case halfDuplex
    /// The echo is not taken away, and louder than anybody speaks.
    case hopeless
  }

  private static let person = EchoLoudness.person
  /// In half duplex one must be louder than the echo by this, in dB, as `EchoPath` has it.
  private static let margin = 6
  private static let leastPlayed = EchoLoudness.leastPlayed
  /// The last 3 s: by then the cancellers have learnt.
  private static let remembered = 300

  private var processor = CaptureProcessor()
  private var captured = LevelHistory(capacity: 1_000)
  private var losses = EchoLoss(blocks: remembered)
  private var isZero = true

  package init() {}

  /// Take one block of what the microphone heard and of what was played; `delayMilliseconds` is what the devices state.
  package mutating func hear(_ block: [Int16], played: [Int16], delayMilliseconds: Int) {
    let result = processor.process(block, played: played, delayMilliseconds: delayMilliseconds)
    if block.contains(where: { $0 != 0 }) { isZero = false }
    guard decibels(of: played) > Self.leastPlayed else { return }
    captured.add(decibels(of: block))
    losses.hear(captured: block, residual: result.detectorSamples)
  }

  /// Milliseconds that the echo takes; nil if nothing like what was played was heard.
  package var delayMilliseconds: Int? { processor.echoDelayMilliseconds }

  /// How loud the echo is at the microphone at its loudest tenth, in dBFS.
  package var echo: Int { captured.quantile(percent: 90) ?? -100 }

  /// How much louder that is than what is played, in dB; nil if too little was played.
  package var coupling: Int? { processor.coupling }

  /// The room without the echo, in dBFS.
  package var noise: Int { processor.noise }

  /// How much of the echo is taken away, in dB, over the last 3 s.
  package var loss: Int { losses.decibels }

  /// What is to be expected.
  package var verdict: Verdict {
    if isZero { return .deaf }
    if echo <= noise + Self.margin { return .silent }
    if processor.isFullDuplex { return echo > Self.person ? .loudFullDuplex : .fullDuplex }
    return echo + Self.margin > Self.person ? .hopeless : .halfDuplex
  }

  /// What was found, what a session does with it, and what to do; a sentence each.
  package var sentences: [String] {
    if verdict == .deaf {
      return [
        "The microphone gave nothing but zeros, so nothing can be said of the echo.", "See parley devices --test.",
      ]
    }
    if verdict == .silent {
      return [
        "Nothing of the loudspeaker comes in at the microphone (\(echo) dBFS while it plays, the room \(noise)).",
        "Full duplex: you can interrupt at any time.",
        "If you did not hear the sound either, see parley devices --test.",
      ]
    }
    var found: [String] = []
    found.append(
      delayMilliseconds.map { "The echo comes in \($0) ms after it was played." }
        ?? "The delay of the echo could not be determined: the input does not resemble what was played.")
    found.append(
      "It is at \(echo) dBFS"
        + (coupling.map { $0 > 0 ? ", \($0) dB above what is played" : ", \(-$0) dB below what is played" } ?? "")
        + "; the room is at \(noise).")
    found.append("\(max(0, loss)) dB of it are removed.")
    return found + advice
  }

  private var advice: [String] {
    let excess = echo - Self.person
    return switch verdict {
    case .fullDuplex: ["Full duplex: you can interrupt by speaking as usual."]
    case .loudFullDuplex:
      [
        "Full duplex, but the echo is \(excess) dB louder than most people speak: an interruption may be missed.",
        "Turn the loudspeaker down by \(excess) dB or more, use headphones, or interrupt with a key.",
      ]
    case .halfDuplex:
      [
        "Half duplex: you can interrupt only by speaking clearly louder than the echo.",
        "Headphones, or a loudspeaker farther from the microphone, would do better; a key always interrupts.",
      ]
    case .hopeless:
      [
        "Half duplex, and the echo is too loud to interrupt by speaking.",
        "Use headphones, turn the loudspeaker down by \(excess + Self.margin) dB or more, or use push-to-talk.",
      ]
    case .deaf, .silent: []
    }
  }
}

extension EchoTrial {
  /// What is played: 8 s at 24 kHz that resemble speech, syllables of a gliding voice with formants, a little hoarse, always
  /// the same. Nobody's words, so it needs no voice to be installed.
  package static var sound: [Int16] {
    let rate = Double(PCM.speakerRate)
    var chance: UInt64 = 7
    func next() -> Double {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(chance >> 40) / Double(1 << 24)
    }
    var sound: [Double] = []
    while sound.count < 8 * PCM.speakerRate {
      let count = Int((0.12 + 0.16 * next()) * rate)
      let (start, end) = (100 + 80 * next(), 100 + 80 * next())
      var formants = [300 + 500 * next(), 900 + 1_300 * next(), 2_300 + 900 * next()].map { Resonance($0, rate: rate) }
      var turn = 0.0
      for index in 0..<count {
        let part = Double(index) / Double(count)
        turn += (start + (end - start) * part) / rate
        var pulse = 0.3 * (next() - 0.5)
        if turn >= 1 {
          turn -= 1
          pulse += 4
        }
        let swell = (1 - sine(turns: part + 0.25)) / 2
        sound.append(swell * formants.indices.reduce(0) { $0 + formants[$1].hear(pulse) })
      }
      sound += [Double](repeating: 0, count: Int(0.06 * next() * rate))
    }
    let most = sound.reduce(1e-9) { max($0, abs($1)) }
    return sound.map { PCM.sample(Float($0 / most * 0.4)) }
  }
}

/// A filter of second order that rings at one frequency.
private struct Resonance {
  private let first: Double
  private let second: Double
  private var last = (0.0, 0.0)

  init(_ hertz: Double, rate: Double) {
    first = 2 * 0.985 * sine(turns: hertz / rate + 0.25)
    second = -0.985 * 0.985
  }

  mutating func hear(_ sample: Double) -> Double {
    last = (sample + first * last.0 + second * last.1, last.0)
    return last.0
  }
}
