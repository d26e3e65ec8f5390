import VoiceFoundation
import VoiceSystem

/// What of this program's environment a child gets.
package enum ChildEnvironment: Equatable, Sendable {
  /// What every program needs, and these.
  case named([String])
  /// What a terminal would give it, proxies, certificates, agents and the language included, without these, which are this
  /// program's own.
  case all(without: Set<String>)

  /// Every child gets these, so that it finds its programs, its files and its language, and no secret of ours.
  static let neededNames = ["PATH", "HOME", "LANG", "TERM", "TMPDIR", "USER", "SHELL"]

  /// The names and values, as they are now. What an agent sets for those that it starts is not
  /// for another agent, and what this program set for a library of its own is for nobody else.
  var variables: [String: String] {
    OwnVariables.given(ProcessInfo.processInfo.environment).filter { isPassed($0.key) }
  }

  private func isPassed(_ name: String) -> Bool {
    switch self {
    case .named(let names): Self.neededNames.contains(name) || names.contains(name)
    case .all(let withheld): !withheld.contains(name) && !name.hasPrefix("PARLEY_") && name != "CLAUDECODE"
    }
  }
}
