/// The configuration with every key at its built-in value and what it means: `config/parley.json5`.
package enum AnnotatedConfiguration {
  /// JSON5, as `PlanLayer` reads it.
  package static let text: String = {
    var lines = [
      "// Parley's configuration: every key, what it means, and its built-in value.",
      "//",
      "// Copy this file to $XDG_CONFIG_HOME/parley/parley.json5 (usually ~/.config/parley/parley.json5), or name it with",
      "// --config, and keep the keys that you change. Command-line flags override the file. `parley check` shows the result.",
      "{",
    ]
    for group in PlanKey.groups {
      lines.append("  \(group): {")
      for key in PlanKey.all where key.parts.group == group {
        var help = key.help
        if case .number(let range) = key.form { help += " From \(range.lowerBound) to \(range.upperBound)." }
        lines += wrapped(help.split(separator: " "), lead: "    // ")
        lines += member(key)
      }
      lines.append("  },")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }()

  private static let width = 128

  private static func member(_ key: PlanKey) -> [String] {
    let name = "    \(key.parts.key): "
    switch key.builtIn {
    case .flag, .number: return [name + "\(key.builtIn),"]
    case .text(let text): return [name + quoted(text) + ","]
    case .list(let items):
      let items = items.map { quoted($0) + "," }
      return items.isEmpty ? [name + "[],"] : [name + "["] + wrapped(items[...], lead: "      ") + ["    ],"]
    }
  }

  /// No built-in value has a character that would have to be escaped.
  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  private static func wrapped(_ words: some Sequence<some StringProtocol>, lead: String) -> [String] {
    var lines: [String] = []
    for word in words {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(lead + word)
      }
    }
    return lines
  }
}
