/// What a sound device is for: to capture the user's voice, or to play the program's.
package enum SoundDeviceKind: String, Sendable, Codable {
  case microphone
  case speaker

  /// The sentence for a device that the sound server exchanged.
  package func replaced(_ former: String, by name: String) -> String {
    "The sound server switched the \(rawValue) from “\(former)” to “\(name)”."
  }
}
