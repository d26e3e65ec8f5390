/// How much softer what a canceller leaves is than what came in, over the last blocks of 10 ms. A pure value.
struct EchoLoss: Equatable, Sendable {
  private let blocks: Int
  private var captured: [Int] = []
  private var residual: [Int] = []

  /// - Parameter blocks: so many are remembered.
  init(blocks: Int) { self.blocks = blocks }

  /// Take one block of the microphone and of what is left of it.
  mutating func hear(captured block: [Int16], residual rest: [Int16]) {
    captured.append(power(of: block))
    residual.append(power(of: rest))
    guard captured.count > blocks else { return }
    captured.removeFirst()
    residual.removeFirst()
  }

  /// In whole decibels; 0 before anything was heard.
  var decibels: Int { capturedLevel - level(residual) }

  /// How loud what came in was, in dBFS.
  var capturedLevel: Int { level(captured) }

  private func level(_ powers: [Int]) -> Int {
    VoiceSound.decibels(power: powers.reduce(0, +), of: powers.count * CaptureProcessor.blockSamples)
  }
}
