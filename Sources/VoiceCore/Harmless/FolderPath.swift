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
  package func mayBeSecret(_ word: String, takesPatterns: Bool) -> Bool {
    isSecret(word) || takesPatterns && word.contains { "*?[{\\".contains($0) } && !Self.namesSources(word)
  }

  /// Whether a file usually holds a secret, or the history of the project: nobody has it read to a model by a word.
  func isSecret(_ word: String) -> Bool {
    let isOption = word.hasPrefix("-")
    let parts = inside(word[...]).split { "=:, ".contains($0) }
    let values = isOption ? parts.dropFirst() : parts[...]
    if values.contains(where: { isSecret(path: $0) }) { return true }
    guard isOption, !word.hasPrefix("--"), let cluster = parts.first else { return false }
    // Where the letters of an option end and its value begins, its program alone knows: `-1Sauth.json`.
    guard cluster.utf8.count <= Self.longestCluster else { return true }
    return cluster.indices.dropFirst().contains { isSecret(path: cluster[$0...]) }
  }

  private static let longestCluster = 64

  /// A path without the working folder, which may be called anything.
  private func inside(_ path: Substring) -> Substring {
    path.hasPrefix(folder + "/") ? path.dropFirst(folder.count + 1) : path == folder ? "" : path
  }

  private func isSecret(path: Substring) -> Bool {
    let names = inside(path).lowercased().split(separator: "/")
    return names.contains(where: Self.isSecret(name:)) || names.last.map(Self.tellsSecret) ?? false
  }

  /// Whether a file or a folder of this name usually holds secrets. Most of what is hidden may.
  private static func isSecret(name: Substring) -> Bool {
    if name.hasPrefix("."), name != ".", !name.hasPrefix("..") { return !openFiles.contains(name) }
    return name.contains(".env") || name.hasSuffix("_history")
      || ["secret", "secrets", "credential", "credentials", "password", "passwords"].contains(name.prefix { $0 != "." })
      || [
        "auth.json", "kubeconfig", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "appsettings", "database.yml",
        "wp-config",
      ].contains { name.hasPrefix($0) }
      || !isSource(name) && ["secret", "credential", "serviceaccount"].contains { name.contains($0) }
  }

  /// Whether a word in a file's name says that it holds a secret, as `server.key.old` does. A source file is only about one.
  private static func tellsSecret(_ name: Substring) -> Bool {
    !isSource(name)
      && (name.split { ".-_~".contains($0) }.contains { secretWords.contains(String($0)) }
        || name.filter { $0 != "-" && $0 != "_" }.contains("serviceaccount"))
  }

  private static func isSource(_ name: Substring) -> Bool {
    name.split(separator: ".").last.map { sourceExtensions.contains(String($0)) } ?? false
  }

  /// What is hidden and holds no secret.
  private static let openFiles: Set<Substring> = [
    ".build", ".clang-format", ".clang-tidy", ".dockerignore", ".editorconfig", ".gitattributes", ".github",
    ".gitignore", ".gitlab-ci.yml", ".gitmodules", ".python-version", ".swift-format", ".swift-version",
    ".swiftlint.yml",
  ]

  private static let secretWords: Set<String> = [
    "adminsdk", "apikey", "gpg", "htpasswd", "jks", "kdbx", "key", "keys", "keystore", "keytab", "netrc", "ovpn",
    "p12", "p8", "passphrase", "passwd", "password", "passwords", "pem", "pfx", "pgpass", "pkcs12", "ppk",
    "privatekey", "privkey", "shadow", "tfstate", "tfvars", "token", "tokens", "vault", "wallet",
  ]

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

  /// The endings of source text, and of prose. What ends in `.txt` may be anything.
  static let sourceExtensions: Set<String> = [
    "c", "cc", "cjs", "cpp", "cs", "css", "dart", "ex", "exs", "go", "h", "hpp", "html", "java", "js", "jsx", "kt",
    "lua", "m", "md", "mjs", "mm", "php", "proto", "py", "rb", "rs", "rst", "scala", "scss", "sh", "svelte",
    "swift", "ts", "tsx", "vue",
  ]
}
