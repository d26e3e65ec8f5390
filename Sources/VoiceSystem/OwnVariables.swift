#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Environment variables that this program sets for a library inside it. Whoever it starts gets what they were before.
/// May be called from any thread.
package enum OwnVariables {
  private static let before = Locked<[String: String?]>([:])

  /// Set a variable in this process.
  package static func set(_ name: String, to value: String) {
    before.withLock { before in
      if before[name] == nil { before[name] = .some(getenv(name).map { String(cString: $0) }) }
      setenv(name, value, 1)
    }
  }

  /// These names and values, as the user gave them to this program.
  package static func restored(_ variables: [String: String]) -> [String: String] {
    let before = before.withLock { $0 }
    return before.reduce(into: variables) { $0[$1.key] = $1.value }
  }
}
