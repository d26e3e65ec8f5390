/// Where a setting's value comes from.
package enum PlanOrigin: Equatable, Sendable, CustomStringConvertible {
  case builtIn
  /// A configuration file, by its path.
  case file(String)
  case commandLine
  /// Found out from something else, such as the environment; `because` is the end of a sentence.
  case derived(because: String)

  package var description: String {
    switch self {
    case .builtIn: "default"
    case .file(let path): path
    case .commandLine: "command line"
    case .derived(let because): because
    }
  }
}

/// A setting's value, and where it comes from.
package struct Resolved<Value: Equatable & Sendable>: Equatable, Sendable {
  package var value: Value
  package var origin: PlanOrigin

  package init(_ value: Value, _ origin: PlanOrigin = .builtIn) {
    self.value = value
    self.origin = origin
  }
}
