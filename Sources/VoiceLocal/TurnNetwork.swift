import CInference
import CTurn

/// Whether a pause sounds like the end of a turn: the Smart Turn network over the inference library of the recogniser. It hears
/// melody and length, not words.
///
/// One thread at a time.
final class TurnNetwork {
  private let handle: OpaquePointer

  /// - Parameters:
  ///   - library: ONNX Runtime.
  ///   - file: the network.
  init(library: String, file: String) throws(SpeechFailure) {
    try InferenceLibrary.load(library)
    guard let made = ort_open(file) else {
      throw SpeechFailure(
        "the network \(file) cannot be used (\(InferenceLibrary.reason)): \(SpeechModels.remedyOfDamage)")
    }
    handle = made
  }

  deinit { ort_close(handle) }

  /// How likely it is, from 0 to 1, that the speaker is done; nil where that cannot be found out.
  /// - Parameter sound: 16 kHz, from -1 to 1, from 0.3 s before the turn until now.
  func completeness(of sound: [Float]) -> Float? {
    let found = turn_probability(handle, sound, Int32(sound.count))
    return found >= 0 ? found : nil
  }

  /// What the network is given of the sound: 80 bands of 800 frames of 10 ms, band by band.
  static func features(of sound: [Float]) -> [Float] {
    var features = [Float](repeating: 0, count: 80 * 800)
    turn_features(sound, Int32(sound.count), &features)
    return features
  }
}
