import VoiceCore
import VoiceLanguage
import VoiceLocal
import VoiceSystem
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A speech engine process for tests: the real one, or with the argument `simulated` one without models.
///
/// With `mute` it has no voice; with `slow` and a named pipe it loads its recogniser once somebody opens that for writing, and
/// crashes in the middle of loading if anything is written to it.
@main
struct SpeechEngineForTests {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "simulated" {
      let arguments = CommandLine.arguments
      let pipe = arguments.firstIndex(of: "slow").map { arguments[$0 + 1] }
      exit(SpeechEngineHost.run(engines: SimulatedEngines(lacksVoice: arguments.contains("mute"), pipe: pipe)))
    }
    var phrases = SpokenPhrases.builtIn
    phrases.wake = "hey parley"
    exit(SpeechEngineHost.run(phrases: phrases))
  }
}

/// Engines that answer at once: the text tells how long the sound was, and the sound how long the text was.
private final class SimulatedEngines: SpeechEngines {
  private let lacksVoice: Bool
  private let pipe: String?
  private let expected = Locked([String]())

  init(lacksVoice: Bool, pipe: String?) {
    self.lacksVoice = lacksVoice
    self.pipe = pipe
  }

  func loadRecogniser() throws(SpeechFailure) {
    guard let pipe else { return }
    // Waits until there is a writer.
    let descriptor = open(pipe, O_RDONLY)
    guard descriptor >= 0 else { throw SpeechFailure("there is no pipe \(pipe)") }
    var byte: UInt8 = 0
    if read(descriptor, &byte, 1) > 0 { _exit(255) }
    close(descriptor)
  }
  func loadShortRecogniser() throws(SpeechFailure) {}

  func loadTurns() throws(SpeechFailure) {}

  func expect(_ words: ExpectedWords) { expected.withLock { $0 = words.phrases } }

  /// As likely as the second sample is large; nil where it is negative.
  func completeness(of samples: [Int16]) -> Float? {
    samples.dropFirst().first.flatMap { $0 < 0 ? nil : PCM.value($0) }
  }

  func recognise(_ samples: [Int16]) throws(SpeechFailure) -> HeardSpeech {
    switch samples.first {
    // As the inference library does on some bad inputs.
    case 666: _exit(255)
    // A process that hangs: it never answers, and uses no processor.
    case 44:
      while true { pause() }
    // What the process knows of its surroundings.
    case 77: return HeardSpeech(ProcessInfo.processInfo.environment.keys.sorted().joined(separator: " "))
    // What it was told to expect.
    case 88: return HeardSpeech(expected.withLock { $0.joined(separator: ", ") })
    case 13: throw SpeechFailure("an unlucky sound")
    // Not sure of its second word.
    case 22:
      return HeardSpeech(
        "\(samples.count) samples", hearing: Hearing(sureness: [99, 7], alternatives: ["\(samples.count) examples"]))
    default: return HeardSpeech("\(samples.count) samples")
    }
  }

  /// It is that where the sound begins with 99.
  func wakePhrase(in samples: [Int16]) throws(SpeechFailure) -> String {
    while samples.first == 44 { pause() }
    return samples.first == 99 ? "Hey, Parley." : ""
  }

  /// Of sound that begins with 55 it is never known what is said in it.
  func guess(_ samples: [Int16], while isWanted: () -> Bool) throws(SpeechFailure) -> String {
    while samples.first == 55, isWanted() { sched_yield() }
    return isWanted() ? "\(samples.count) samples so far" : ""
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
