import CInference
import CPiper
import VoiceSystem
import VoiceVocabulary

/// A Piper voice that speaks phonemes, over the inference library of the recogniser.
///
/// One thread at a time.
final class PiperVoice {
  /// Samples a second of the sound.
  static let rate = 22_050

  private let handle: OpaquePointer
  private let symbols: PhonemeSymbols

  /// - Parameters:
  ///   - library: ONNX Runtime.
  ///   - files: the network, and its numbers for phonemes.
  init(library: String, files: (model: String, tokens: String)) throws(SpeechFailure) {
    try InferenceLibrary.load(library)
    let table: [UInt8]
    do {
      table = try PlainFile.contents(files.tokens, links: .followed, limit: 1 << 16)
    } catch {
      throw SpeechFailure("cannot read \(files.tokens): \(error.reason)")
    }
    guard let symbols = PhonemeSymbols(String(decoding: table, as: UTF8.self)) else {
      throw SpeechFailure("\(files.tokens) is no table of phonemes: \(SpeechModels.remedyOfDamage)")
    }
    self.symbols = symbols
    guard let made = ort_open_small(files.model) else {
      throw SpeechFailure(
        "the voice \(files.model) cannot be used (\(InferenceLibrary.reason)): \(SpeechModels.remedyOfDamage)")
    }
    handle = made
  }

  deinit { ort_close(handle) }

  /// The sound of one sentence, from -1 to 1; empty for one of no phonemes.
  /// - Parameter rate: 1 is the voice's own, 2 twice as fast.
  func sound(of phonemes: String, rate: Float) throws(SpeechFailure) -> [Float] {
    let numbers = symbols.numbers(for: phonemes)
    guard !numbers.isEmpty else { return [] }
    var count: Int32 = 0
    guard let samples = piper_speak(handle, numbers, Int32(numbers.count), rate, &count) else {
      throw SpeechFailure("the voice could not speak \(numbers.count) phonemes (\(InferenceLibrary.reason))")
    }
    defer { piper_samples_free(samples) }
    return Self.shorteningPauses(of: UnsafeBufferPointer(start: samples, count: Int(count)))
  }

  /// The sound with a fifth of each pause in it that is longer than 0.2 s: the voice rests at a comma as one who reads from a book.
  static func shorteningPauses(of sound: some RandomAccessCollection<Float>) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(sound.count)
    var quiet: [Float] = []
    func rest() {
      let kept = quiet.count > rate / 5 ? quiet.count / 5 : quiet.count
      result += quiet.prefix(kept / 2) + quiet.suffix(kept - kept / 2)
      quiet.removeAll(keepingCapacity: true)
    }
    for sample in sound {
      if abs(sample) <= 0.01 {
        quiet.append(sample)
      } else {
        rest()
        result.append(sample)
      }
    }
    rest()
    return result
  }
}

/// What a Piper voice calls phonemes: a number for each character.
struct PhonemeSymbols: Equatable, Sendable {
  private let numbers: [Unicode.Scalar: Int64]
  private let start: Int64
  private let blank: Int64
  private let end: Int64

  /// - Parameter table: a line for each character: itself, a blank and its number. Nil where what frames a sentence is missing.
  init?(_ table: String) {
    var numbers: [Unicode.Scalar: Int64] = [:]
    for line in table.lines where !line.isEmpty {
      let scalars = line.unicodeScalars
      guard let scalar = scalars.first, let number = Int64(String(scalars.dropFirst(2))) else { return nil }
      numbers[scalar] = number
    }
    guard let start = numbers["^"], let blank = numbers["_"], let end = numbers["$"] else { return nil }
    (self.numbers, self.start, self.blank, self.end) = (numbers, start, blank, end)
  }

  /// A sentence as the voice was trained on: framed, and with a blank behind each phoneme. Empty where there is no phoneme; one that
  /// the voice does not know is left out.
  func numbers(for phonemes: String) -> [Int64] {
    let known = phonemes.unicodeScalars.compactMap { numbers[$0] }
    return known.isEmpty ? [] : [start, blank] + known.flatMap { [$0, blank] } + [end]
  }
}
