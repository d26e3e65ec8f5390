import CInference

/// ONNX Runtime, which the recogniser, the voice and the network for the end of a turn share.
enum InferenceLibrary {
  /// Load it, unless it is loaded; any thread.
  static func load(_ path: String) throws(SpeechFailure) {
    if let reason = ort_load(path) {
      throw SpeechFailure("the speech library cannot be loaded: \(String(cString: reason))")
    }
  }

  /// Why the last call failed that went to it, or to a network over it, on this thread.
  static var reason: String { String(cString: ort_reason()) }
}
