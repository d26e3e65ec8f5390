/// Where the user's own files are, after the XDG Base Directory Specification.
///
/// Absolute paths only, as that demands: a relative one, or a home that is not known, would make of whatever folder the
/// program is started in the user's own, and that may be a checked-out project of somebody else.
package struct UserFolders: Sendable {
  private let environment: [String: String]

  package init(_ environment: [String: String]) { self.environment = environment }

  /// The program's own folder among the configurations; nil if nothing says where that is.
  package var configuration: String? { folder("XDG_CONFIG_HOME", below: ".config") }
  /// What it wants to remember: sessions, conversations, who runs.
  package var state: String? { folder("XDG_STATE_HOME", below: ".local/state") }
  /// What belongs to the user: what was taught.
  package var data: String? { folder("XDG_DATA_HOME", below: ".local/share") }
  /// `HOME`, if it is a path that means the same everywhere.
  package var home: String? { absolute("HOME") }

  /// A path as a shell takes it and a narrow screen has room for it: from `~` on, if it is below the home folder.
  package func abbreviated(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// What to do where there is none, as the end of a sentence.
  package static let remedy = "Set HOME to your home folder."

  private func folder(_ variable: String, below part: String) -> String? {
    (absolute(variable) ?? home.map { "\($0)/\(part)" }).map { $0 + "/parley" }
  }

  private func absolute(_ variable: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
