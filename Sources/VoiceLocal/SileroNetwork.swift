import CSilero
import VoiceFoundation
import VoiceVocabulary

/// The Silero voice activity detection network with its memory of the sound so far. One thread at a time.
///
/// It is computed here, in the main process, and not by the inference library: it is so small that this costs no more,
/// it gives the probability of every window where the library's detector gives only its own verdicts, and a damaged file
/// cannot end the process.
final class SileroNetwork {
  /// Samples of 16 kHz sound in one window: 32 ms.
  static let windowSamples = Int(SILERO_WINDOW)

  /// How many numbers each tensor has, in the order of the file.
  private static let tensorCounts = [
    258 * 256, 128 * 129 * 3, 128, 64 * 128 * 3, 64, 64 * 64 * 3, 64, 128 * 64 * 3, 128, 512 * 128, 512, 512 * 128, 512,
    128, 1,
  ]

  private let numbers: UnsafeMutablePointer<Float>
  private var weights: silero_weights
  private var state = silero_state()
  /// How many windows in a row were no speech.
  private var quietWindows = 0

  /// Load the weights that `script/fetch-speech` laid out.
  init(weightsFile: String) throws(SpeechFailure) {
    let count = Self.tensorCounts.reduce(0, +)
    guard let data = FileManager.default.contents(atPath: weightsFile), data.count == count * 4 else {
      throw SpeechFailure("\(weightsFile) is missing or damaged: \(SpeechModels.remedy)")
    }
    let numbers = UnsafeMutablePointer<Float>.allocate(capacity: count)
    data.withUnsafeBytes { bytes in
      for index in 0..<count {
        let pattern = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
        numbers[index] = Float(bitPattern: UInt32(littleEndian: pattern))
      }
    }
    var offset = 0
    let tensors = Self.tensorCounts.map { count in
      defer { offset += count }
      return UnsafePointer(numbers + offset)
    }
    self.numbers = numbers
    weights = silero_weights(
      basis: tensors[0], weight1: tensors[1], bias1: tensors[2], weight2: tensors[3], bias2: tensors[4],
      weight3: tensors[5], bias3: tensors[6], weight4: tensors[7], bias4: tensors[8], input_weight: tensors[9],
      input_bias: tensors[10], hidden_weight: tensors[11], hidden_bias: tensors[12], final_weight: tensors[13],
      final_bias: tensors[14])
  }

  deinit { numbers.deallocate() }

  /// The probability that the next 32 ms are speech.
  /// - Parameter window: Exactly `windowSamples` samples at 16 kHz, following those of the last call.
  func probability(of window: ArraySlice<Int16>) -> Float {
    precondition(window.count == Self.windowSamples, "a window of \(window.count) samples")
    let samples = window.map(PCM.value)
    let probability = silero_probability(&weights, &state, samples)
    quietWindows = probability < Self.quiet ? quietWindows + 1 : 0
    if quietWindows >= Self.mostQuietWindows {
      quietWindows = 0
      silero_forget(&state)
    }
    return probability
  }

  /// After a while of noise the network grows deaf: behind 10 to 16 s of typing it missed 13 of 80 sentences, and heard the others
  /// later. So it forgets the past after each 5 s without speech, and missed none; after each 2 s it took music for speech now and then.
  private static let mostQuietWindows = 5 * PCM.microphoneRate / windowSamples
  private static let quiet: Float = 0.2
}
