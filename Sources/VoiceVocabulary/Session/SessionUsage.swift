/// Tokens and money of a whole session; nil where nobody told.
package struct SessionUsage: Equatable, Sendable, Codable {
  /// Tokens that went in and came out.
  package struct Tokens: Equatable, Sendable, Codable {
    package var input: Int
    package var output: Int

    package init(input: Int, output: Int) {
      self.input = input
      self.output = output
    }
  }

  package var listener: Tokens?
  package var readout: Tokens?
  package var agent: Tokens?
  package var agentCostInDollars: Double?

  package init() {}
}
