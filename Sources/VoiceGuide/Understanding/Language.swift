/// A language that files are written in, told by the end of their names.
package struct Language: Equatable, Sendable {
  /// The name as it is spoken.
  package let name: String
  /// Ends of file names, without the dot.
  package let suffixes: [String]

  /// The language of a file; nil if its name does not tell.
  static func of(_ path: String) -> Language? {
    guard let dot = path.lastIndex(of: "."), dot != path.startIndex else { return nil }
    let suffix = path[path.index(after: dot)...].lowercased()
    return all.first { $0.suffixes.contains(suffix) }
  }

  /// The language that these words begin with: "swift", "c plus plus".
  static func named(_ words: ArraySlice<String>) -> Language? {
    if words.starts(with: ["c", "plus", "plus"]) { return all.first { $0.name == "C++" } }
    guard let word = words.first?.drop(while: { $0 == "." }), !word.isEmpty else { return nil }
    // Single letters and everyday words are languages only by their full name.
    return all.first { $0.name.lowercased() == word || ($0.suffixes.contains(String(word)) && word.count > 1) }
  }

  static let all: [Language] = [
    Language(name: "Swift", suffixes: ["swift"]), Language(name: "Python", suffixes: ["py"]),
    Language(name: "JavaScript", suffixes: ["js", "mjs", "cjs", "jsx"]),
    Language(name: "TypeScript", suffixes: ["ts", "tsx"]), Language(name: "Rust", suffixes: ["rs"]),
    Language(name: "Go", suffixes: ["go"]), Language(name: "Java", suffixes: ["java"]),
    Language(name: "Kotlin", suffixes: ["kt", "kts"]), Language(name: "Ruby", suffixes: ["rb"]),
    Language(name: "C++", suffixes: ["cpp", "cc", "cxx", "hpp"]), Language(name: "C", suffixes: ["c", "h"]),
    Language(name: "Shell", suffixes: ["sh", "bash"]), Language(name: "Markdown", suffixes: ["md", "markdown"]),
    Language(name: "JSON", suffixes: ["json", "json5", "jsonl"]), Language(name: "YAML", suffixes: ["yml", "yaml"]),
    Language(name: "TOML", suffixes: ["toml"]), Language(name: "HTML", suffixes: ["html", "htm"]),
    Language(name: "CSS", suffixes: ["css", "scss"]), Language(name: "SQL", suffixes: ["sql"]),
  ]
}
