/// What is wrong with the configuration: one sentence or two that say what, where, and what to do.
///
/// Never holds the value of a setting that looks like a key.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The exit code of a program that cannot start for this reason (`EX_CONFIG`).
  package static let exitCode: Int32 = 78

  package var message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
