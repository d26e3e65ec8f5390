/// Where an agent keeps an approval that holds from now on, as far as it says, so that it can be taken back.
package struct ApprovalRecord: Equatable, Sendable, Codable {
  /// What it writes into one file.
  package struct Place: Equatable, Sendable, Codable {
    /// Relative to the working folder, or beginning with `~/`.
    package var file: String
    /// Each as it stands there.
    package var entries: [String]

    package init(file: String, entries: [String]) {
      self.file = file
      self.entries = entries
    }
  }

  /// Empty where it is kept in the agent's memory alone, and ends with the agent.
  package var places: [Place]

  package init(places: [Place] = []) { self.places = places }
}
