import Testing
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceLocal
@testable import VoiceWebSocket

/// What a listener does with the sound that it keeps while the user speaks.
struct LocalListenerSoundTests {
  private func listener(marksActivity: Bool) -> LocalListener {
    let json = """
      {"setup":{"model":"models/local","tools":[{"functionDeclarations":[{"name":"converse"}]}],
      "realtimeInputConfig":{"automaticActivityDetection":{"disabled":\(marksActivity)}}}}
      """
    var dialect = GeminiServerDialect()
    guard case .setup(let setup)? = dialect.decode(IncomingMessage(kind: .text, bytes: Array(json.utf8))).first else {
      preconditionFailure("the setup of this test is not one")
    }
    return LocalListener(
      setup: setup, detector: VoiceActivityDetector(silenceMilliseconds: 600), turns: SilenceTurnDetector(),
      callPrefix: "call")
  }

  /// How much sound it keeps of what is said, and where in memory.
  private func kept(by listener: LocalListener) -> (count: Int, place: UInt) {
    let samples = listener.endpointer?.openSamples ?? listener.marked?[...] ?? []
    return (samples.count, samples.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
  }

  /// It would be up to 0.9 MB, fifty times a second. Only where the sound has outgrown its place is it moved.
  @Test(arguments: [false, true]) func whatWasSaidIsNotCopiedWithEveryFrame(marksActivity: Bool) {
    var listener = listener(marksActivity: marksActivity)
    if marksActivity { _ = listener.take(.activityStart) }
    let frame = (0..<320).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
    for _ in 0..<100 { _ = listener.take(.audio(samples: frame, rate: 16_000)) }
    var (last, moves) = (kept(by: listener).place, 0)
    for _ in 0..<400 {
      _ = listener.take(.audio(samples: frame, rate: 16_000))
      let place = kept(by: listener).place
      if place != last { moves += 1 }
      last = place
    }
    #expect(kept(by: listener).count > 400 * 320)
    #expect(moves < 10)
  }
}
