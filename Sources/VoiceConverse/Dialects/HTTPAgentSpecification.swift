/// Which agent behind HTTP, as a person writes it: `KIND[:ADDRESS][#NAME]`, where the name is that of a model or, with
/// PageSpace, of an agent.
package struct HTTPAgentSpecification: Equatable, Sendable {
  package let kind: HTTPAgentKind
  package let address: HTTPAddress
  package let name: String?

  /// Why a server cannot be meant by what was written.
  /// - Parameter place: What stands behind `KIND:`; nil for the default address of this kind.
  package init(_ kind: HTTPAgentKind, at place: String?) throws(AgentError) {
    self.kind = kind
    // Splitting gives one part at least.
    let parts = (place ?? "").split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    name = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
    guard let text = parts[0].isEmpty ? kind.defaultAddress : parts[0] else {
      throw AgentError("The agent \(kind.name) needs an address: \(kind.form).")
    }
    guard let address = HTTPAddress(text) else {
      throw AgentError(
        """
        The agent “\(kind.name):\(place ?? "")” has no address that makes sense. Write \(kind.form), without \
        a password or a question mark; unix:/PATH names a Unix socket.
        """)
    }
    self.address = address
  }
}
