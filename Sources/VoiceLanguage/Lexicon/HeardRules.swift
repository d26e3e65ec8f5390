/// What recognisers make of the words of this trade, wherever it is spoken. Pairs of what is heard and what is meant, some
/// only beside words that leave no doubt.
enum HeardRules {
  /// What is heard, what is meant, and beside which words.
  struct Rule: Equatable, Sendable {
    /// Whether a project's own words can stand against it.
    enum Force: Equatable, Sendable {
      /// A word of the project stays what it is: in a shop's program "cash" may be meant.
      case ordinary
      /// Beside these neighbours nothing else makes sense, whatever the project is called.
      case command
    }

    let heard: [String]
    let meant: String
    /// One of these must stand before or behind; any may if both are empty.
    let before: Set<String>
    let after: Set<String>
    let force: Force

    /// Whether it holds between these words.
    func applies(before: String, after: String) -> Bool {
      (self.before.isEmpty && self.after.isEmpty) || self.before.contains(before) || self.after.contains(after)
    }
  }

  /// By the first word heard.
  static let byFirstWord: [String: [Rule]] = Dictionary(grouping: all) { $0.heard[0] }

  private static let all: [Rule] =
    always.map { rule($0.0, $0.1) }
    + ["jason", "jayson", "jaysen"].map { rule($0, "JSON", before: formatsBefore, after: formatsAfter) }
    + ["yamel", "yammel"].map { rule($0, "YAML", before: formatsBefore, after: formatsAfter) }
    + [
      rule("cash", "cache", before: ["image", "disk", "memory", "query", "response", "lookup"], after: cacheAfter),
      rule("cashed", "cached", before: [], after: ["response", "responses", "value", "values", "result", "results"]),
      rule("poll", "pull", before: ["git"], force: .command),
      rule("in it", "init", before: ["git", "npm", "the", "swift", "an"], after: ["method", "function"]),
      rule("pseudo", "sudo", after: ["apt", "rm", "make"], force: .command),
      rule("get", "git", after: gitAfter, force: .command),
    ]

  private static func rule(
    _ heard: String, _ meant: String, before: Set<String> = [], after: Set<String> = [], force: Rule.Force = .ordinary
  ) -> Rule {
    let words = heard.split(separator: " ").map(String.init)
    return Rule(heard: words, meant: meant, before: before, after: after, force: force)
  }

  private static let formatsBefore: Set<String> = [
    "parse", "parses", "parsing", "as", "valid", "invalid", "raw", "dot", "decode", "encode", "pretty", "into",
    "malformed",
  ]
  private static let formatsAfter: Set<String> = [
    "file", "files", "response", "responses", "body", "object", "objects", "parser", "parsing", "schema", "format",
    "payload",
    "output", "decoder", "encoder", "array", "string", "lines", "config", "configuration", "document", "encoding",
    "decoding",
  ]
  private static let cacheAfter: Set<String> = [
    "invalidation", "hit", "hits", "misses", "key", "keys", "layer", "directory", "folder", "lookup", "eviction",
    "busting",
  ]
  private static let gitAfter: Set<String> = [
    "commit", "rebase", "checkout", "stash", "blame", "bisect", "diff", "status", "hub", "submodule",
  ]

  private static let always: [(String, String)] = [
    ("poll request", "pull request"), ("pole request", "pull request"), ("pool request", "pull request"),
    ("poll requests", "pull requests"), ("pole requests", "pull requests"), ("pool requests", "pull requests"),
    ("git hub", "GitHub"), ("get hub", "GitHub"), ("git lab", "GitLab"), ("git ignore", ".gitignore"),
    ("jay son", "JSON"), ("j son", "JSON"), ("jay sawn", "JSON"), ("n p m", "npm"), ("node js", "Node.js"),
    ("node jay s", "Node.js"), ("type script", "TypeScript"), ("java script", "JavaScript"), ("post gres", "Postgres"),
    ("sequel light", "SQLite"), ("sequel lite", "SQLite"), ("my sequel", "MySQL"), ("web socket", "WebSocket"),
    ("web sockets", "WebSockets"), ("a p i", "API"), ("u r l", "URL"), ("c l i", "CLI"), ("h t t p", "HTTP"),
    ("s q l", "SQL"), ("s d k", "SDK"), ("u i", "UI"), ("c i", "CI"), ("docker file", "Dockerfile"),
    ("dock her file", "Dockerfile"), ("make file", "Makefile"), ("engine x", "nginx"), ("web hook", "webhook"),
    ("e num", "enum"), ("end point", "endpoint"), ("end points", "endpoints"), ("package jason", "package.json"),
    ("package dot jason", "package.json"), ("reg ex", "regex"), ("red jex", "regex"), ("rej ex", "regex"),
    ("a sync await", "async await"), ("mute ex", "mutex"), ("cash invalidation", "cache invalidation"),
    ("coober netties", "Kubernetes"), ("cooper netties", "Kubernetes"), ("read me dot md", "README.md"),
    ("readme dot md", "README.md"), ("read me file", "README file"), ("dot env file", ".env file"),
    ("data base", "database"), ("time out error", "timeout error"), ("see make", "CMake"), ("c make", "CMake"),
  ]
}
