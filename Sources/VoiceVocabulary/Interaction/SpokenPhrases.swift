/// What the user says to the program itself, in his own words. Empty: there is no such phrase.
package struct SpokenPhrases: Equatable, Sendable, Codable {
  /// Ends speech, or the work.
  package var stop: String
  /// Closes the microphone.
  package var sleep: String
  /// Opens a closed microphone: with none, a closed microphone hears nothing.
  package var wake: String

  /// As they are where nobody has chosen others.
  package static let builtIn = SpokenPhrases(stop: "okay, stop", sleep: "stop listening")

  package init(stop: String = "", sleep: String = "", wake: String = "") {
    self.stop = stop
    self.sleep = sleep
    self.wake = wake
  }
}
