import VoiceLocal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A speech engine process for tests: the real one, or with the argument `simulated` one without models.
@main
struct SpeechEngineForTests {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "simulated" {
      exit(SpeechEngineHost.run(engines: SimulatedEngines(lacksVoice: CommandLine.arguments.contains("mute"))))
    }
    exit(SpeechEngineHost.run())
  }
}

/// Engines that answer at once: the text tells how long the sound was, and the sound how long the text was.
private final class SimulatedEngines: SpeechEngines {
  private let lacksVoice: Bool

  init(lacksVoice: Bool) { self.lacksVoice = lacksVoice }

  func loadRecogniser() throws(SpeechFailure) {}
  func loadShortRecogniser() throws(SpeechFailure) {}

  func recognise(_ samples: [Int16], precision: SpeechEngineMessage.Precision) throws(SpeechFailure) -> String {
    switch samples.first {
    // As the inference library does on some bad inputs.
    case 666: _exit(255)
    case 13: throw SpeechFailure("an unlucky sound")
    default: return "\(samples.count) samples"
    }
  }

  func loadVoice() throws(SpeechFailure) {
    if lacksVoice { throw SpeechFailure("there is no voice") }
  }

  func synthesise(_ text: String, rate: Float, deliver: ([Int16]) -> Bool) throws(SpeechFailure) {
    if text == "crash" { _exit(255) }
    if text == "for ever" {
      while deliver([1, 2, 3]) {}
      return
    }
    for word in text.split(separator: " ") where !deliver([Int16](repeating: 1, count: word.count)) { return }
  }
}
