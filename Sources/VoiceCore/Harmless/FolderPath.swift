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
  ///
  /// What stands for such a file among others counts as one, unless it ends as source files do.
  package static func isSecret(_ path: some StringProtocol, wildcards: Wildcards = .none) -> Bool {
    path.lowercased().split(whereSeparator: { "/=:".contains($0) }).contains { name in
      if wildcards != .none, let end = name.lastIndex(of: "."),
        sourceExtensions.contains(String(name[end...].dropFirst()))
      {
        return false
      }
      // What stands in brackets may be anything, and so may what follows.
      let opened = wildcards == .none ? name[...] : name.prefix { $0 != "[" && $0 != "{" }
      let letters = Array(opened.utf8) + (opened.count < name.count ? [UInt8(ascii: "*")] : [])
      return secrets.contains { mayMatch(letters, wildcards, secret: Array($0.utf8)) }
    }
  }

  /// Which signs in a path stand for others.
  package enum Wildcards: Sendable {
    case none
    /// A shell's `*`, `?` and `[…]`: none of them is the dot at the beginning of a name.
    case shell
    /// Those of a tool: with `{…}`, and the dot may be one of them.
    case tool
  }

  private static let secrets = [
    ".git", ".ssh", ".aws", ".gnupg", ".docker", ".kube", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".env*", "id_rsa*",
    "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.keystore", "*.jks", "secret", "secret.*", "secrets",
    "secrets.*", "credential", "credential.*", "credentials", "credentials.*",
  ]

  private static let sourceExtensions: Set<String> = [
    "c", "cc", "cpp", "cs", "css", "go", "h", "hpp", "html", "java", "js", "jsx", "kt", "m", "md", "mm", "php", "py",
    "rb", "rs", "rst", "scala", "swift", "ts", "tsx", "vue",
  ]

  /// Whether any name has both forms.
  private static func mayMatch(_ name: [UInt8], _ wildcards: Wildcards, secret: [UInt8]) -> Bool {
    let (star, one, dot) = (UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "."))
    let isPattern = wildcards != .none
    if wildcards == .shell, let first = name.first, first == star || first == one, secret.first == dot { return false }
    // Whether what is left of the secret may be what is left of the name, from each of its letters on.
    var isPossible = [Bool](repeating: false, count: secret.count + 1)
    for place in (0...name.count).reversed() {
      let before = isPossible
      for rest in (0...secret.count).reversed() {
        let letter = place < name.count ? name[place] : nil
        let wanted = rest < secret.count ? secret[rest] : nil
        switch (letter, wanted) {
        case (nil, nil): isPossible[rest] = true
        case (star?, _) where isPattern: isPossible[rest] = before[rest] || (wanted != nil && isPossible[rest + 1])
        case (_, star?): isPossible[rest] = isPossible[rest + 1] || (letter != nil && before[rest])
        case (let letter?, let wanted?):
          isPossible[rest] = (letter == wanted || (isPattern && letter == one)) && before[rest + 1]
        default: isPossible[rest] = false
        }
      }
    }
    return isPossible[0]
  }
}
