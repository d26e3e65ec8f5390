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
  /// or the letters and digits of an option. A word that begins with `=` is a program to zsh.
  package func holds(everyPathIn word: String) -> Bool {
    let parts = word.split(whereSeparator: { "=:,".contains($0) })
    guard word.hasPrefix("-") else {
      return !word.hasPrefix("=") && ([word[...]] + parts).allSatisfy { $0.isEmpty || holds($0) }
    }
    // `-f/etc/passwd`, `-I../x`, `-1f/etc/passwd`
    return (parts.dropFirst() + [Self.attached(word)]).allSatisfy { $0.isEmpty || holds($0) }
  }

  /// What an option may be given without a blank.
  private static func attached(_ option: String) -> Substring {
    option.drop { $0 == "-" }.drop { $0.isLetter || $0.isNumber }
  }

  /// Whether a word may stand for a file that usually holds a secret.
  ///
  /// - Parameter takesPatterns: whether whoever takes it knows signs that stand for others. A pattern is one unless it can stand for
  ///   nothing but source files.
  package static func mayBeSecret(_ word: String, takesPatterns: Bool) -> Bool {
    isSecret(word) || takesPatterns && word.contains { "*?[{\\".contains($0) } && !namesSources(word)
  }

  /// Whether a file usually holds a secret, or the history of the project: nobody has it read to a model by a word.
  static func isSecret(_ path: String) -> Bool {
    let words = path.hasPrefix("-") ? [path[...], attached(path)] : [path[...]]
    return words.contains { word in
      word.lowercased().split(whereSeparator: { "/=:, ".contains($0) }).contains(where: isSecret(name:))
    }
  }

  private static func isSecret(name: Substring) -> Bool {
    let isNamed = [
      ".aws", ".claude.json", ".docker", ".git", ".git-credentials", ".gitconfig", ".gnupg", ".htpasswd", ".kube",
      ".mcp.json", ".netrc", ".npmrc", ".pgpass", ".pypirc", ".ssh", ".yarnrc.yml", "auth.json", "kubeconfig",
    ].contains(name)
    let isKey = ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"].contains { name.hasPrefix($0) }
    let endsAsKey = [
      ".pem", ".key", ".p12", ".pfx", ".keystore", ".jks", ".p8", ".ppk", ".kdbx", ".tfstate", ".tfvars", ".ovpn",
      "_history",
    ].contains { name.hasSuffix($0) }
    let stem = name.prefix { $0 != "." }
    let isSource = name.split(separator: ".").last.map { sourceExtensions.contains(String($0)) } ?? false
    return isNamed || isKey || endsAsKey || name.contains(".env")
      || ["secret", "secrets", "credential", "credentials"].contains(stem)
      || !isSource && ["secret", "credential", "serviceaccount"].contains { name.contains($0) }
  }

  /// Whether a pattern can stand for nothing but source files in folders that are not hidden. Any other may stand for a secret, and
  /// `.?` for the folder above.
  static func namesSources(_ pattern: String) -> Bool {
    let names = pattern.lowercased().split(separator: "/")
    guard let last = names.last, let dot = last.lastIndex(of: "."), !pattern.contains("..") else { return false }
    var ending = last[dot...].dropFirst()
    if ending.hasPrefix("{"), ending.hasSuffix("}") { ending = ending.dropFirst().dropLast() }
    let endings = ending.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let isPlain = names.dropLast().allSatisfy { !$0.contains("{") } && !last[..<dot].contains { "{, ".contains($0) }
    let isOpen = names.allSatisfy { !$0.hasPrefix(".") || $0 == "." }
    return isPlain && isOpen && endings.allSatisfy(sourceExtensions.contains)
  }

  private static let sourceExtensions: Set<String> = [
    "c", "cc", "cjs", "cpp", "cs", "css", "dart", "ex", "exs", "go", "h", "hpp", "html", "java", "js", "jsx", "kt",
    "lua", "m", "md", "mjs", "mm", "php", "proto", "py", "rb", "rs", "rst", "scala", "scss", "sh", "sql", "svelte",
    "swift", "ts", "tsx", "txt", "vue",
  ]
}
