/// Variables of the environment that the program sets for a library in its own process, and that no other process is to get: what they
/// were before is kept. Any thread may call; that a library reads the environment meanwhile is the caller's care.
package enum OwnVariables {
  /// By name: the value that whoever started the program gave, nil if none.
  private static let originals = Locked<[String: String?]>([:])

  /// Set a variable for this process alone.
  package static func set(_ name: String, to value: String) {
    originals.withLock { originals in
      if originals[name] == nil { originals[name] = .some(getenv(name).map { String(cString: $0) }) }
    }
    setenv(name, value, 1)
  }

  /// An environment as whoever started the program gave it.
  package static func given(_ variables: [String: String]) -> [String: String] {
    var variables = variables
    for (name, original) in originals.withLock({ $0 }) { variables[name] = original }
    return variables
  }
}
