/// Which way a sound device works, and what is told of one.
package enum SoundSide: String, Sendable, Codable {
  case microphone
  case speaker

  /// The sentence for a device that the sound server exchanged.
  package func replaced(_ former: String, by name: String) -> String {
    "The sound server switched the \(rawValue) from “\(former)” to “\(name)”."
  }
}
