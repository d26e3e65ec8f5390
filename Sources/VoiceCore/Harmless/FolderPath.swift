/// Paths as an agent names them, judged by their letters alone: where a link leads is not known.
package struct FolderPath: Equatable, Sendable {
  /// Absolute; empty where it is not known, and then every absolute path is outside.
  package var folder: String

  package init(folder: String) { self.folder = folder }

  /// Whether a path stays inside the working folder, and is no path through another.
  package func holds(_ path: some StringProtocol) -> Bool {
    if path == "/dev/null" { return true }
    guard !path.isEmpty, !path.hasPrefix("~"), !path.contains("$") else { return false }
    guard !path.split(separator: "/").contains("..") else { return false }
    guard path.hasPrefix("/") else { return true }
    // A session in the root folder has no inside.
    let root = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return !root.isEmpty && (path == root || path.hasPrefix(root + "/"))
  }

  /// Whether every path that a word of a command may hold stays inside: the word itself, and what stands behind `=`, `:`, `,`
  /// or the letters of an option.
  package func holds(everyPathIn word: String) -> Bool {
    let parts = word.split(whereSeparator: { "=:,".contains($0) })
    guard word.hasPrefix("-") else { return ([word[...]] + parts).allSatisfy { $0.isEmpty || holds($0) } }
    // `-f/etc/passwd`, `-I../x`
    let attached = word.drop { $0 == "-" }.drop(while: \.isLetter)
    return (parts.dropFirst() + [attached]).allSatisfy { $0.isEmpty || holds($0) }
  }

  /// Whether a file usually holds a secret, or the history of the project: nobody has it read to a model by a word.
  package static func isSecret(_ path: some StringProtocol) -> Bool {
    path.lowercased().split(whereSeparator: { "/=:".contains($0) }).contains { name in
      if [".git", ".ssh", ".aws", ".gnupg", ".docker", ".kube", ".netrc", ".npmrc", ".pypirc", ".pgpass"].contains(name)
      {
        return true
      }
      let isKey = [".pem", ".key", ".p12", ".pfx", ".keystore", ".jks"].contains { name.hasSuffix($0) }
      let stem = name.prefix { $0 != "." }
      return isKey || name.hasPrefix(".env") || name.hasPrefix("id_rsa") || name.hasPrefix("id_ed25519")
        || ["secret", "secrets", "credential", "credentials"].contains(stem)
    }
  }
}
