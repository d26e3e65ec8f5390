/// Which way a sound device works, and what is told of one.
package enum SoundSide: String, Sendable, Codable {
  case microphone
  case speaker

  /// The sentence for a device that the sound server exchanged.
  package func replaced(_ former: String, by name: String) -> String {
    "The \(rawValue) is another one: “\(name)” in place of “\(former)”, by the sound server's doing."
  }
}
