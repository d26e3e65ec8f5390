/// Whether what is left of the microphone's sound is a copy of what was played, come by a way that the canceller does not know:
/// a sound server has skipped, or a device was moved.
///
/// The greatest normalised correlation between the last 300 ms of what is left and what was played up to 800 ms
/// before. Somebody near may be softer than the echo or louder, his sound is no copy of it. At 2 kHz, where voices have most of
/// their power: in rooms that ring for up to 200 ms a skip of 40 to 100 ms gave 0.40 to 0.84, users at and 6 dB below the
/// echo's loudness 0.01 to 0.35 (one of 48: 0.51). Asked only when the detector opens.
package struct EchoLikeness: Equatable, Sendable {
  private static let thinning = 8
  private static let window = 600
  private static let reach = 1_600
  /// Thousandths.
  private static let least = 380

  private var played: [Float] = []
  private var gateRest: [Float] = []
  private var recogniserRest: [Float] = []

  package init() {}

  /// Take one block of what was played, and of what each canceller left of the microphone's.
  package mutating func hear(played: [Int16], gateRest: [Int16], recogniserRest: [Int16]) {
    Self.add(played, to: &self.played, keeping: Self.window + Self.reach)
    Self.add(gateRest, to: &self.gateRest, keeping: Self.window)
    Self.add(recogniserRest, to: &self.recogniserRest, keeping: Self.window)
  }

  /// Whether what is left now is an echo.
  package var isEcho: Bool {
    max(Self.likeness(gateRest, played), Self.likeness(recogniserRest, played)) * 1_000 >= Float(Self.least)
  }

  private static func add(_ samples: [Int16], to history: inout [Float], keeping count: Int) {
    for start in stride(from: 0, to: samples.count - thinning + 1, by: thinning) {
      history.append(Float(samples[start..<start + thinning].reduce(0) { $0 + Int($1) } / thinning))
    }
    // Seldom, so that it costs little.
    if history.count > 2 * count { history.removeFirst(history.count - count) }
  }

  private static func likeness(_ rest: [Float], _ played: [Float]) -> Float {
    guard rest.count >= window, played.count >= window + reach else { return 0 }
    let pattern = Array(rest.suffix(window))
    let text = Array(played.suffix(window + reach))
    var power = text.prefix(window).reduce(0) { $0 + $1 * $1 }
    let own = pattern.reduce(0) { $0 + $1 * $1 }
    var greatest: Float = 0
    pattern.withUnsafeBufferPointer { pattern in
      text.withUnsafeBufferPointer { text in
        for lag in 0...reach {
          var product: Float = 0
          for index in 0..<window { product += pattern[index] * text[lag + index] }
          // At least a sample of power, or silence would be like anything.
          greatest = max(greatest, product * product / max(1, power * own))
          if lag < reach { power += text[lag + window] * text[lag + window] - text[lag] * text[lag] }
        }
      }
    }
    return greatest.squareRoot()
  }
}
